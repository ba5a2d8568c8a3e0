import { setTimeout as sleep } from "node:timers/promises";
import { type Db, MongoClient, ObjectId } from "mongodb";
import type { Logger } from "pino";
import { type DatabaseAddress, SAFE_OPTIONS } from "./client.ts";
import type { NotificationDoc } from "./documents/notifications.ts";

/** What was written, as far as anybody here asks. */
export type Change =
  /** `onlyBids`: nothing but its bids and their count was written. */
  | { collection: "tasks"; operation: string; id: string; onlyBids: boolean }
  | { collection: "notifications"; operation: "insert"; notification: NotificationDoc }
  | { collection: "notifications"; operation: "read"; recipientId: string }
  | { collection: "conversations"; id: string }
  | { collection: "people"; uid: string }
  | { collection: "closures"; uid: string }
  | { collection: "suspensions"; uid: string };

/** News of what any instance, or anybody else, writes to tasks, notifications, conversations, names, and closed and suspended accounts. */
export type ChangeFeed = {
  /** Is the feed open, and did the database respond to it lately? If not, no cache may be trusted. */
  isLive(): boolean;
  /**
   * Calls back after every change; and with undefined whenever changes may have been missed: when the feed breaks, and
   * once more when it is live again (`isLive` tells the two apart), from when on everything is heard.
   * @returns ends the calls.
   */
  onChange(listener: (change: Change | undefined) => void): () => void;
  close(): Promise<void>;
};

// The database responds to an idle feed this often, so silence beyond SILENCE_MS means that it is cut off.
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
 * Follows the change stream of the database, and opens it again whenever it breaks.
 * Has a client of its own: requests that queue for a connection must not hold up the news that invalidates caches.
 */
export function openChangeFeed({ uri, dbName }: DatabaseAddress, log: Pick<Logger, "warn">): ChangeFeed {
  const listeners = new Set<(change: Change | undefined) => void>();
  const tell = (change?: Change) => {
    for (const listener of listeners) {
      try {
        listener(change);
      } catch (error) {
        // What one of them cannot take in is no reason to keep it from the others.
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
      if (!opened && event) tell(changeOf(event));
      // The database was dropped: from now on the stream would say "nothing new" at once, for ever.
      if (event?.operationType === "invalidate" || stream.closed) throw new Error("the change stream ended");
      heardAt = performance.now();
      broken = false;
      // What was written before this moment was not heard. The first event is among what this tells to read again.
      if (opened) tell();
    }
  }

  async function keepFollowing(): Promise<void> {
    while (!signal.aborted) {
      // A new client each time: one whose first connection failed never connects again.
      client = new MongoClient(uri, OPTIONS);
      await follow(client.db(dbName)).catch((error: unknown) => {
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
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      closing.abort();
      // Ends the read that is being waited for.
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
  onlyBids?: boolean;
};

/** Null, and so not equal to it, for whatever is no update. */
const CHANGED_FIELDS = {
  $map: { input: { $objectToArray: "$updateDescription.updatedFields" }, in: "$$this.k" },
};

// Only what listeners ask for: without this every event carries its whole task.
const PIPELINE = [
  {
    $match: {
      $or: [
        // That people were told of a task changes nothing that anybody reads.
        { "ns.coll": "tasks", "updateDescription.removedFields": { $ne: ["alertsDueAt"] } },
        // Another collection took its place: a backup was restored.
        { "to.coll": "tasks" },
        { "ns.coll": "notifications", operationType: "insert" },
        { "ns.coll": "notifications", "updateDescription.updatedFields.readBy": { $exists: true } },
        // That two people have opened another conversation changes none of those they have.
        { "ns.coll": "conversations", "updateDescription.updatedFields.pairRevision": { $exists: false } },
        { "ns.coll": { $in: ["closures", "suspensions"] } },
        { "ns.coll": "people", operationType: { $ne: "update" } },
        { "ns.coll": "people", "updateDescription.updatedFields.name": { $exists: true } },
        { "ns.coll": "people", "updateDescription.updatedFields.image": { $exists: true } },
        { "ns.coll": "people", "updateDescription.removedFields": "image" },
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
      onlyBids: {
        $and: [
          { $eq: [{ $setDifference: [CHANGED_FIELDS, ["bidsCount", "bidsRevision"]] }, []] },
          { $eq: ["$updateDescription.removedFields", []] },
        ],
      },
    },
  },
];

/** @returns undefined for what cannot be told apart: a collection that was dropped or renamed. */
function changeOf(event: Event): Change | undefined {
  const { operationType, ns, documentKey, fullDocument, updateDescription, onlyBids = false } = event;
  const id = documentKey?._id;
  const collection = ns?.coll;
  if (
    (collection === "closures" || collection === "suspensions" || collection === "people") &&
    typeof id === "string"
  )
    return { collection, uid: id };
  if (!(id instanceof ObjectId)) return undefined;
  if (ns?.coll === "tasks")
    return { collection: "tasks", operation: operationType, id: id.toHexString(), onlyBids };
  if (ns?.coll === "conversations") return { collection: "conversations", id: id.toHexString() };
  const readBy = updateDescription?.updatedFields?.readBy;
  if (readBy !== undefined) return { collection: "notifications", operation: "read", recipientId: readBy };
  return fullDocument && { collection: "notifications", operation: "insert", notification: fullDocument };
}
