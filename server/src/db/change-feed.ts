import { setTimeout as sleep } from "node:timers/promises";
import { type Db, MongoClient, ObjectId } from "mongodb";
import type { Logger } from "pino";
import { type DatabaseAddress, SAFE_OPTIONS } from "./client.ts";
import type { NotificationDoc } from "./documents/notifications.ts";

/** A write, reduced to what listeners need. */
export type Change =
  | { collection: "tasks"; operation: string; id: string }
  | { collection: "notifications"; operation: "insert"; notification: NotificationDoc }
  | { collection: "notifications"; operation: "read"; recipientId: string }
  | { collection: "conversations"; id: string }
  | { collection: "deletions"; uid: string }
  | { collection: "suspensions"; uid: string };

/** Reports writes by anybody to tasks, notifications, conversations, and closed and suspended accounts. */
export type ChangeFeed = {
  /** Is the feed open, and has the database responded recently? */
  isLive(): boolean;
  /**
   * Calls the listener after every change; and with undefined whenever changes may have been missed: when the feed
   * breaks, and when it is live again and reports everything from then on (`isLive` tells the two apart).
   * @returns an unsubscribe function.
   */
  onChange(listener: (change: Change | undefined) => void): () => void;
  close(): Promise<void>;
};

// The database responds to an idle feed this often, so silence beyond SILENCE_MS means that the connection is lost.
const AWAIT_MS = 1_000;
const SILENCE_MS = 3_000;
const RETRY_MS = 1_000;
const OPTIONS = {
  ...SAFE_OPTIONS,
  readConcern: { level: "majority" },
  socketTimeoutMS: 5_000,
  maxPoolSize: 2,
} as const;

/**
 * Follows the change stream of the database, and reopens it whenever it breaks. Has its own client, so that requests
 * queuing for a connection cannot delay live events.
 */
export function openChangeFeed({ uri, dbName }: DatabaseAddress, log: Pick<Logger, "warn">): ChangeFeed {
  const listeners = new Set<(change: Change | undefined) => void>();
  const emit = (change?: Change) => {
    for (const listener of listeners) {
      try {
        listener(change);
      } catch (error) {
        // One failing listener must not affect the others.
        log.warn({ err: error }, "a listener of the change feed failed");
      }
    }
  };
  let client: MongoClient | undefined;
  let broken = false;
  let heardAt = Number.NEGATIVE_INFINITY;
  const closing = new AbortController();
  const { signal } = closing;

  async function follow(db: Db): Promise<void> {
    const stream = db.watch<Record<string, unknown>, Event>(PIPELINE, { maxAwaitTimeMS: AWAIT_MS });
    while (!signal.aborted) {
      const event = await stream.tryNext();
      const opened = heardAt === Number.NEGATIVE_INFINITY;
      if (!opened && event) emit(changeOf(event));
      // The database was dropped: from now on the stream would return immediately without events.
      if (event?.operationType === "invalidate" || stream.closed) throw new Error("the change stream ended");
      heardAt = performance.now();
      broken = false;
      // Earlier writes were missed. This also covers the first event.
      if (opened) emit();
    }
  }

  async function keepFollowing(): Promise<void> {
    while (!signal.aborted) {
      // A new client each time: one whose first connection failed never reconnects.
      client = new MongoClient(uri, OPTIONS);
      await follow(client.db(dbName)).catch((error: unknown) => {
        // Logged once per outage, not per attempt.
        if (!signal.aborted && !broken)
          log.warn({ err: error }, "the change feed broke, trying to reopen it");
        broken = true;
      });
      heardAt = Number.NEGATIVE_INFINITY;
      emit();
      await client.close();
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  const following = keepFollowing();
  return {
    isLive: () => performance.now() - heardAt < SILENCE_MS,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      closing.abort();
      // Interrupts the pending read.
      await client?.close();
      await following;
    },
  };
}

type Event = {
  operationType: string;
  ns?: { coll?: string };
  documentKey?: { _id: unknown };
  fullDocument?: NotificationDoc;
  updateDescription?: { updatedFields?: { readBy?: string } };
};

// Only what listeners need: otherwise every event would contain its whole task.
const PIPELINE = [
  {
    $match: {
      $or: [
        { "ns.coll": "tasks" },
        // The collection was replaced: a backup was restored.
        { "to.coll": "tasks" },
        { "ns.coll": "notifications", operationType: "insert" },
        { "ns.coll": "notifications", "updateDescription.updatedFields.readBy": { $exists: true } },
        // Not when the same two people open another conversation, which changes nothing visible in this one.
        { "ns.coll": "conversations", "updateDescription.updatedFields.pairRevision": { $exists: false } },
        { "ns.coll": { $in: ["deletions", "suspensions"] } },
        { operationType: "invalidate" },
      ],
    },
  },
  {
    $project: {
      operationType: 1,
      "ns.coll": 1,
      "documentKey._id": 1,
      fullDocument: { $cond: [{ $eq: ["$ns.coll", "notifications"] }, "$fullDocument", "$$REMOVE"] },
      "updateDescription.updatedFields.readBy": 1,
    },
  },
];

/** @returns undefined if the change affects unknown documents: a collection was dropped or renamed. */
function changeOf(event: Event): Change | undefined {
  const { operationType, ns, documentKey, fullDocument, updateDescription } = event;
  const id = documentKey?._id;
  const collection = ns?.coll;
  if ((collection === "deletions" || collection === "suspensions") && typeof id === "string")
    return { collection, uid: id };
  if (!(id instanceof ObjectId)) return undefined;
  if (ns?.coll === "tasks") return { collection: "tasks", operation: operationType, id: id.toHexString() };
  if (ns?.coll === "conversations") return { collection: "conversations", id: id.toHexString() };
  const readBy = updateDescription?.updatedFields?.readBy;
  if (readBy !== undefined) return { collection: "notifications", operation: "read", recipientId: readBy };
  return fullDocument && { collection: "notifications", operation: "insert", notification: fullDocument };
}
