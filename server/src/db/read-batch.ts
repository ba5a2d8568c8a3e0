import { type Db, type Document, type Filter, MongoNetworkError, MongoServerError, type Sort } from "mongodb";
import type { Hint } from "./index-hints.ts";

type BatchRead<T> = Hint & {
  filter: Filter<T>;
  projection: Document;
  sort?: Sort;
  /** So few that they fit into one reply of the database, 16 MB. */
  limit: number;
  maxTimeMS: number;
};

/** Reads up to `limit` documents of a collection in one reply, and leaves nothing open in the database. */
export type ReadBatch<T> = <Row = T>(read: BatchRead<T>) => Promise<Row[]>;

/**
 * Sends the `find` command itself: the driver's cursors, made to be read bit by bit, cost half as much again for a page
 * that comes whole. Like theirs, a read whose connection broke is sent once more.
 */
export function batchReader<T>(db: Db, collection: string): ReadBatch<T> {
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
