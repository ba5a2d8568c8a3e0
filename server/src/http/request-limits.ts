import { isIPv6 } from "node:net";
import type { Request, Response } from "express";
import type { User } from "../auth/token-verifier.ts";
import { ProblemError } from "./problem.ts";
import {
  type RateCounts,
  type RateLimit,
  type RateLimitResult,
  type RatePolicy,
  rateLimit,
} from "./rate-limit.ts";

/** What costs more than a page of tasks, and is therefore limited for each person and each address. */
export type Cost = "write" | "search" | "list";

const MINUTE_S = 60;

/**
 * How much one person, and one address, may do in a minute. An address may be an office or a school: it gets several
 * people's share. `reads` is every request of an address, counted in memory by each instance: it only stops floods.
 */
const RATE_POLICIES = {
  reads: { name: "reads-address", points: 3_000, windowS: MINUTE_S },
  user: {
    write: { name: "writes", points: 120, windowS: MINUTE_S },
    search: { name: "searches", points: 180, windowS: MINUTE_S },
    list: { name: "lists", points: 30, windowS: MINUTE_S },
  },
  address: {
    write: { name: "writes-address", points: 600, windowS: MINUTE_S },
    search: { name: "searches-address", points: 600, windowS: MINUTE_S },
    list: { name: "lists-address", points: 90, windowS: MINUTE_S },
  },
} as const satisfies {
  reads: RatePolicy;
  user: Record<Cost, RatePolicy>;
  address: Record<Cost, RatePolicy>;
};

type Policies = { reads: RatePolicy; user: Record<Cost, RatePolicy>; address: Record<Cost, RatePolicy> };

/** Both throw `too-many-requests` (429). `byAddress` is asked before a token is looked at, `byUser` after. */
export type RateLimits = {
  byAddress(request: Request, response: Response): Promise<void>;
  byUser(request: Request, response: Response, user: User): Promise<void>;
};

/**
 * Limits requests for each address and each signed-in person, on all instances together (RateLimit header fields,
 * draft-ietf-httpapi-ratelimit-headers). Plain reads carry no such fields: nobody gets near their limit by reading.
 * @throws {ProblemError} `too-many-requests` (429) with `Retry-After`.
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
    list: shared(of.list),
  });
  const reads = rateLimit(policies.reads);
  const address = each(policies.address);
  const user = each(policies.user);
  return {
    async byAddress(request, response) {
      const key = addressKey(request.ip);
      const reading = await reads.consume(key);
      if (!reading.allowed) tell(reading, response);
      const cost = costOf(request);
      if (cost) tell(await address[cost].consume(key), response);
    },
    async byUser(request, response, { uid }) {
      const cost = costOf(request);
      if (cost) tell(await user[cost].consume(uid), response);
    },
  };
}

/** Says how the caller stands to the limit, and refuses who is over it. */
function tell({ policy, used, allowed, msLeft }: RateLimitResult, response: Response): void {
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
// All that a person has, in one response.
const WHOLE = /^\/me\/(?:export|[a-z]+\.csv)\/?$/i;
const SITEMAP = /^\/sitemap[a-z-]*\.xml\/?$/i;
const FEED = /^\/tasks\.atom\/?$/i;
const LIST = /^\/tasks\/?$/i;

/**
 * What a request costs beyond a plain read: `write`; `list` for a response without end (`GET /tasks` without `limit`,
 * exports and sitemaps); `search` for a search. A preflight costs nothing, and neither does a page or a single task.
 */
export function costOf(request: Pick<Request, "method" | "query" | "baseUrl" | "path">): Cost | undefined {
  if (request.method === "OPTIONS") return undefined;
  if (!READS.has(request.method)) return "write";
  // What the router goes by: as it was sent, an address may be absolute or have a fragment.
  const path = request.baseUrl + request.path;
  if (WHOLE.test(path) || SITEMAP.test(path)) return "list";
  const isFeed = FEED.test(path);
  if (!isFeed && !LIST.test(path)) return undefined;
  // Empty counts as absent, as for the endpoint.
  const { limit, search } = request.query;
  if (!limit && !isFeed) return "list";
  return search ? "search" : undefined;
}

/**
 * What stands for "one address": an IPv4 address, or the /64 network of an IPv6 one, because a single customer has all
 * of it and would else have as many addresses as they like.
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

// The last 32 bits may be written as an IPv4 address, which takes the room of two groups.
function groupsOf(text: string): string[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => (group.includes(".") ? [group, group] : group));
}
