import { LRUCache } from "lru-cache";
import type { ChangeFeed } from "../../db/change-feed.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { ClosureDoc } from "../../db/documents/people.ts";
import { formerMemberId } from "../../db/notices.ts";
import { refreshOnChange } from "../../db/read-cache.ts";

export type ClosureStore = ReturnType<typeof closureStore>;

// Longer than any request takes, together with how late other instances learn of a closure.
const SETTLING_MS = 20_000;

/** Keeps which accounts were deleted lately. */
export function closureStore({ closures, hints }: Pick<Database, "closures" | "hints">) {
  return {
    /** Begins a deletion, or takes an unfinished one up again: with the alias that stands in what it has changed by then. */
    async begin(uid: string, now: Date): Promise<ClosureDoc> {
      const until = new Date(now.getTime() + SETTLING_MS);
      const isUnfinished = { $eq: ["$finishedAt", null] };
      const alias = { $cond: [isUnfinished, "$alias", formerMemberId()] };
      const change = { $set: { at: now, until, alias, finishedAt: null } };
      const options = { upsert: true, returnDocument: "after" } as const;
      const closure = await closures.findOneAndUpdate({ _id: uid }, [change], options);
      if (!closure) throw new Error("an upsert returned nothing");
      return closure;
    },

    async finish({ _id, at }: ClosureDoc, now: Date): Promise<void> {
      // Not if it began anew meanwhile.
      await closures.updateOne({ _id, at }, { $set: { finishedAt: now } });
    },

    /** Deletions under way or interrupted: all, so that none that fails again and again keeps others from being found. */
    findUnfinished(): Promise<ClosureDoc[]> {
      return hints.using("closures", "unfinished", (hint) =>
        closures.find({ finishedAt: null }, { ...READ_LIMITS, ...hint }).toArray(),
      );
    },

    /** Deletions that began at or after this instant. */
    findSince(at: Date): Promise<ClosureDoc[]> {
      return hints.using("closures", "since", (hint) =>
        closures.find({ at: { $gte: at } }, { ...READ_LIMITS, ...hint }).toArray(),
      );
    },
  };
}

/** Takes somebody out of one kind of document. @returns how many of those were theirs. */
export type EraseStep = (closure: ClosureDoc, now: Date) => Promise<number>;

/** Which sessions are over because their account was deleted, as this instance knows. */
export type ClosedSessions = {
  add(closure: Pick<ClosureDoc, "_id" | "at" | "until">): void;
  /** Is this session older than the deletion of its account? */
  has(user: { uid: string; loggedInAt: Date }): Promise<boolean>;
};

// Clocks of instances differ.
const OVERLAP_MS = 60_000;
// Tokens live an hour.
const KEPT = { ttl: 6 * 3_600_000, max: 100_000 };

/**
 * Follows the deletions of all instances, so that sessions of a deleted account end in other tabs and on other devices:
 * their tokens stay genuine for up to an hour, and what they wrote would bring back what was just erased.
 * @param changes tells of them at once; without it they are known a few seconds later.
 */
export function closedSessions(
  store: Pick<ClosureStore, "findSince">,
  changes?: Pick<ChangeFeed, "onChange">,
): ClosedSessions {
  const closedUntil = new LRUCache<string, Date>(KEPT);
  let latest = OVERLAP_MS;

  const add: ClosedSessions["add"] = ({ _id, at, until }) => {
    closedUntil.set(_id, until);
    latest = Math.max(latest, at.getTime());
  };
  // What others closed is known here some seconds later, which SETTLING_MS allows for.
  const refresh = refreshOnChange("closures", changes, async () => {
    for (const closure of await store.findSince(new Date(latest - OVERLAP_MS))) add(closure);
  });

  return {
    add,
    async has({ uid, loggedInAt }) {
      await refresh();
      const until = closedUntil.get(uid);
      return until !== undefined && loggedInAt < until;
    },
  };
}
