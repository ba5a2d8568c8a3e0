import { LRUCache } from "lru-cache";
import { runDetached } from "./transaction.ts";

/**
 * Returns the copy under this key, or else what `load` returns, which others get too if they ask at the same time or
 * within the next second.
 * @param key names everything the value depends on.
 * @param sizeOf the size of a value in bytes.
 */
export type ReadCache = <T>(key: string, load: () => Promise<T>, sizeOf?: (value: T) => number) => Promise<T>;

export const CACHE_MS = 1_000;
const LIMITS = { max: 500, maxSize: 16 * 1024 * 1024 } as const;

/**
 * Keeps copies of what everybody sees alike: the responses to anonymous visitors, and a few figures. Nothing removes a
 * copy before its time, so what it shows is up to a second old, and writing costs nothing. Signed-in people, who must see
 * their own writes, read the database.
 * @param ttlMs how long a copy lives; 0 keeps none.
 */
export function createReadCache(ttlMs = CACHE_MS): ReadCache {
  if (ttlMs === 0) return (_key, load) => load();
  // Promises, so that those who ask while a value is being read wait for it. In objects of their own, since lru-cache
  // updates the size of another value only.
  const copies = new LRUCache<string, { value: Promise<unknown> }>({
    ...LIMITS,
    ttl: ttlMs,
    perf: { now: () => performance.now() },
  });
  return <T>(key: string, load: () => Promise<T>, sizeOf?: (value: T) => number): Promise<T> => {
    const kept = copies.get(key);
    if (kept) return kept.value as Promise<T>;
    // It outlives the request that began it.
    const value = runDetached(load);
    copies.set(key, { value }, { size: key.length });
    const isKept = () => copies.peek(key)?.value === value;
    value.then(
      (loaded) => {
        const size = key.length + (sizeOf?.(loaded) ?? 0);
        if (isKept()) copies.set(key, { value }, { size, noUpdateTTL: true });
      },
      () => void (isKept() && copies.delete(key)),
    );
    return value;
  };
}
