import { MongoClient } from "mongodb";
import { type RateLimiterAbstract, RateLimiterMongo } from "rate-limiter-flexible";
import { type DatabaseAddress, SAFE_OPTIONS } from "../db/client.ts";
import type { RateCounts, RatePolicy } from "./rate-limit.ts";

/** How long the database may take to count, in ms. */
const COUNT_TIMEOUT_MS = 1_000;
/** The collection of counts; its indexes are declared in db/indexes.ts. */
const COLLECTION = "rateLimits";

// Counts may be lost in a crash, which allows a few more requests, so writes do not wait for the journal.
// The separate pool keeps counting and requests from queueing behind each other.
const OPTIONS = {
  ...SAFE_OPTIONS,
  writeConcern: { w: 1, journal: false },
  maxPoolSize: 5,
} as const;

/**
 * Opens the shared counts. `rate-limiter-flexible` counts with a single upsert that starts a window or increments it.
 * Chosen over express-rate-limit, whose MongoDB store is a separate package with a single release, and whose middleware
 * queries its store for every request.
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
      // In seconds. Never 0, which would make the window endless.
      const customDuration = Math.max(1, msLeft) / 1_000;
      // A penalty only counts: unlike `consume`, it never rejects.
      const { consumedPoints, msBeforeNext } = await limiterOf(policy).penalty(key, points, {
        customDuration,
      });
      return { count: consumedPoints, msLeft: msBeforeNext };
    },
    close: () => client.close(),
  };
}
