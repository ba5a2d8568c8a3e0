import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";

/** Allows `points` requests in a window of `windowS` seconds, which begins with the first request. */
export type RatePolicy = { name: string; points: number; windowS: number };

/** The number of requests in the current window on all instances together, and how long the window still lasts. */
type RateCount = { count: number; msLeft: number };

/** The state of a limit after a request; `used` includes that request. */
export type RateLimitResult = { policy: RatePolicy; used: number; allowed: boolean; msLeft: number };

/** A limit for any number of keys (people, addresses). */
export type RateLimit = {
  /** Consumes one point of the key's window. Never fails. */
  consume(key: string): Promise<RateLimitResult>;
};

/** Counts shared by all instances. */
export type RateCounts = {
  /**
   * Adds to the count of a key and returns the new count.
   * @param msLeft how long the window lasts if this call starts it.
   * @throws a MongoDB error, at the latest when the count times out.
   */
  add(policy: RatePolicy, key: string, points: number, msLeft: number): Promise<RateCount>;
  close(): Promise<void>;
};

type Add = RateCounts["add"];

/**
 * What this instance knows about a key's window. `used` includes requests of other instances, as of the last report to
 * the database; `unreported` is the number of this instance's requests since then.
 */
type Window = { used: number; unreported: number; endsAt: number };

/** Up to this share of a window's points, requests are counted in memory only. */
const LOCAL_SHARE = 1 / 4;

/** How long a request waits for the shared count, in ms. */
const MAX_WAIT_MS = 300;
/** How long the shared count is not used after a failure, in ms. */
const RETRY_AFTER_MS = 1_000;
const MAX_KEYS = 50_000;
/** Ends of the same window differ by the latency of the database, in ms. */
const SAME_WINDOW_MS = 1_000;

/**
 * A limit shared by all instances. The first quarter of a window is counted in memory; after that, each request waits
 * until the database has counted it, because counting all of them there cost up to half of the write throughput. So N
 * instances let at most N - 1 quarters more pass than one would. Keys over their limit are refused from memory until
 * the window ends, so a flood causes no writes. While the database is unavailable, each instance limits by what it has
 * seen itself. (rate-limiter-flexible's in-memory block and insurance limiter are not used: the insurance hides
 * failures and forgets earlier counts, and with the block every request would wait.)
 * @param options.add the shared counts; without them the limit is this instance's own.
 * @param options.maxWaitMs after this a request proceeds without the shared count.
 * @param options.onFailure called once per outage of the shared counts.
 */
export function rateLimit(
  policy: RatePolicy,
  options: {
    add?: Add | undefined;
    maxWaitMs?: number;
    onFailure?: (error: unknown) => void;
    now?: () => number;
  } = {},
): RateLimit {
  const { add, maxWaitMs = MAX_WAIT_MS, onFailure, now = () => performance.now() } = options;
  const { points } = policy;
  const lengthMs = policy.windowS * 1_000;
  const limits = { max: MAX_KEYS, ttl: lengthMs, perf: { now } };
  const open = new LRUCache<string, Window>(limits);
  // Kept apart, so that a flood of new keys cannot evict a refused one. To get here, a key has to use up its limit.
  const usedUp = new LRUCache<string, Window>(limits);
  let failedAt: number | undefined;

  function windowOf(key: string): Window {
    const found = usedUp.get(key) ?? open.get(key);
    if (found && found.endsAt > now()) return found;
    const window = { used: 0, unreported: 0, endsAt: now() + lengthMs };
    usedUp.delete(key);
    open.set(key, window);
    return window;
  }

  /** Reports unreported requests. @returns the shared count, or undefined if it is unavailable. */
  async function count(key: string, window: Window): Promise<number | undefined> {
    if (!add || (failedAt !== undefined && now() - failedAt < RETRY_AFTER_MS)) return undefined;
    const reported = window.unreported;
    window.unreported = 0;
    try {
      const { count, msLeft } = await add(policy, key, reported, window.endsAt - now());
      failedAt = undefined;
      const endsAt = now() + Math.min(msLeft, lengthMs);
      const isNext = endsAt > window.endsAt + SAME_WINDOW_MS;
      window.used = isNext ? count : Math.max(window.used, count);
      window.endsAt = endsAt;
      return count;
    } catch (error) {
      if (failedAt === undefined) onFailure?.(error);
      failedAt = now();
      window.unreported += reported;
      return undefined;
    }
  }

  return {
    async consume(key) {
      const window = windowOf(key);
      let used = window.used + 1;
      if (used <= points) {
        window.used = used;
        window.unreported += 1;
        if (add && used > points * LOCAL_SHARE) {
          const counted = await Promise.race([count(key, window), sleep(maxWaitMs, 0, { ref: false })]);
          used = Math.max(used, counted ?? 0);
        }
      }
      if (used >= points) usedUp.set(key, window);
      return { policy, used, allowed: used <= points, msLeft: Math.max(0, window.endsAt - now()) };
    },
  };
}
