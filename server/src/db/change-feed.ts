import { setTimeout as sleep } from "node:timers/promises";
import { type Collection, MongoClient } from "mongodb";
import type { Logger } from "pino";
import { type DatabaseAddress, SAFE_OPTIONS } from "./client.ts";

/** News of what any instance, or anybody else, writes to tasks. */
export type ChangeFeed = {
  /** Is the feed open, and did the database answer it lately? If not, nothing may be taken for fresh. */
  isLive(): boolean;
  /** Calls back after every change, and whenever changes may have been missed. */
  onChange(listener: () => void): void;
  close(): Promise<void>;
};

// The database answers an idle feed this often, so silence beyond SILENCE_MS means that it is cut off.
const AWAIT_MS = 1_000;
const SILENCE_MS = 3_000;
const RETRY_MS = 1_000;
// Only what a majority has is news.
const OPTIONS = {
  ...SAFE_OPTIONS,
  readConcern: { level: "majority" },
  socketTimeoutMS: 5_000,
  maxPoolSize: 2,
} as const;

/**
 * Follows the change stream of tasks, and opens it again whenever it breaks.
 * Has a client of its own: requests that queue for a connection must not hold up the news that makes answers stale.
 */
export function openChangeFeed({ uri, dbName }: DatabaseAddress, log: Pick<Logger, "warn">): ChangeFeed {
  const listeners: (() => void)[] = [];
  const tell = () => {
    for (const listener of listeners) listener();
  };
  let client: MongoClient | undefined;
  let broken = false;
  let heardAt = Number.NEGATIVE_INFINITY;
  const closing = new AbortController();
  const { signal } = closing;

  async function follow(tasks: Collection): Promise<void> {
    // That something changed is all that is asked: without this every event carries its whole task.
    const stream = tasks.watch([{ $project: { operationType: 1 } }], { maxAwaitTimeMS: AWAIT_MS });
    while (!signal.aborted) {
      const change = await stream.tryNext();
      if (change) tell();
      // The collection was dropped or renamed: from now on the stream would say "nothing new" at once, for ever.
      if (change?.operationType === "invalidate" || stream.closed) throw new Error("the change stream ended");
      heardAt = performance.now();
      broken = false;
    }
  }

  async function keepFollowing(): Promise<void> {
    while (!signal.aborted) {
      // A new client each time: one whose first connection failed never connects again.
      client = new MongoClient(uri, OPTIONS);
      await follow(client.db(dbName).collection("tasks")).catch((error: unknown) => {
        // Once for each break, however often it takes until the database is back.
        if (!signal.aborted && !broken)
          log.warn({ err: error }, "the change feed broke, trying to open it again");
        broken = true;
      });
      heardAt = Number.NEGATIVE_INFINITY;
      tell();
      await client.close();
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  const following = keepFollowing();
  return {
    isLive: () => performance.now() - heardAt < SILENCE_MS,
    onChange: (listener) => void listeners.push(listener),
    async close() {
      closing.abort();
      // Ends the answer that is being waited for.
      await client?.close();
      await following;
    },
  };
}
