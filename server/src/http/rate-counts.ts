import { MongoClient } from "mongodb";
import { type RateLimiterAbstract, RateLimiterMongo } from "rate-limiter-flexible";
import { type DatabaseAddress, SAFE_OPTIONS } from "../db/client.ts";
import type { RateCounts, RatePolicy } from "./rate-limit.ts";

/** For so long the database may take to count, in ms. */
const COUNT_TIMEOUT_MS = 1_000;
/** Name of the collection of counts; its indexes are declared with all others. */
const COLLECTION = "rateLimits";

// Counts may be lost in a crash, so writing them waits for nothing: it allows a few requests more.
// A pool of its own: counting does not queue behind requests, nor they behind it.
const OPTIONS = {
  ...SAFE_OPTIONS,
  writeConcern: { w: 1, journal: false },
  maxPoolSize: 5,
} as const;

/**
 * Opens the shared counts. `rate-limiter-flexible` does the counting: one upsert that begins a window, raises its count
 * or begins the next one. Chosen over express-rate-limit, whose MongoDB store is another package of one release, and
 * whose middleware asks its store for every request before anything else happens.
 */
export function openRateCounts(
  { uri, dbName }: DatabaseAddress,
  { timeoutMs = COUNT_TIMEOUT_MS } = {},
): RateCounts {
  const client = new MongoClient(uri, {
    ...OPTIONS,
    serverSelectionTimeoutMS: timeoutMs,
    connectTimeoutMS: timeoutMs,
    socketTimeoutMS: timeoutMs,
    waitQueueTimeoutMS: timeoutMs,
  });
  const limiters = new Map<string, RateLimiterAbstract>();
  const limiterOf = ({ name, points, windowS }: RatePolicy) => {
    let limiter = limiters.get(name);
    if (!limiter) {
      limiter = new RateLimiterMongo({
        storeClient: client,
        dbName,
        tableName: COLLECTION,
        keyPrefix: name,
        points,
        duration: windowS,
        disableIndexesCreation: true,
      });
      limiters.set(name, limiter);
    }
    return limiter;
  };
  return {
    async add(policy, key, points, msLeft) {
      // In seconds. Never 0, which would be a window without an end.
      const customDuration = Math.max(1, msLeft) / 1_000;
      // A penalty counts without judging.
      const { consumedPoints, msBeforeNext } = await limiterOf(policy).penalty(key, points, {
        customDuration,
      });
      return { count: consumedPoints, msLeft: msBeforeNext };
    },
    close: () => client.close(),
  };
}
