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
import { type CollectionName, type Collections, collectionsOf } from "./collections.ts";
import type { TaskDoc } from "./documents/tasks.ts";
import {
  currentRequest,
  currentSession,
  DUPLICATE_KEY,
  type Transactions,
  transactions,
} from "./transaction.ts";

export type DatabaseAddress = { uri: string; dbName: string };

/** Numbers of connections, over all servers the client talks to. */
type PoolStats = {
  open: number;
  inUse: number;
  /** Operations waiting for a connection. */
  waiting: number;
  /** Operations that got no connection in time, since the start. */
  failures: number;
};

type BatchRead<T> = {
  hint?: string;
  filter: Filter<T>;
  projection: Document;
  sort?: Sort;
  /** Few enough documents to fit into one reply of the database, 16 MB. */
  limit: number;
};

/** Reads up to `limit` documents in one reply, without leaving a cursor open. */
type ReadBatch<T> = <Row = T>(read: BatchRead<T>) => Promise<Row[]>;

/** An open connection pool, with everything the stores need. */
export type Database = Collections &
  Transactions & {
    /** Reads a page of tasks; see {@link batchReader}. */
    readTasks: ReadBatch<TaskDoc>;
    /** For libraries that have collections of their own: GridFS and the rate limiter. */
    db: Db;
    /** Resolves if the database is reachable and writable, rejects otherwise. */
    ping(): Promise<void>;
    pool(): PoolStats;
    close(): Promise<void>;
  };

/**
 * Options of every client. Acknowledged writes are on the disks of a majority; a lost connection is retried once.
 * Fields that are undefined are not stored. A condition that is undefined would match everything: filters have none.
 */
export const SAFE_OPTIONS = {
  ignoreUndefined: true,
  appName: "tasklane",
  writeConcern: { w: "majority", journal: true },
  readConcern: { level: "local" },
  retryReads: true,
  retryWrites: true,
  serverSelectionTimeoutMS: 3_000,
  connectTimeoutMS: 3_000,
} as const satisfies MongoClientOptions;

// If the database hangs, requests fail within seconds rather than hang too.
const REQUEST_OPTIONS = {
  ...SAFE_OPTIONS,
  socketTimeoutMS: 5_000,
  waitQueueTimeoutMS: 3_000,
  heartbeatFrequencyMS: 2_000,
  maxPoolSize: 50,
} as const satisfies MongoClientOptions;

/**
 * Connects the pool that serves requests.
 * @param onCommand is called with each command before it is sent, for tests that check the queries.
 * @throws a MongoDB error if the database cannot be reached within the three seconds of {@link SAFE_OPTIONS}.
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
  for (const collection of Object.values(collections)) putInScope(collection);
  try {
    await client.connect();
  } catch (error) {
    await client.close();
    throw error;
  }
  return {
    ...collections,
    db,
    readTasks: batchReader<TaskDoc>(db, collections.tasks.collectionName),
    ...transactions({ client, idempotencyKeys: collections.idempotencyKeys }),
    ping: async () => {
      const { isWritablePrimary } = await db.command({ hello: 1 });
      if (isWritablePrimary !== true) throw new Error("the database has no primary");
    },
    pool,
    close: () => client.close(),
  };
}

/** Counts connections from the driver's pool events. Call it before the client connects. */
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
 * Sends the `find` command directly: for a page that fits into one reply, the driver's cursors cost half as much again.
 * Like the driver, it retries a read once if the connection broke.
 */
function batchReader<T>(db: Db, collection: string): ReadBatch<T> {
  return async <Row>(read: BatchRead<T>): Promise<Row[]> => {
    const { signal, maxTimeMS } = READ_LIMITS;
    // Without `batchSize` the first batch has 101 documents.
    const command = { find: collection, maxTimeMS, ...read, batchSize: read.limit, singleBatch: true };
    const reply = await db.command(command, { signal }).catch((error: unknown) => {
      if (isRetryable(error)) return db.command(command, { signal });
      throw error;
    });
    return reply["cursor"].firstBatch as Row[];
  };
}

// The primary has stepped down or is shutting down: the driver will select another server.
const NOT_PRIMARY = new Set<unknown>([91, 189, 10107, 11600, 11602, 13435, 13436]);

function isRetryable(error: unknown): boolean {
  if (error instanceof MongoServerError) return NOT_PRIMARY.has(error.code);
  return error instanceof MongoNetworkError;
}

/**
 * Options of every read: the database stops it shortly before the deadline that requests have, or when its client gives
 * up. (A default for all reads exists only in MongoDB 8, and the driver's `timeoutMS` would also interrupt writes.)
 */
const READ_LIMITS = {
  maxTimeMS: 4_000,
  /** The current request's, so spread these options where they are used. */
  get signal(): AbortSignal | undefined {
    return currentRequest()?.signal;
  },
} as const;

/** The methods of a collection, with the place of their options among the arguments. */
const READS = {
  find: 1,
  findOne: 1,
  aggregate: 1,
  countDocuments: 1,
  estimatedDocumentCount: 0,
  distinct: 2,
};
const WRITES = {
  ...{ insertOne: 1, insertMany: 1, updateOne: 2, updateMany: 2, replaceOne: 2, deleteOne: 1, deleteMany: 1 },
  ...{ findOneAndUpdate: 2, findOneAndDelete: 1 },
};

/** Makes every operation of the collection part of the current transaction, and limits its reads, by default. */
function putInScope(collection: Collections[CollectionName]): void {
  const methods = collection as unknown as Record<string, (...sent: unknown[]) => unknown>;
  for (const [name, place] of Object.entries({ ...READS, ...WRITES })) {
    const method = methods[name]?.bind(collection);
    methods[name] = (...sent) => {
      const session = currentSession();
      sent[place] = {
        ...(name in READS && READ_LIMITS),
        ...(session && { session }),
        ...(sent[place] as object | undefined),
      };
      return method?.(...sent);
    };
  }
}

/** A stage that adds documents of another collection, as a field of its name: several are read in one round trip. */
export const joined = (from: CollectionName, filter: object) => ({
  $lookup: { from, as: from, pipeline: [{ $match: filter }] },
});

/** The GridFS bucket with the content of files. */
export const CONTENT_BUCKET = "content";

/** Did a unique index reject the write? Takes errors of the driver and the write errors inside them. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === DUPLICATE_KEY;
}

const MAX_TIME_EXPIRED = 50;

/** Did the database stop the read after `maxTimeMS`? */
export function isTimeLimit(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED;
}

/** The newest-first order: the last two fields in the index of every list sorted that way. */
export const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

/** A document's place in a newest-first list. */
export type NewestPlace = readonly [at: string, id: string];

/** How to read a page: from after this document, or from the beginning, and how many documents at most. */
export type PageStart<Place = NewestPlace> = { after: Place | undefined; limit: number };

type After = { $or?: [{ createdAt: Date; _id: { $lt: ObjectId } }, { createdAt: { $lt: Date } }] };

/** Filter for what follows a document in a newest-first list; empty without one. The index merges the two ranges. */
export function newestAfter(place: NewestPlace | undefined): After {
  if (!place) return {};
  const createdAt = new Date(place[0]);
  return { $or: [{ createdAt, _id: { $lt: new ObjectId(place[1]) } }, { createdAt: { $lt: createdAt } }] };
}

/** Groups items into batches of this size. */
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

/**
 * Processes what a query finds, batch by batch, until it finds nothing. The work must change the documents so that the
 * query no longer finds them. @returns the number of documents.
 */
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
