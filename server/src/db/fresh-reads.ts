import type { ChangeFeed } from "./change-feed.ts";

/** Reads that may be shared: by callers who ask at the same time, and by those who ask a moment later. */
export type FreshReads = {
  /**
   * What `load` gives, or gave a moment ago for the same key, if nothing was written since.
   * @param key names everything that the value depends on.
   * @param options.weigh how many bytes a value keeps in memory.
   * @param options.roughly the value may miss what others wrote in the last two seconds while nothing tells of it: a
   *   database in trouble is not asked to count the same again and again.
   */
  read<T>(key: string, load: () => Promise<T>, options?: ReadOptions<T>): Promise<T>;
  /** Runs a write, and forgets everything when it is done or failed, before its caller learns of it. */
  writing<T>(write: () => Promise<T>): Promise<T>;
};

type ReadOptions<T> = { weigh?: (value: T) => number; roughly?: boolean };

type Entry = { value: Promise<unknown>; loadedAt: number; weight: number };

const MAX_AGE_MS = 2_000;
const MAX_ENTRIES = 500;
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Keeps what was read until something is written.
 *
 * What it promises: a read that begins after a write of this instance was acknowledged sees that write. Writes of other
 * instances empty it through the change feed, some milliseconds after they are acknowledged; while the feed is silent
 * nothing is kept or shared at all; and nothing is ever older than two seconds, whatever happens to the feed.
 * So whoever must see a write of theirs through every instance at once asks past this (signed-in reads all do).
 *
 * A write empties everything rather than what it touches: reads are cheap, and a rule about which task stands on which
 * page would be wrong one day. A value that was being loaded meanwhile reaches those who wait for it and is not kept,
 * since its entry is gone; and nobody who asks after the write can join it, for the same reason.
 *
 * @param feed without one, nothing is kept but what may be rough.
 */
export function freshReads(feed?: Pick<ChangeFeed, "isLive" | "onChange">): FreshReads {
  const entries = new Map<string, Entry>();
  let bytes = 0;

  const forgetAll = () => {
    entries.clear();
    bytes = 0;
  };
  const forget = (key: string, entry: Entry) => {
    if (entries.get(key) !== entry) return;
    entries.delete(key);
    bytes -= entry.weight;
  };
  feed?.onChange((change) => {
    if (!change || change.collection === "tasks") forgetAll();
  });

  return {
    read<T>(key: string, load: () => Promise<T>, { weigh, roughly }: ReadOptions<T> = {}): Promise<T> {
      if (!roughly && !feed?.isLive()) return load();
      const now = performance.now();
      const kept = entries.get(key);
      if (kept && now - kept.loadedAt < MAX_AGE_MS) return kept.value as Promise<T>;
      if (kept) forget(key, kept);

      const value = load();
      const entry: Entry = { value, loadedAt: now, weight: 0 };
      entries.set(key, entry);
      value.then(
        (loaded) => {
          if (entries.get(key) !== entry) return;
          entry.weight = key.length + (weigh?.(loaded) ?? 0);
          bytes += entry.weight;
          makeRoom();
        },
        () => forget(key, entry),
      );
      return value;
    },

    async writing(write) {
      try {
        return await write();
      } finally {
        // Also after an error: nobody knows then whether the write happened.
        forgetAll();
      }
    },
  };

  // The oldest go first: at two seconds of age it hardly matters which.
  function makeRoom(): void {
    for (const [key, entry] of entries) {
      if (entries.size <= MAX_ENTRIES && bytes <= MAX_BYTES) return;
      forget(key, entry);
    }
  }
}
