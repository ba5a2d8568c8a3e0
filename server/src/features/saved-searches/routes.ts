import { ObjectId } from "mongodb";
import type { Context } from "../../context.ts";
import { SAVED_SEARCH_LIMITS, savedSearchSchema } from "../../contract/index.ts";
import { savedSearchEndpoints } from "../../contract/saved-search.ts";
import { isDuplicateKey } from "../../db/client.ts";
import type { SavedSearchDoc } from "../../db/documents/people.ts";
import { currentRequest } from "../../db/transaction.ts";
import { ensureUnsubscribeKey } from "../../domain/people.ts";
import { pick } from "../../domain/present.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import type { Api } from "../../http/mount.ts";
import { sendPage } from "../../http/site.ts";
import { matchOf } from "./match-searches.ts";

/** A person's saved searches, and the unsubscribe links in their emails. Every filter names the owner. */
export function savedSearchRoutes(api: Api, { database }: Context): void {
  const { savedSearches, people, write } = database;

  /** A unique index on slots limits how many searches each person has. @throws {ProblemError} `too-many-searches`. */
  async function freeSlot(ownerId: string): Promise<number> {
    const taken = new Set(
      (await savedSearches.find({ ownerId }, { projection: { slot: 1 } }).toArray()).map(({ slot }) => slot),
    );
    const free = SLOTS.find((slot) => !taken.has(slot));
    if (free === undefined) throw new ProblemError("too-many-searches", { detail: TOO_MANY });
    return free;
  }

  api.mount(savedSearchEndpoints, {
    listSavedSearches: async ({ user }) => {
      return (await savedSearches.find({ ownerId: user.uid }, { sort: { _id: -1 } }).toArray()).map(
        (search) => pick(search, savedSearchSchema),
      );
    },

    saveSearch: async ({ body, user: { uid: ownerId }, now }) => {
      for (;;) {
        const slot = await freeSlot(ownerId);
        const own = { _id: new ObjectId(), ownerId, slot, paused: false, createdAt: now };
        try {
          return await write(async () => {
            await savedSearches.insertOne({ ...own, ...body, match: matchOf(body) });
            if (body.mail !== "never") await ensureUnsubscribeKey(people, ownerId);
            return own._id;
          });
        } catch (error) {
          // A concurrent request took the slot; another one may be free.
          if (!isDuplicateKey(error)) throw error;
        }
      }
    },

    changeSavedSearch: ({ params, body, user: { uid: ownerId } }) =>
      write(async (): Promise<boolean> => {
        const own = { _id: params.id, ownerId };
        const change = { $set: body as Partial<SavedSearchDoc> };
        const { matchedCount, modifiedCount } = await savedSearches.updateOne(own, change);
        if (matchedCount === 0) throw new ProblemError("search-not-found");
        if (body.mail && body.mail !== "never") await ensureUnsubscribeKey(people, ownerId);
        return modifiedCount > 0;
      }),

    deleteSavedSearch: async ({ params, user }) => {
      const own = { _id: params.id, ownerId: user.uid };
      const { deletedCount } = await write(() => savedSearches.deleteOne(own));
      if (deletedCount === 0) throw new ProblemError("search-not-found");
      return true;
    },

    // Only a POST unsubscribes (RFC 8058), so virus scanners that open every link in an email change nothing.
    showSearchUnsubscribe: ({ request, response }) =>
      sendPage(
        response,
        request.query["search"]
          ? "Stop emails about this saved search?"
          : "Stop emails about all your saved searches?",
        '<form method="post"><button>Stop emails</button></form>',
      ),

    // Without `search`, about all of them.
    unsubscribeSearch: async ({ query, response }) => {
      const { person: ownerId, key: unsubscribeKey, search } = query;
      const isValid =
        (search === "" || ObjectId.isValid(search)) &&
        (await people.countDocuments({ _id: ownerId, unsubscribeKey })) > 0;
      if (!isValid) return sendPage(response.status(404), "This link is no longer valid.", CHOOSE_AGAIN);
      currentRequest()?.beginWrite();
      const filter = { ownerId, ...(search !== "" && { _id: new ObjectId(search) }) };
      await savedSearches.updateMany(filter, { $set: { mail: "never" } });
      const which = search === "" ? "your saved searches" : "this saved search";
      return sendPage(response, `You will get no more emails about ${which}.`, CHOOSE_AGAIN);
    },
  });
}

const TOO_MANY = `You can save ${SAVED_SEARCH_LIMITS.perPerson} searches. Delete one that you do not need anymore.`;
const SLOTS = Array.from({ length: SAVED_SEARCH_LIMITS.perPerson }, (_, slot) => slot);
const CHOOSE_AGAIN = "<p>You can choose for each of your saved searches when it is emailed.</p>";
