import { LRUCache } from "lru-cache";
import type { Change, ChangeFeed } from "./change-feed.ts";

/** Reads that may be shared: by callers who ask at the same time, and by those who ask a moment later. */
export type ReadCache = {
  /**
   * What `load` gives, or gave a moment ago for the same key, if nothing was written since.
   * @param key names everything that the value depends on.
   * @param options.sizeOf how many bytes a value keeps in memory.
   * @param options.allowStale the value may miss what others wrote in the last two seconds while the change feed is
   *   silent: a database in trouble is not asked to count the same again and again.
   * @param options.bidsOf the ids of the tasks whose bids the value tells of; without it, or for undefined, it may be any.
   */
  read<T>(key: string, load: () => Promise<T>, options?: ReadOptions<T>): Promise<T>;
  /**
   * Runs a write, and forgets what it may have changed when it is done or failed, before its caller learns of it.
   * @param options.bidsOf the id of the task, where nothing but its bids and their count is written; else all is forgotten.
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
 * Keeps what was read until something is written.
 *
 * What it promises: a read that begins after a write of this instance was acknowledged sees that write. Writes of other
 * instances empty it through the change feed, some milliseconds after they are acknowledged; while the feed is silent
 * nothing is kept or shared but what may be stale; and nothing is kept for more than two seconds, whatever happens to the feed.
 * So whoever must see a write of theirs through every instance at once asks past this: signed-in reads do, but for the
 * counts of lists and the records of clients.
 *
 * What changes most often is how many bids a task has, and that is forgotten where it is told. Every other write empties
 * everything rather than what it touches: a rule about which task stands on which page would be wrong one day. (The order of
 * the featured tasks, which goes by bids, may so be two seconds old.) A value that was being loaded meanwhile reaches those who wait for it and is not kept,
 * since its entry is gone; and nobody who asks after the write can join it, for the same reason. (That is why promises are
 * kept: lru-cache's own `fetch` keeps what it loaded, or rejects those who wait.)
 *
 * @param feed without one, nothing is kept but what may be stale.
 */
export function createReadCache(feed?: Pick<ChangeFeed, "isLive" | "onChange">): ReadCache {
  const entries = new LRUCache<string, Entry>({
    ...LIMITS,
    perf: { now: () => performance.now() },
  });
  /** What is still being loaded may tell of any task. */
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

      const value = load();
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
        // Also after an error: nobody knows then whether the write happened.
        forget(bidsOf);
      }
    },
  };
}

/** What other instances wrote is known here at most this much later; one small read in that time. */
const REFRESH_MS = 5_000;

/**
 * Keeps what this instance holds of a collection in memory fresh.
 * @param changes tells of changes at once; without it they are known a few seconds later.
 * @param read reads what changed since the last time.
 * @returns resolves when what is held is fresh; mostly at once.
 */
export function refreshOnChange(
  collection: Change["collection"],
  changes: Pick<ChangeFeed, "onChange"> | undefined,
  read: () => Promise<void>,
): () => Promise<void> {
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let changedAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;
  changes?.onChange((change) => {
    if (!change || change.collection === collection) changedAt = performance.now();
  });
  const isStale = () => performance.now() - refreshedAt > REFRESH_MS || refreshedAt <= changedAt;

  async function refresh(): Promise<void> {
    const began = performance.now();
    await read();
    refreshedAt = began;
  }

  return async () => {
    // Once more if something changed while it was read, but never without end.
    for (let time = 0; time < 2 && isStale(); time++) {
      refreshing ??= refresh().finally(() => {
        refreshing = undefined;
      });
      await refreshing;
    }
  };
}
