import { ObjectId } from "mongodb";
import { SAVED_SEARCH_LIMITS, type SavedSearchChanges, type SavedSearchDraft } from "../../contract/index.ts";
import { type Database, isDuplicateKey, READ_LIMITS } from "../../db/client.ts";
import type { SavedSearchDoc } from "../../db/documents/people.ts";
import { currentRequest } from "../../db/transaction.ts";
import { ensureUnsubscribeKey } from "../../domain/people.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { matchOf } from "./match-searches.ts";

/** Stores saved searches. Every filter names the owner; a unique index on slots limits how many each person has. */
export function savedSearchStore({ savedSearches, people, write }: Database) {
  async function freeSlot(ownerId: string): Promise<number | undefined> {
    const options = { projection: { slot: 1 }, ...READ_LIMITS };
    const taken = new Set((await savedSearches.find({ ownerId }, options).toArray()).map(({ slot }) => slot));
    return SLOTS.find((slot) => !taken.has(slot));
  }

  return {
    /** Newest first. */
    list(ownerId: string): Promise<SavedSearchDoc[]> {
      return savedSearches
        .find({ ownerId }, { sort: { _id: -1 }, ...READ_LIMITS, hint: "one-per-slot" })
        .toArray();
    },

    /** @returns its id. @throws {ProblemError} `too-many-searches`. */
    async save(draft: SavedSearchDraft, ownerId: string, now: Date): Promise<string> {
      for (;;) {
        const slot = await freeSlot(ownerId);
        if (slot === undefined) throw new ProblemError("too-many-searches", { detail: TOO_MANY });
        const doc: SavedSearchDoc = {
          _id: new ObjectId(),
          ...draft,
          ownerId,
          slot,
          paused: false,
          match: matchOf(draft),
          createdAt: now,
        };
        try {
          return await write(async (options) => {
            await savedSearches.insertOne(doc, options);
            if (doc.mail !== "never") await ensureUnsubscribeKey(people, ownerId, options);
            return doc._id.toHexString();
          });
        } catch (error) {
          // A concurrent request took the slot; another one may be free.
          if (!isDuplicateKey(error)) throw error;
        }
      }
    },

    change(id: string, ownerId: string, changes: SavedSearchChanges): Promise<boolean> {
      return write(async (options): Promise<boolean> => {
        const filter = { _id: new ObjectId(id), ownerId };
        const { matchedCount, modifiedCount } = await savedSearches.updateOne(
          filter,
          { $set: changes as Partial<SavedSearchDoc> },
          options,
        );
        if (matchedCount === 0) throw new ProblemError("search-not-found");
        if (changes.mail && changes.mail !== "never") await ensureUnsubscribeKey(people, ownerId, options);
        return modifiedCount > 0;
      });
    },

    /** @returns whether it existed. */
    delete(id: string, ownerId: string): Promise<boolean> {
      return write(async (options) => {
        const filter = { _id: new ObjectId(id), ownerId };
        const { deletedCount } = await savedSearches.deleteOne(filter, options);
        return deletedCount === 1;
      });
    },

    /**
     * Stops the emails about one search or all of them, if the unsubscribe key is this person's.
     * @param id of the search; empty for all.
     * @returns whether the key is this person's.
     */
    async unsubscribe(ownerId: string, unsubscribeKey: string, id: string): Promise<boolean> {
      if (id !== "" && !ObjectId.isValid(id)) return false;
      const isTheirs = await people.countDocuments({ _id: ownerId, unsubscribeKey }, READ_LIMITS);
      if (isTheirs === 0) return false;
      currentRequest()?.beginWrite();
      const filter = { ownerId, ...(id !== "" && { _id: new ObjectId(id) }) };
      await savedSearches.updateMany(filter, { $set: { mail: "never" } });
      return true;
    },
  };
}

const TOO_MANY = `You can save ${SAVED_SEARCH_LIMITS.perPerson} searches. Delete one that you do not need any more.`;
const SLOTS = Array.from({ length: SAVED_SEARCH_LIMITS.perPerson }, (_, slot) => slot);
