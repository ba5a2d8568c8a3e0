import { isIPv6 } from "node:net";
import type { Request, Response } from "express";
import type { User } from "../auth/token-verifier.ts";
import { UPLOADS_PATH } from "../contract/index.ts";
import { ProblemError } from "../domain/problem-error.ts";
import {
  type RateCounts,
  type RateLimit,
  type RateLimitResult,
  type RatePolicy,
  rateLimit,
} from "./rate-limit.ts";

/** Kinds of requests that cost more than a page of tasks, and are therefore limited per person and per address. */
export type Cost = "write" | "search" | "overview" | "list";

const MINUTE_S = 60;

/**
 * Limits per minute for one person and one address. An address may be an office or a school, so it gets more than a
 * person. `reads` limits all requests of an address, counted in memory by each instance; it only stops floods.
 */
const RATE_POLICIES = {
  reads: { name: "reads-address", points: 3_000, windowS: MINUTE_S },
  user: {
    write: { name: "writes", points: 120, windowS: MINUTE_S },
    search: { name: "searches", points: 180, windowS: MINUTE_S },
    overview: { name: "overviews", points: 60, windowS: MINUTE_S },
    list: { name: "lists", points: 30, windowS: MINUTE_S },
  },
  address: {
    write: { name: "writes-address", points: 600, windowS: MINUTE_S },
    search: { name: "searches-address", points: 600, windowS: MINUTE_S },
    overview: { name: "overviews-address", points: 300, windowS: MINUTE_S },
    list: { name: "lists-address", points: 90, windowS: MINUTE_S },
  },
} as const satisfies {
  reads: RatePolicy;
  user: Record<Cost, RatePolicy>;
  address: Record<Cost, RatePolicy>;
};

type Policies = { reads: RatePolicy; user: Record<Cost, RatePolicy>; address: Record<Cost, RatePolicy> };

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

/**
 * The key for limits per address: an IPv4 address, or the /64 network of an IPv6 address, because a single customer
 * controls a whole network and could otherwise use any number of addresses.
 */
export function addressKey(ip: string | undefined): string {
  if (ip === undefined) return "unknown";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(ip)) return ip;
  const [head = "", tail = ""] = ip.toLowerCase().split("::", 2);
  const [left, right] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array<string>(8 - left.length - right.length).fill("0");
  return `${[...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

// The last 32 bits may be written as an IPv4 address, which counts as two groups.
function groupsOf(text: string): string[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => (group.includes(".") ? [group, group] : group));
}
