import type { RateCount, RatePolicy } from "../../db/rate-counts.ts";
import { rememberWindows } from "./windows.ts";

/** How somebody stands to a limit after one more request. `place` counts from 1 within the window. */
export type Standing = { policy: RatePolicy; place: number; allowed: boolean; msLeft: number };

/** One limit, for any number of keys (people, addresses). */
export type RateLimit = {
  /** Takes one point of the key's window. Never fails. */
  take(key: string): Promise<Standing>;
};

type Add = (policy: RatePolicy, key: string, points: number) => Promise<RateCount>;

type Batch = { points: number; sent: Promise<number | undefined> };

/** What is known of a key's window: `count` with all that the database answered, `own` is on the way to it. */
type Window = { count: number; own: number; endsAt: number; sending?: Batch | undefined; next?: Batch };

const PATIENCE_MS = 300;
const PAUSE_MS = 1_000;
const MOST_WINDOWS = 50_000;

/**
 * A limit whose counts are shared, and which hardly costs a request anything. The first half of a window is counted in
 * the database behind the requests, and only the second half before they go on; requests that arrive while a count is on
 * its way share the next one. Who is over the limit is refused from memory until their window ends, so a flood writes
 * nothing. While the counts cannot be had, each instance limits by what it has seen itself.
 * @param options.add the shared counts; without them the limit is this instance's own.
 * @param options.onFailure hears, once for each break, that the shared counts cannot be had.
 */
export function rateLimit(
  policy: RatePolicy,
  options: { add?: Add | undefined; onFailure?: (error: unknown) => void; now?: () => number } = {},
): RateLimit {
  const { add, onFailure, now = () => performance.now() } = options;
  const lengthMs = policy.windowS * 1_000;
  const windows = rememberWindows<Window>({ most: MOST_WINDOWS, lengthMs, now });
  let failedAt: number | undefined;

  function windowOf(key: string): Window {
    const window = windows.find(key) ?? { count: 0, own: 0, endsAt: now() + lengthMs };
    // Also one that was found: who comes often stays remembered.
    windows.add(key, window);
    return window;
  }

  /** Counts the batch in the database. @returns the count with all of the batch, or undefined if it cannot be had. */
  async function send(key: string, window: Window, batch: Batch): Promise<number | undefined> {
    if (!add || (failedAt !== undefined && now() - failedAt < PAUSE_MS)) return undefined;
    try {
      const { count, msLeft } = await add(policy, key, batch.points);
      failedAt = undefined;
      window.endsAt = now() + Math.min(msLeft, lengthMs);
      return count;
    } catch (error) {
      if (failedAt === undefined) onFailure?.(error);
      failedAt = now();
      return undefined;
    }
  }

  /** @returns the batch that this request is counted with. */
  function enqueue(key: string, window: Window): Batch {
    if (window.sending && window.next) {
      window.next.points++;
      return window.next;
    }
    const before = window.sending?.sent;
    const batch: Batch = { points: 1, sent: Promise.resolve(undefined) };
    if (before !== undefined) window.next = batch;
    else window.sending = batch;
    batch.sent = (async () => {
      await before;
      window.sending = batch;
      if (window.next === batch) delete window.next;
      const count = await send(key, window, batch);
      window.count = count ?? window.count + batch.points;
      window.own -= batch.points;
      if (window.sending === batch) delete window.sending;
      return count;
    })();
    return batch;
  }

  return {
    async take(key) {
      const window = windowOf(key);
      const msLeft = () => Math.max(0, window.endsAt - now());
      const expected = window.count + window.own + 1;
      if (expected >= policy.points) windows.keep(key, window);
      if (expected > policy.points) return { policy, place: expected, allowed: false, msLeft: msLeft() };
      if (!add) {
        window.count++;
        return { policy, place: expected, allowed: true, msLeft: msLeft() };
      }
      window.own++;
      const batch = enqueue(key, window);
      const ordinal = batch.points;
      const exact = expected * 2 > policy.points ? await within(PATIENCE_MS, batch.sent) : undefined;
      const place = exact === undefined ? expected : exact - batch.points + ordinal;
      if (place >= policy.points) windows.keep(key, window);
      return { policy, place, allowed: place <= policy.points, msLeft: msLeft() };
    },
  };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([work, patience]);
  } finally {
    clearTimeout(timer);
  }
}
