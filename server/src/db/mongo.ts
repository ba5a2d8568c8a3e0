import { MongoServerError, ObjectId } from "mongodb";

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
