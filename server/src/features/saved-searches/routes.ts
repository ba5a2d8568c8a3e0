import type { Context } from "../../context.ts";
import { type SavedSearch, savedSearchSchema } from "../../contract/index.ts";
import { savedSearchEndpoints } from "../../contract/saved-search.ts";
import type { SavedSearchDoc } from "../../db/documents/people.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import type { Api } from "../../http/mount.ts";
import { deleted, updated } from "../../http/problem.ts";
import { sendPage } from "../../http/site.ts";
import { savedSearchStore } from "./store.ts";

/** A person's saved searches, and the unsubscribe links in their emails. */
export function savedSearchRoutes(api: Api, { database }: Context): void {
  const store = savedSearchStore(database);

  api.mount(savedSearchEndpoints.listSavedSearches, async ({ user }) =>
    (await store.list(user.uid)).map(presentSearch),
  );

  api.mount(savedSearchEndpoints.saveSearch, async ({ body, user, now }) => {
    return { acknowledged: true, insertedId: await store.save(body, user.uid, now) };
  });

  api.mount(savedSearchEndpoints.changeSavedSearch, async ({ params, body, user }) =>
    updated(await store.change(params.id, user.uid, body)),
  );

  api.mount(savedSearchEndpoints.deleteSavedSearch, async ({ params, user }) => {
    if (!(await store.delete(params.id, user.uid))) throw new ProblemError("search-not-found");
    return deleted(true);
  });

  // Only a POST unsubscribes (RFC 8058), so virus scanners that open every link in an email change nothing.
  api.mount(savedSearchEndpoints.showSearchUnsubscribe, ({ request, response }) =>
    sendPage(
      response,
      request.query["search"]
        ? "Stop emails about this saved search?"
        : "Stop emails about all your saved searches?",
      '<form method="post"><button>Stop emails</button></form>',
    ),
  );

  api.mount(savedSearchEndpoints.unsubscribeSearch, async ({ query, response }) => {
    const { person, key, search } = query;
    if (!(await store.unsubscribe(person, key, search)))
      return sendPage(response.status(404), "This link is no longer valid.", CHOOSE_AGAIN);
    const which = search === "" ? "your saved searches" : "this saved search";
    return sendPage(response, `You will get no more emails about ${which}.`, CHOOSE_AGAIN);
  });
}

const CHOOSE_AGAIN = "<p>You can choose for each of your saved searches when it is emailed.</p>";

const FIELDS = Object.keys(savedSearchSchema.shape) as (keyof SavedSearch)[];

function presentSearch(doc: SavedSearchDoc): SavedSearch {
  const shown = Object.fromEntries(FIELDS.map((field) => [field, doc[field]])) as Omit<
    SavedSearch,
    "_id" | "createdAt"
  >;
  return { ...shown, _id: doc._id.toHexString(), createdAt: doc.createdAt.toISOString() };
}
