import { LRUCache } from "lru-cache";
import type { ChangeFeed } from "../../db/change-feed.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { ClosureDoc } from "../../db/documents/people.ts";
import { formerMemberId } from "../../db/notices.ts";
import { refreshOnChange } from "../../db/read-cache.ts";

export type ClosureStore = ReturnType<typeof closureStore>;

// Longer than the slowest request plus the delay until other instances learn of a closure.
const SETTLING_MS = 20_000;

/** Records which accounts were recently deleted. */
export function closureStore({ closures, hints }: Pick<Database, "closures" | "hints">) {
  return {
    /** Begins a deletion, or resumes an unfinished one with the alias that it has already written into documents. */
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
      // Unless it was started again in the meantime.
      await closures.updateOne({ _id, at }, { $set: { finishedAt: now } });
    },

    /** All deletions in progress or interrupted. Without a limit: those that keep failing must not hide the others. */
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

/** Erases a person from one kind of document. @returns how many documents were changed. */
export type EraseStep = (closure: ClosureDoc, now: Date) => Promise<number>;

/** The sessions that ended because their account was deleted, as far as this instance knows. */
export type ClosedSessions = {
  add(closure: Pick<ClosureDoc, "_id" | "at" | "until">): void;
  /** Whether the session began before its account was deleted. */
  has(user: { uid: string; loggedInAt: Date }): Promise<boolean>;
};

// Allows for clock skew between instances: one that is ahead by more accepts no tokens, which are valid for an hour.
const OVERLAP_MS = 3_600_000;
// Tokens are valid for one hour.
const CACHE_OPTIONS = { ttl: 6 * 3_600_000, max: 100_000 };

/**
 * Tracks deletions on all instances, so that a deleted account's sessions also end in other tabs and on other devices:
 * their tokens stay valid for up to an hour, and their writes would recreate what was just erased.
 * @param changes reports deletions immediately; without it they are noticed a few seconds later.
 */
export function closedSessions(
  store: Pick<ClosureStore, "findSince">,
  changes?: Pick<ChangeFeed, "onChange">,
): ClosedSessions {
  const closedUntil = new LRUCache<string, Date>(CACHE_OPTIONS);
  let latest = OVERLAP_MS;

  const add: ClosedSessions["add"] = ({ _id, at, until }) => {
    closedUntil.set(_id, until);
    latest = Math.max(latest, at.getTime());
  };
  // Deletions on other instances may be noticed a few seconds late, which SETTLING_MS allows for.
  const refresh = refreshOnChange("closures", changes, async () => {
    // A deletion dated by a clock that is ahead must not hide later ones.
    const since = Math.min(latest, Date.now()) - OVERLAP_MS;
    for (const closure of await store.findSince(new Date(since))) add(closure);
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
