import {
  type CommandStartedEvent,
  type Db,
  type Document,
  type Filter,
  MongoClient,
  type MongoClientOptions,
  MongoNetworkError,
  MongoServerError,
  ObjectId,
  type Sort,
} from "mongodb";
import { type Collections, collectionsOf } from "./collections.ts";
import type { TaskDoc } from "./documents/tasks.ts";
import { type Hint, type IndexHints, indexHints } from "./index-hints.ts";
import { ifLeased } from "./lease.ts";
import { type Transactions, transactions } from "./transaction.ts";

/** Where the database is. */
export type DatabaseAddress = { uri: string; dbName: string };

/** The connections of a client, over all servers it talks to. */
type PoolStats = {
  /** Connections that are open. */
  open: number;
  /** Those that an operation holds. */
  inUse: number;
  /** Operations that wait for a connection. */
  waiting: number;
  /** How often an operation got none in time, since the start. */
  failures: number;
};

type BatchRead<T> = Hint & {
  filter: Filter<T>;
  projection: Document;
  sort?: Sort;
  /** So few that they fit into one reply of the database, 16 MB. */
  limit: number;
  maxTimeMS: number;
};

/** Reads up to `limit` documents of a collection in one reply, and leaves nothing open in the database. */
type ReadBatch<T> = <Row = T>(read: BatchRead<T>) => Promise<Row[]>;

/** An open connection pool with what the stores need of it. */
export type Database = Collections &
  Transactions & {
    /** Reads a page of tasks; see {@link batchReader}. */
    readTasks: ReadBatch<TaskDoc>;
    /** Does the work unless another instance is at it; see `lease.ts`. */
    ifLeased(name: string, work: () => Promise<unknown>): Promise<void>;
    /** Names the index of a read; see {@link indexHints}. */
    hints: IndexHints;
    /** Resolves if the database answers and can be written to, rejects otherwise. */
    ping(): Promise<void>;
    /** The pool's connections. */
    pool(): PoolStats;
    close(): Promise<void>;
  };

/** Options of every client: an acknowledged write is on the disks of a majority, and a lost connection is retried once. */
export const SAFE_OPTIONS = {
  appName: "tasklane",
  writeConcern: { w: "majority", journal: true },
  readConcern: { level: "local" },
  retryReads: true,
  retryWrites: true,
  serverSelectionTimeoutMS: 3_000,
  connectTimeoutMS: 3_000,
} as const satisfies MongoClientOptions;

// A request should fail within seconds rather than hang when the database does.
const REQUEST_OPTIONS = {
  ...SAFE_OPTIONS,
  socketTimeoutMS: 5_000,
  waitQueueTimeoutMS: 3_000,
  heartbeatFrequencyMS: 2_000,
  maxPoolSize: 50,
} as const satisfies MongoClientOptions;

/**
 * Connects the pool that serves requests.
 * @param onCommand hears each command before it is sent: for tests, which judge how the database is asked.
 * @throws a MongoDB error if the database cannot be reached within {@link SAFE_OPTIONS}' three seconds.
 */
export async function openDatabase(
  { uri, dbName }: DatabaseAddress,
  { onCommand }: { onCommand?: (sent: CommandStartedEvent) => void } = {},
): Promise<Database> {
  const client = new MongoClient(uri, { ...REQUEST_OPTIONS, monitorCommands: onCommand !== undefined });
  if (onCommand) client.on("commandStarted", onCommand);
  const pool = poolStats(client);
  const db = client.db(dbName);
  const collections = collectionsOf(db);
  const hints = indexHints(collections);
  try {
    await client.connect();
    await hints.refresh();
  } catch (error) {
    await client.close();
    throw error;
  }
  return {
    ...collections,
    readTasks: batchReader<TaskDoc>(db, collections.tasks.collectionName),
    hints,
    ifLeased: (name, work) => ifLeased(db, name, work),
    ...transactions({ client, idempotencyKeys: collections.idempotencyKeys }),
    ping: async () => {
      const { isWritablePrimary } = await db.command({ hello: 1 });
      if (isWritablePrimary !== true) throw new Error("the database has no primary");
    },
    pool,
    close: () => client.close(),
  };
}

/** Counts along with the driver's events of connection monitoring and pooling. Call it before the client connects. */
function poolStats(client: MongoClient): () => PoolStats {
  const stats: PoolStats = { open: 0, inUse: 0, waiting: 0, failures: 0 };
  client.on("connectionCreated", () => void stats.open++);
  client.on("connectionClosed", () => void stats.open--);
  client.on("connectionCheckOutStarted", () => void stats.waiting++);
  client.on("connectionCheckedOut", () => {
    stats.waiting--;
    stats.inUse++;
  });
  client.on("connectionCheckOutFailed", () => {
    stats.waiting--;
    stats.failures++;
  });
  client.on("connectionCheckedIn", () => void stats.inUse--);
  return () => ({ ...stats });
}

/**
 * Sends the `find` command itself: the driver's cursors, made to be read bit by bit, cost half as much again for a page
 * that comes whole. Like theirs, a read whose connection broke is sent once more.
 */
function batchReader<T>(db: Db, collection: string): ReadBatch<T> {
  return async <Row>(read: BatchRead<T>): Promise<Row[]> => {
    // Without a size of its own the first batch ends at 101.
    const command = { find: collection, ...read, batchSize: read.limit, singleBatch: true };
    const reply = await db.command(command).catch((error: unknown) => {
      if (isWorthAnotherTry(error)) return db.command(command);
      throw error;
    });
    return reply["cursor"].firstBatch as Row[];
  };
}

// The primary stepped down or shuts down: the driver's next choice of a server is another one.
const NOT_PRIMARY = new Set<unknown>([91, 189, 10107, 11600, 11602, 13435, 13436]);

function isWorthAnotherTry(error: unknown): boolean {
  if (error instanceof MongoServerError) return NOT_PRIMARY.has(error.code);
  return error instanceof MongoNetworkError;
}

/**
 * Options of every read that somebody waits for: the database stops it shortly before the request's own deadline.
 * (Only MongoDB 8 has a setting for all reads; the driver's `timeoutMS` would also cut off writes on their way.)
 */
export const READ_LIMITS = { maxTimeMS: 4_000 } as const;

const DUPLICATE_KEY = 11000;

/** Did a unique index refuse the write? For the driver's errors, and the write errors inside of one. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === DUPLICATE_KEY;
}

const MAX_TIME_EXPIRED = 50;

/** Did the database stop this read because it took longer than `maxTimeMS`? */
export function isTimeLimit(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED;
}

/** The newest-first order, and the two fields that end the index of every list in it. */
export const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

type After = { $or?: [{ createdAt: Date; _id: { $lt: ObjectId } }, { createdAt: { $lt: Date } }] };

/** Filter of what comes after a document in a newest-first list; empty without one. The index merges its two ranges. */
export function newestAfter(place: readonly [at: string, id: string] | undefined): After {
  if (!place) return {};
  const createdAt = new Date(place[0]);
  return { $or: [{ createdAt, _id: { $lt: new ObjectId(place[1]) } }, { createdAt: { $lt: createdAt } }] };
}

/** Puts what comes one by one into batches of this size. */
export async function* batchesOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Works through what a query finds, a batch at a time, until it finds nothing: the work takes each out of the query. */
export async function drainBatches<T>(
  read: () => Promise<T[]>,
  work: (batch: T[]) => Promise<unknown>,
): Promise<number> {
  for (let done = 0; ; ) {
    const batch = await read();
    if (batch.length === 0) return done;
    await work(batch);
    done += batch.length;
  }
}
