import { peopleEndpoints } from "../../contract/endpoints/people.ts";
import type { Database } from "../../db/client.ts";
import type { Api } from "../../http/mount.ts";
import { setPageHeaders } from "../../http/pagination.ts";
import { profileStore } from "./profile-store.ts";
import { listReviews, readProfile } from "./read-profile.ts";
import { reviewStore } from "./review-store.ts";
import { writeReview } from "./write-review.ts";

const PAGE_SIZE = 20;

/** Reviews of completed tasks, and the public profiles they lead to. */
export function reviewsFeature(api: Api, { database }: { database: Database }): void {
  const stores = { profiles: profileStore(database), reviews: reviewStore(database) };

  api.mount(peopleEndpoints.writeReview, ({ params, body, user, now }) =>
    writeReview(stores.reviews, params.id, body, user, now),
  );

  api.mount(peopleEndpoints.readProfile, ({ params, now }) => readProfile(stores.profiles, params.id, now));

  api.mount(peopleEndpoints.listReviews, async ({ params, query, request, response }) => {
    const limit = Number(query.limit ?? PAGE_SIZE);
    const page = await listReviews(stores, params.id, { limit, cursor: query.cursor });
    setPageHeaders(request, response, page.next, { "X-Total-Count": page.total });
    return page.reviews;
  });
}
