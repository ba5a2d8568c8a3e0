import { MongoClient } from "mongodb";
import { RateLimiterMongo } from "rate-limiter-flexible";
import { type DatabaseAddress, SAFE_OPTIONS } from "./client.ts";

/** What may be done how often: `points` in a window of `windowS` seconds, which begins with the first of them. */
export type RatePolicy = { name: string; points: number; windowS: number };

/** How often something was done in the present window, on all instances together, and how long the window lasts. */
export type RateCount = { count: number; msLeft: number };

/** Counts that all instances share. */
export type RateCounts = {
  /** Adds to the count of a key and returns it. @throws a MongoDB error within about a second. */
  add(policy: RatePolicy, key: string, points: number): Promise<RateCount>;
  close(): Promise<void>;
};

/** Name of the collection of counts; its indexes are declared with all others. */
const COLLECTION = "rateLimits";

// A count may be lost with a crash, and waits for nothing: a lost one is a request more for somebody.
// A pool of its own: counting does not queue behind requests, nor they behind it.
const OPTIONS = {
  ...SAFE_OPTIONS,
  writeConcern: { w: 1, journal: false },
  serverSelectionTimeoutMS: 1_000,
  connectTimeoutMS: 1_000,
  socketTimeoutMS: 1_000,
  waitQueueTimeoutMS: 1_000,
  maxPoolSize: 5,
} as const;

/**
 * Opens the shared counts. `rate-limiter-flexible` does the counting: one upsert that begins a window, raises its count
 * or begins the next one. Chosen over express-rate-limit, whose MongoDB store is another package of one release, and
 * whose middleware asks its store for every request before anything else happens.
 */
export function openRateCounts({ uri, dbName }: DatabaseAddress): RateCounts {
  const client = new MongoClient(uri, OPTIONS);
  const limiters = new Map<string, RateLimiterMongo>();
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
    async add(policy, key, points) {
      // A penalty counts without judging.
      const { consumedPoints, msBeforeNext } = await limiterOf(policy).penalty(key, points);
      return { count: consumedPoints, msLeft: msBeforeNext };
    },
    close: () => client.close(),
  };
}
