import { setTimeout as sleep } from "node:timers/promises";
import type { Request, Response } from "express";
import { LRUCache } from "lru-cache";
import type { User } from "../auth/token-verifier.ts";
import { UPLOADS_PATH } from "../contract/index.ts";
import { ProblemError } from "../domain/problem-error.ts";
import { addressKey } from "./connections.ts";

/** Allows `points` requests in a window of `windowS` seconds, which begins with the first request. */
export type RatePolicy = { name: string; points: number; windowS: number };

/** The state of a limit after a request; `used` includes that request. */
type RateLimitResult = { policy: RatePolicy; used: number; allowed: boolean; msLeft: number };

/** A limit for any number of keys (people, addresses). */
type RateLimit = {
  /** Consumes one point of the key's window. Never fails. */
  consume(key: string): Promise<RateLimitResult>;
};

/** Counts shared by all instances. */
export type RateCounts = {
  /**
   * Adds to the count of a key and returns the new count, and how long the window still lasts.
   * @param msLeft how long the window lasts if this call starts it.
   * @throws a MongoDB error, at the latest when the count times out.
   */
  add(
    policy: RatePolicy,
    key: string,
    points: number,
    msLeft: number,
  ): Promise<{ count: number; msLeft: number }>;
  close(): Promise<void>;
};

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
    add?: RateCounts["add"] | undefined;
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

/** Kinds of requests that cost more than a page of tasks, and are therefore limited per person and per address. */
type Cost = "write" | "search" | "overview" | "list";

type Policies = { reads: RatePolicy; user: Record<Cost, RatePolicy>; address: Record<Cost, RatePolicy> };

const perMinute = (name: string, points: number): RatePolicy => ({ name, points, windowS: 60 });

/**
 * Limits per minute for one person and one address. An address may be an office or a school, so it gets more than a
 * person. `reads` limits all requests of an address, counted in memory by each instance; it only stops floods.
 */
const RATE_POLICIES: Policies = {
  reads: perMinute("reads-address", 3_000),
  user: {
    write: perMinute("writes", 120),
    search: perMinute("searches", 180),
    overview: perMinute("overviews", 60),
    list: perMinute("lists", 30),
  },
  address: {
    write: perMinute("writes-address", 600),
    search: perMinute("searches-address", 600),
    overview: perMinute("overviews-address", 300),
    list: perMinute("lists-address", 90),
  },
};

/** Both throw `too-many-requests` (429). `byAddress` runs before authentication, `byUser` afterwards. */
export type RateLimits = {
  byAddress(request: Request, response: Response): Promise<void>;
  byUser(request: Request, response: Response, user: User): Promise<void>;
};

/**
 * Limits requests per address and per signed-in person, on all instances together. Responses have the RateLimit fields
 * of draft-ietf-httpapi-ratelimit-headers, except for plain reads, whose limit no ordinary client reaches.
 */
export function rateLimits(
  counts: Pick<RateCounts, "add">,
  {
    policies = RATE_POLICIES,
    ...options
  }: { onFailure?: (error: unknown) => void; policies?: Policies; maxWaitMs?: number } = {},
): RateLimits {
  const shared = (policy: RatePolicy) => rateLimit(policy, { add: counts.add, ...options });
  const each = (of: Record<Cost, RatePolicy>): Record<Cost, RateLimit> => ({
    write: shared(of.write),
    search: shared(of.search),
    overview: shared(of.overview),
    list: shared(of.list),
  });
  const reads = rateLimit(policies.reads);
  const address = each(policies.address);
  const user = each(policies.user);
  return {
    async byAddress(request, response) {
      const key = addressKey(request.ip);
      const reading = await reads.consume(key);
      if (!reading.allowed) enforce(reading, response);
      const cost = costOf(request);
      if (cost) enforce(await address[cost].consume(key), response);
    },
    async byUser(request, response, { uid }) {
      const cost = costOf(request);
      if (cost) enforce(await user[cost].consume(uid), response);
    },
  };
}

/** Sets the RateLimit headers. @throws {ProblemError} `too-many-requests` with `Retry-After` above the limit. */
function enforce({ policy, used, allowed, msLeft }: RateLimitResult, response: Response): void {
  const left = Math.max(0, policy.points - used);
  const wait = Math.ceil(msLeft / 1_000);
  response.append("RateLimit-Policy", `"${policy.name}";q=${policy.points};w=${policy.windowS}`);
  response.append("RateLimit", `"${policy.name}";r=${left};t=${wait}`);
  if (allowed) return;
  const retryAfter = Math.max(1, wait);
  throw new ProblemError("too-many-requests", {
    detail: `That was a lot in a short time. Please try again in ${retryAfter} ${retryAfter === 1 ? "second" : "seconds"}.`,
    headers: { "Retry-After": String(retryAfter) },
  });
}

const READS = new Set(["GET", "HEAD"]);
// A person's data, a sitemap, or the description of the whole API.
const WHOLE = /^\/(?:me\/export|me\/[a-z]+\.(?:csv|zip)|sitemap[a-z-]*\.xml|openapi\.json)\/?$/i;
const OVERVIEW = /^\/me\/overview\/?$/i;
const FEED = /^\/tasks\.atom\/?$/i;
const LIST = /^\/tasks\/?$/i;

/**
 * The kind of cost of a request: `write`; `list` for large responses (`GET /tasks` without `limit`, exports, sitemaps
 * and the OpenAPI document); `search`; `overview` for the dashboard's statistics; undefined for everything else, such as
 * a page of tasks, a single task or a preflight.
 */
export function costOf(request: Pick<Request, "method" | "query" | "baseUrl" | "path">): Cost | undefined {
  if (request.method === "OPTIONS") return undefined;
  // The path that the router uses: the request target itself may be absolute or have a fragment.
  const path = request.baseUrl + request.path;
  // A file arrives in many requests; their bytes are limited.
  if (request.method === "PATCH" && path.startsWith(`${UPLOADS_PATH}/`)) return undefined;
  if (!READS.has(request.method)) return "write";
  if (WHOLE.test(path)) return "list";
  if (OVERVIEW.test(path)) return "overview";
  const isFeed = FEED.test(path);
  if (!isFeed && !LIST.test(path)) return undefined;
  // An empty parameter counts as absent, as in the endpoint itself.
  const { limit, search } = request.query;
  if (!limit && !isFeed) return "list";
  return search ? "search" : undefined;
}
