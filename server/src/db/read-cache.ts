import { LRUCache } from "lru-cache";
import type { ChangeFeed } from "./change-feed.ts";
import { runDetached } from "./transaction.ts";

/** Shares reads between callers, whether they ask at the same time or a moment later. */
export type ReadCache = {
  /**
   * Returns the cached value of the key, or else what `load` returns.
   * @param key names everything the value depends on.
   * @param options.sizeOf the size of a value in bytes.
   * @param options.allowStale caches the value even while the change feed is down, when it may be up to two seconds out
   *   of date, so that a database in trouble does not compute the same count over and over.
   * @param options.bidsOf the ids of the tasks whose bids the value depends on; if undefined, it may depend on any.
   */
  read<T>(key: string, load: () => Promise<T>, options?: ReadOptions<T>): Promise<T>;
  /**
   * Runs a write and then, whether it succeeded or failed, drops the values it may have changed.
   * @param options.bidsOf the id of the task, if only its bids and their count are written; otherwise everything is
   *   dropped.
   */
  invalidateAfter<T>(write: () => Promise<T>, options?: { bidsOf?: string }): Promise<T>;
};

type ReadOptions<T> = {
  sizeOf?: (value: T) => number;
  allowStale?: boolean;
  bidsOf?: (value: T) => readonly string[] | undefined;
};
type Entry = { value: Promise<unknown>; bidsOf?: readonly string[] | undefined };

const LIMITS = { ttl: 2_000, max: 500, maxSize: 16 * 1024 * 1024 } as const;

/**
 * Caches reads until something is written.
 *
 * Guarantees: a read that begins after a write of this instance was acknowledged sees that write. Writes of other
 * instances empty the cache through the change feed within milliseconds; while the feed is down, only values that may
 * be stale are cached; and no value is cached for more than two seconds. Signed-in users must see their own writes
 * through any instance, so their reads bypass the cache, except for the counts of lists and the records of clients.
 *
 * The most frequent change is a task's number of bids, which drops only the values that depend on it. (The order of the
 * featured tasks, by bids, may therefore be two seconds old.) Every other write empties the whole cache: working out
 * which pages a task appears on would be error-prone. A value that is being loaded during a write reaches its waiting
 * callers but is not cached, and later callers cannot join it, because its entry is gone. (lru-cache's own `fetch`
 * would cache it or reject the callers, so the entries here are promises.)
 *
 * @param feed without one, only values that may be stale are cached.
 */
export function createReadCache(feed?: Pick<ChangeFeed, "isLive" | "onChange">): ReadCache {
  const entries = new LRUCache<string, Entry>({
    ...LIMITS,
    perf: { now: () => performance.now() },
  });
  /** Values that are still loading may depend on any task's bids. */
  function forget(bidsOf: string | undefined): void {
    if (bidsOf === undefined) entries.clear();
    else
      for (const [key, entry] of [...entries.entries()])
        if (!entry.bidsOf || entry.bidsOf.includes(bidsOf)) entries.delete(key);
  }
  feed?.onChange((change) => {
    if (change?.collection === "tasks") forget(change.onlyBids ? change.id : undefined);
    else if (!change || change.collection === "people") forget(undefined);
  });

  return {
    read<T>(
      key: string,
      load: () => Promise<T>,
      { sizeOf, allowStale, bidsOf }: ReadOptions<T> = {},
    ): Promise<T> {
      if (!allowStale && !feed?.isLive()) return load();
      const kept = entries.get(key);
      if (kept) return kept.value as Promise<T>;

      // Others may wait for it too, so it outlives the request that began it.
      const value = runDetached(load);
      entries.set(key, { value }, { size: key.length });
      const isKept = () => entries.peek(key)?.value === value;
      value.then(
        (loaded) => {
          const size = key.length + (sizeOf?.(loaded) ?? 0);
          if (isKept()) entries.set(key, { value, bidsOf: bidsOf?.(loaded) }, { size, noUpdateTTL: true });
        },
        () => void (isKept() && entries.delete(key)),
      );
      return value;
    },

    async invalidateAfter(write, { bidsOf } = {}) {
      try {
        return await write();
      } finally {
        // Even after an error, when the write may have happened.
        forget(bidsOf);
      }
    },
  };
}
