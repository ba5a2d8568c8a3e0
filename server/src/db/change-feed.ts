import { setTimeout as sleep } from "node:timers/promises";
import { type ChangeStream, MongoClient } from "mongodb";
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

/**
 * Follows the change stream of tasks, and opens it again whenever it breaks.
 * Has a client of its own: requests that queue for a connection must not hold up the news that makes answers stale.
 */
export function openChangeFeed({ uri, dbName }: DatabaseAddress, log: Pick<Logger, "warn">): ChangeFeed {
  const client = new MongoClient(uri, { ...SAFE_OPTIONS, socketTimeoutMS: 5_000, maxPoolSize: 2 });
  const tasks = client.db(dbName).collection("tasks");
  const listeners: (() => void)[] = [];
  const tell = () => {
    for (const listener of listeners) listener();
  };
  let heardAt = Number.NEGATIVE_INFINITY;
  let stream: ChangeStream | undefined;
  const closing = new AbortController();
  const { signal } = closing;

  async function follow(): Promise<void> {
    // That something changed is all that is asked: without this every event carries its whole task.
    stream = tasks.watch([{ $project: { operationType: 1 } }], { maxAwaitTimeMS: AWAIT_MS });
    while (!signal.aborted) {
      const change = await stream.tryNext();
      if (change) tell();
      heardAt = performance.now();
    }
  }

  async function keepFollowing(): Promise<void> {
    while (!signal.aborted) {
      await follow().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, "the change feed broke, opening it again");
      });
      heardAt = Number.NEGATIVE_INFINITY;
      tell();
      await stream?.close().catch(() => undefined);
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  const following = keepFollowing();
  return {
    isLive: () => performance.now() - heardAt < SILENCE_MS,
    onChange: (listener) => void listeners.push(listener),
    async close() {
      closing.abort();
      await stream?.close().catch(() => undefined);
      await following;
      await client.close();
    },
  };
}
