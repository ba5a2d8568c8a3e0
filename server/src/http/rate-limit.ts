import type { Request, Response } from "express";
import type { Db } from "mongodb";
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from "rate-limiter-flexible";
import type { User } from "../auth/token-verifier.ts";
import { FILE_LIMITS, UPLOADS_PATH } from "../contract/index.ts";
import { ProblemError } from "../domain/problem-error.ts";
import { addressKey } from "./connections.ts";

/** Every limit allows a number of requests in a window of this length, which begins with the first one. */
const WINDOW_S = 60;

/** A limit for any number of keys (people, addresses); `points` is how many requests it allows. */
export type RateLimit = {
  name: string;
  points: number;
  /** Counts a request of this key. `left` counts the requests still allowed, and `msLeft` the rest of the window. */
  consume(key: string): Promise<{ allowed: boolean; left: number; msLeft: number }>;
};

/** A limit that each instance counts for itself, in memory. */
export function localLimit(name: string, points: number): RateLimit {
  const limiter = new RateLimiterMemory({ points, duration: WINDOW_S });
  return { name, points, consume: (key) => resultOf(limiter.consume(key)) };
}

/** Up to this share of its points, an instance counts a window in memory. */
const LOCAL_SHARE = 1 / 4;

/**
 * A limit that all instances share. Each counts the first quarter in memory, because counting all of it in the database
 * cost up to half of the write throughput; so N instances let at most N - 1 quarters more pass than one would. Keys over
 * the limit are refused from memory, so a flood causes no writes.
 */
function sharedLimit(name: string, points: number, db: Db): RateLimit {
  const local = localLimit(name, Math.floor(points * LOCAL_SHARE));
  const shared = points - local.points;
  const limiter = new RateLimiterMongo({
    storeClient: db,
    // Its indexes are declared in db/indexes.ts.
    ...{ tableName: "rateLimits", disableIndexesCreation: true, keyPrefix: name },
    ...{ points: shared, duration: WINDOW_S, inMemoryBlockOnConsumed: shared },
  });
  return {
    ...{ name, points },
    async consume(key) {
      const found = await local.consume(key);
      return found.allowed ? { ...found, left: found.left + shared } : resultOf(limiter.consume(key));
    },
  };
}

/** The library rejects with the result above the limit, and with an error if the database fails. */
async function resultOf(consuming: Promise<RateLimiterRes>): ReturnType<RateLimit["consume"]> {
  const toResult = (allowed: boolean) => (result: RateLimiterRes) => ({
    ...{ allowed, left: result.remainingPoints, msLeft: result.msBeforeNext },
  });
  return consuming.then(toResult(true), (reason: unknown) => {
    if (reason instanceof RateLimiterRes) return toResult(false)(reason);
    throw reason;
  });
}

/** Kinds of requests that cost more than a page of tasks, and are therefore limited per person and per address. */
type Cost = "write" | "search" | "overview" | "list";

/**
 * The limits of one person and one address. An address may be an office or a school, so it gets more than a person.
 * `requests` limits all requests of an address, on each instance; it only stops floods.
 */
const LIMITS = {
  requests: 3_000,
  write: { name: "writes", person: 120, address: 600 },
  search: { name: "searches", person: 180, address: 600 },
  overview: { name: "overviews", person: 60, address: 300 },
  list: { name: "lists", person: 30, address: 90 },
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
export function rateLimits(db: Db, limits = LIMITS): RateLimits {
  const requests = localLimit("reads-address", limits.requests);
  const ofCost = (cost: Cost) => {
    const { name, person, address } = limits[cost];
    return { person: sharedLimit(name, person, db), address: sharedLimit(`${name}-address`, address, db) };
  };
  const byCost = {
    write: ofCost("write"),
    search: ofCost("search"),
    overview: ofCost("overview"),
    list: ofCost("list"),
  };
  return {
    async byAddress(request, response) {
      const key = addressKey(request.ip);
      await enforce(requests, key, response, true);
      const cost = costOf(request);
      if (cost) await enforce(byCost[cost].address, key, response);
    },
    async byUser(request, response, { uid }) {
      const cost = costOf(request);
      if (cost) await enforce(byCost[cost].person, uid, response);
    },
  };
}

/**
 * Counts the request and sets the RateLimit headers, with `isQuiet` only above the limit.
 * @throws {ProblemError} `too-many-requests` with `Retry-After` above the limit.
 */
async function enforce(limit: RateLimit, key: string, response: Response, isQuiet = false): Promise<void> {
  const { allowed, left, msLeft } = await limit.consume(key);
  if (allowed && isQuiet) return;
  const wait = Math.ceil(msLeft / 1_000);
  response.append("RateLimit-Policy", `"${limit.name}";q=${limit.points};w=${WINDOW_S}`);
  response.append("RateLimit", `"${limit.name}";r=${left};t=${wait}`);
  if (allowed) return;
  const retryAfter = Math.max(1, wait);
  throw new ProblemError("too-many-requests", {
    detail: `That was a lot in a short time. Please try again in ${retryAfter} ${retryAfter === 1 ? "second" : "seconds"}.`,
    headers: { "Retry-After": String(retryAfter) },
  });
}

const READS = new Set(["GET", "HEAD"]);
// A person's data, a sitemap, or the description of the whole API; and PDFs, which take as long to write.
const WHOLE =
  /^\/(?:me\/export|me\/[a-z]+\.(?:csv|zip)|sitemap[a-z-]*\.xml|openapi\.json|tasks\/.+[./]pdf)\/?$/i;
const OVERVIEW = /^\/me\/(?:overview|recommendations)\/?$/i;
const LIST = /^\/tasks\/?$/i;
// No index has these.
const COSTLY_FILTERS = ["maxBids", "clientRating"];
const OWN_BIDS = /^\/me\/bids\/?$/i;

/**
 * The kind of cost of a request: `write`; `list` for large responses (`GET /tasks` without `limit`, exports, sitemaps,
 * PDFs and the OpenAPI document); `search` with a text to look for, or a filter that no index has; `overview` for the
 * dashboard's statistics and recommendations; undefined for everything else, such as a page of tasks, a single task or a
 * preflight.
 */
export function costOf(
  request: Pick<Request, "method" | "query" | "baseUrl" | "path" | "headers">,
): Cost | undefined {
  if (request.method === "OPTIONS") return undefined;
  // The path that the router uses: the request target itself may be absolute or have a fragment.
  const path = request.baseUrl + request.path;
  // A large file arrives in many requests; their bytes are limited.
  const isPart = request.method === "PATCH" && path.startsWith(`${UPLOADS_PATH}/`);
  if (isPart && Number(request.headers["content-length"]) >= FILE_LIMITS.part) return undefined;
  if (!READS.has(request.method)) return "write";
  if (WHOLE.test(path)) return "list";
  if (OVERVIEW.test(path)) return "overview";
  // An empty parameter counts as absent, as in the endpoint itself.
  const { limit, search, state } = request.query;
  if (LIST.test(path) && !limit) return "list";
  const isCostly = COSTLY_FILTERS.some((name) => request.query[name]) || (OWN_BIDS.test(path) && state);
  return search || isCostly ? "search" : undefined;
}
