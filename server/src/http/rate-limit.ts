import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";

/** What may be done how often: `points` in a window of `windowS` seconds, which begins with the first of them. */
export type RatePolicy = { name: string; points: number; windowS: number };

/** How often something was done in the present window, on all instances together, and how long the window lasts. */
type RateCount = { count: number; msLeft: number };

/** The state of a limit after one more request; `used` counts from 1 within the window. */
export type RateLimitResult = { policy: RatePolicy; used: number; allowed: boolean; msLeft: number };

/** One limit, for any number of keys (people, addresses). */
export type RateLimit = {
  /** Takes one point of the key's window. Never fails. */
  consume(key: string): Promise<RateLimitResult>;
};

/** Counts that all instances share. */
export type RateCounts = {
  /**
   * Adds to the count of a key and returns it.
   * @param msLeft how long the window lasts if this begins it.
   * @throws a MongoDB error within about the time limit.
   */
  add(policy: RatePolicy, key: string, points: number, msLeft: number): Promise<RateCount>;
  close(): Promise<void>;
};

type Add = RateCounts["add"];

/**
 * What this instance knows of a key's window: its own requests, and those of others that the database told of.
 * `unreported` are those of its own that the database does not know of yet.
 */
type Window = { used: number; unreported: number; endsAt: number };

/** Up to this share of a window's points an instance counts for itself. */
const OWN_SHARE = 1 / 4;

/** For so long a request waits for the shared count, and after a failure nobody asks for one, in ms. */
const MAX_WAIT_MS = 300;
const PAUSE_MS = 1_000;
const MAX_KEYS = 50_000;
/** Answers of the database about one window differ by what they take on their way. */
const SAME_WINDOW_MS = 1_000;

/**
 * A limit whose counts are shared, and which hardly costs a request anything: the first quarter of a window is counted in
 * memory, and from then on each request is counted in the database before it goes on, the first of them with all before it.
 * (Counting everything there took up to half of the writes that are possible in a second.) So N instances let at most N - 1
 * quarters more pass than one would. Who is over the limit is refused from memory until their window ends, so a flood
 * writes nothing. While the counts cannot be had, each instance limits by what it has seen itself. (rate-limiter-flexible
 * counts, but its own in-memory block and insurance are not used: the insurance forgets what was counted before a failure
 * and hides the failure, and the block would make every request wait.)
 * @param options.add the shared counts; without them the limit is this instance's own.
 * @param options.maxWaitMs after which a request goes on without the shared count.
 * @param options.onFailure hears, once for each break, that the shared counts cannot be had.
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
  // Apart, so that no crowd of new keys makes a refusal forgotten: each of these costs as many requests as the limit says.
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

  /** Reports what the database does not know yet. @returns the count of all, or undefined if that cannot be had. */
  async function count(key: string, window: Window): Promise<number | undefined> {
    if (!add || (failedAt !== undefined && now() - failedAt < PAUSE_MS)) return undefined;
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
        if (add && used > points * OWN_SHARE) {
          const counted = await Promise.race([count(key, window), sleep(maxWaitMs, 0, { ref: false })]);
          used = Math.max(used, counted ?? 0);
        }
      }
      if (used >= points) usedUp.set(key, window);
      return { policy, used, allowed: used <= points, msLeft: Math.max(0, window.endsAt - now()) };
    },
  };
}
