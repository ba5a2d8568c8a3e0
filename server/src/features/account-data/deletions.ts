import type { Database } from "../../db/client.ts";
import type { DeletionDoc } from "../../db/documents/people.ts";
import { formerMemberId } from "../../domain/notify.ts";

export type DeletionStore = ReturnType<typeof deletionStore>;

// Longer than the slowest request plus the delay until other instances learn of a deletion.
const SETTLING_MS = 20_000;
/** Longer than a token is valid, so that no session outlives the record that ends it. */
const KEPT_MS = 6 * 3_600_000;

/** Records which accounts were deleted. */
export function deletionStore({ deletions, suspensions, write }: Database) {
  return {
    /**
     * Begins a deletion, or resumes an unfinished one with the alias that it has already written into documents. It is
     * dated by the database if this instance's clock is behind, so that other instances and their documents count as earlier.
     */
    async begin(uid: string, now: Date, keepsTasks = false): Promise<DeletionDoc> {
      const at = { $max: [now, "$$NOW"] };
      const isUnfinished = { $eq: ["$finishedAt", null] };
      const change = {
        $set: {
          at,
          until: { $add: [at, SETTLING_MS] },
          alias: { $cond: [isUnfinished, "$alias", formerMemberId()] },
          finishedAt: null,
          keepsTasks: keepsTasks || "$$REMOVE",
          expireAt: "$$REMOVE",
        },
      };
      const deletion = await write(() =>
        deletions.findOneAndUpdate({ _id: uid }, [change], { upsert: true, returnDocument: "after" }),
      );
      if (!deletion) throw new Error("an upsert returned nothing");
      return deletion;
    },

    /** Marks it as finished, unless it was started again. It is forgotten if the login is deleted, too. */
    async finish({ _id, at }: DeletionDoc, now: Date, isLoginDeleted: boolean): Promise<void> {
      const expiry = isLoginDeleted && { expireAt: new Date(now.getTime() + KEPT_MS) };
      await deletions.updateOne({ _id, at }, { $set: { finishedAt: now, ...expiry } });
    },

    /** A suspended account stays at the identity provider: deleting it is no way around a suspension. */
    async isSuspended(uid: string): Promise<boolean> {
      return (await suspensions.findOne({ _id: uid, liftedAt: null })) !== null;
    },

    /** All deletions in progress or interrupted. Without a limit: those that keep failing must not hide the others. */
    findUnfinished(): Promise<DeletionDoc[]> {
      return deletions.find({ finishedAt: null }).toArray();
    },
  };
}

/** Erases a person from one kind of document. @returns how many documents were changed. */
export type EraseStep = (deletion: DeletionDoc, now: Date) => Promise<number>;
