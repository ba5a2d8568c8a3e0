import type { Database } from "../../db/client.ts";
import type { ClosureDoc } from "../../db/collections.ts";
import { formerMemberId } from "../../db/former-member.ts";
import { READ_LIMITS } from "../../db/mongo.ts";

export type ClosureStore = ReturnType<typeof closureStore>;

// Longer than any request takes, together with how late other instances learn of a closure.
const SETTLING_MS = 20_000;

/** Keeps which accounts were deleted lately. */
export function closureStore({ closures, hints }: Pick<Database, "closures" | "hints">) {
  return {
    /** Begins a deletion, or takes an interrupted one up again. */
    async begin(uid: string, now: Date): Promise<ClosureDoc> {
      const until = new Date(now.getTime() + SETTLING_MS);
      const change = { $set: { at: now, until, alias: formerMemberId(), finishedAt: null } };
      const options = { upsert: true, returnDocument: "after" } as const;
      const closure = await closures.findOneAndUpdate({ _id: uid }, change, options);
      if (!closure) throw new Error("an upsert returned nothing");
      return closure;
    },

    async finish({ _id, at }: ClosureDoc, now: Date): Promise<void> {
      // Not if it began anew meanwhile.
      await closures.updateOne({ _id, at }, { $set: { finishedAt: now } });
    },

    /** Deletions under way or interrupted. */
    findUnfinished(): Promise<ClosureDoc[]> {
      return hints.using("closures", "unfinished", (hint) =>
        closures.find({ finishedAt: null }, { limit: 100, ...READ_LIMITS, ...hint }).toArray(),
      );
    },

    /** Deletions that began at or after this instant. */
    findSince(at: Date): Promise<ClosureDoc[]> {
      return hints.using("closures", "forgotten", (hint) =>
        closures.find({ at: { $gte: at } }, { ...READ_LIMITS, ...hint }).toArray(),
      );
    },
  };
}
