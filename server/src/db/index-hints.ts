import { type Collection, type FindCursor, MongoServerError } from "mongodb";
import type { CollectionName, Collections } from "./collections.ts";
import { existingIndexes, isAsDeclared } from "./index-drift.ts";
import { INDEXES, type IndexName } from "./indexes.ts";

/** Option of a read: the index it must use. Empty while that index does not exist. */
export type Hint = { hint?: string };

export type IndexHints = ReturnType<typeof indexHints>;

/**
 * Tells the database which index a query is meant for. Its planner would find most of them, by trying several on
 * whatever data it meets first; named, the choice is the same on every machine, and nothing is tried.
 * An index that is still being built, or was dropped by hand, is not named: the query is then right, only slower.
 */
export function indexHints(collections: Collections) {
  let usable = new Set<string>();

  /** Looks up which indexes can be used now: all side by side, since a start waits for it. */
  async function refresh(): Promise<void> {
    const found = await Promise.all((Object.keys(INDEXES) as CollectionName[]).map(usableOf));
    usable = new Set(found.flat());
  }

  async function usableOf(of: CollectionName): Promise<string[]> {
    const collection: Collection = collections[of] as never;
    const existing = await existingIndexes(collection);
    const listed = INDEXES[of].filter((index) => existing.some((other) => isAsDeclared(index, other)));
    const built = await Promise.all(listed.map(({ name }) => isBuilt(collection, name)));
    return listed.filter((_, at) => built[at]).map(({ name }) => key(of, name));
  }

  /** Reads with this index. Not for a transaction: it ends with its first error, so it cannot go on without the index. */
  async function using<C extends CollectionName, T>(
    of: C,
    index: IndexName<C>,
    read: (hint: Hint) => Promise<T>,
  ): Promise<T> {
    if (!usable.has(key(of, index))) return read({});
    try {
      return await read({ hint: index });
    } catch (error) {
      if (!isUnknownHint(error)) throw error;
      // Dropped by hand. The next start builds it again.
      usable.delete(key(of, index));
      return read({});
    }
  }

  /** The same for what is read bit by bit. */
  async function* stream<C extends CollectionName, T>(
    of: C,
    index: IndexName<C>,
    open: (hint: Hint) => FindCursor<T>,
  ): AsyncGenerator<T> {
    const cursor = await using(of, index, async (hint) => {
      const opened = open(hint);
      // Sends the query: whether the index is there is known before anything was read.
      await opened.hasNext();
      return opened;
    });
    yield* cursor;
  }
  return {
    refresh,
    using,
    stream,
    /** Can all that are declared be used? */
    complete: () => usable.size === DECLARED,
  };
}

const DECLARED = Object.values(INDEXES).flat().length;
const key = (of: CollectionName, index: string) => `${of}.${index}`;

// An index is listed from the moment its building begins, and refused as a hint until it ends.
async function isBuilt(collection: Collection, hint: string): Promise<boolean> {
  try {
    await collection.findOne({}, { hint, projection: { _id: 1 }, maxTimeMS: 1_000 });
    return true;
  } catch (error) {
    if (isUnknownHint(error)) return false;
    throw error;
  }
}

const BAD_VALUE = 2;

function isUnknownHint(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === BAD_VALUE && /\bhint\b/.test(error.message);
}
