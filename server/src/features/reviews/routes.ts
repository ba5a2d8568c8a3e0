import type { User } from "../../auth/token-verifier.ts";
import type { Context } from "../../context.ts";
import type { Review } from "../../contract/index.ts";
import { peopleEndpoints } from "../../contract/profile.ts";
import type { ReviewDoc } from "../../db/documents/tasks.ts";
import { suspendedOf } from "../../domain/people.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import type { Api } from "../../http/mount.ts";
import { newestFirst, readPage } from "../../http/pagination.ts";
import { updated } from "../../http/problem.ts";
import { listPeople } from "./directory.ts";
import { profileQueries } from "./profile-store.ts";
import { reviewStore } from "./store.ts";

/** Reviews of completed tasks, and public profiles. */
export function reviewRoutes(api: Api, { database, readCache }: Context): void {
  const profiles = profileQueries(database, readCache);
  const reviews = reviewStore(database);

  api.mount(peopleEndpoints.writeReview, async ({ params, body, user, now }) => {
    return { acknowledged: true, insertedId: await reviews.write(params.id, body, user, now) };
  });

  api.mount(peopleEndpoints.editReview, async ({ params, body, user, now }) =>
    updated(await reviews.edit(params.id, body, user, now)),
  );

  api.mount(peopleEndpoints.replyToReview, async ({ params, body, user, now }) =>
    updated(await reviews.reply(params.id, body.text, user, now)),
  );

  /** Only operators see profiles of suspended people. @throws {ProblemError} `person-not-found`. */
  async function checkVisible(id: string, visitor: User | undefined): Promise<void> {
    if (!visitor?.isOperator && (await suspendedOf(database, [id])).has(id))
      throw new ProblemError("person-not-found");
  }

  api.mount(peopleEndpoints.listPeople, ({ user: _, now: __, ...call }) => listPeople(database, call));

  api.mount(peopleEndpoints.readProfile, async ({ params, user, now }) => {
    await checkVisible(params.id, user);
    const profile = await profiles.read(params.id, now);
    if (!profile) throw new ProblemError("person-not-found");
    return profile;
  });

  api.mount(peopleEndpoints.listReviews, async ({ params: { id }, user, ...call }) => {
    await checkVisible(id, user);
    const [total, page] = await Promise.all([
      profiles.countReviews(id),
      readPage(call, {
        list: `reviews ${id}`,
        order: newestFirst,
        read: (start) => reviews.listAbout(id, start),
      }),
    ]);
    if (total === undefined) throw new ProblemError("person-not-found");
    call.response.setHeader("X-Total-Count", total);
    return page.map(presentReview);
  });
}

/** A review as the public sees it. Authors who deleted their account are anonymous, without a profile link. */
function presentReview(review: ReviewDoc): Review {
  const { authorId, authorName, authorImage, anonymous } = review;
  return {
    _id: review._id.toHexString(),
    taskTitle: review.taskTitle,
    role: review.role,
    author: {
      id: anonymous ? undefined : authorId,
      image: anonymous ? undefined : authorImage,
      name: authorName,
    },
    endedByDecision: review.endedByDecision,
    stars: review.stars,
    text: review.text,
    createdAt: review.createdAt.toISOString(),
    reply: review.reply && { text: review.reply.text, createdAt: review.reply.createdAt.toISOString() },
  };
}
