import { type ClientSession, MongoClient, type MongoClientOptions, type ObjectId } from "mongodb";
import { type Collections, collectionsOf } from "./collections.ts";
import type { TaskDoc } from "./documents.ts";
import { type IndexHints, indexHints } from "./index-hints.ts";
import { batchReader, type ReadBatch } from "./read-batch.ts";
import type { RequestContext } from "./request-context.ts";
import { inSharedTransaction, inTransaction, inWrite, keyedMutex, type Transaction } from "./transaction.ts";

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

/** An open connection pool with what the stores need of it. */
export type Database = Collections & {
  /** Runs the work in one transaction, again if it collided with another; see {@link inTransaction}. */
  transaction<T>(work: Transaction<T>): Promise<T>;
  /** The same for work that writes these tasks, after what this instance began to write to them before; see {@link keyedMutex}. */
  transactionOn<T>(tasks: readonly ObjectId[], work: Transaction<T>): Promise<T>;
  /** The same for work that serves several requests; see {@link inSharedTransaction}. */
  sharedTransactionOn<T>(
    tasks: readonly ObjectId[],
    requests: readonly (RequestContext | undefined)[],
    work: Transaction<T[]>,
  ): Promise<T[]>;
  /** Runs a single write that needs no transaction of its own; see {@link inWrite}. */
  write<T>(work: (session?: ClientSession) => Promise<T>): Promise<T>;
  /** Reads a page of tasks; see {@link batchReader}. */
  readTasks: ReadBatch<TaskDoc>;
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
 * @throws a MongoDB error if the database cannot be reached within {@link SAFE_OPTIONS}' three seconds.
 */
export async function openDatabase({ uri, dbName }: DatabaseAddress): Promise<Database> {
  const client = new MongoClient(uri, REQUEST_OPTIONS);
  const pool = poolStats(client);
  const db = client.db(dbName);
  const collections = collectionsOf(db);
  const hints = indexHints(collections);
  const runExclusive = keyedMutex();
  const on = { client, idempotencyKeys: collections.idempotencyKeys };
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
    transaction: (work) => inTransaction(on, work),
    transactionOn: (tasks, work) => runExclusive(idsOf(tasks), () => inTransaction(on, work)),
    sharedTransactionOn: (tasks, requests, work) =>
      runExclusive(idsOf(tasks), () => inSharedTransaction(on, requests, work)),
    write: (work) => inWrite(on, work),
    ping: async () => {
      const { isWritablePrimary } = await db.command({ hello: 1 });
      if (isWritablePrimary !== true) throw new Error("the database has no primary");
    },
    pool,
    close: () => client.close(),
  };
}

function idsOf(tasks: readonly ObjectId[]): string[] {
  return tasks.map((task) => task.toHexString());
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
