import { type Collection, type FindCursor, MongoServerError } from "mongodb";
import type { CollectionName, Collections } from "./collections.ts";
import { existingIndexes, isAsDeclared } from "./index-drift.ts";
import { INDEXES, type IndexName } from "./indexes.ts";

/** Option of a read: the index to use. Empty while that index does not exist. */
export type Hint = { hint?: string };

export type IndexHints = ReturnType<typeof indexHints>;

/**
 * Tells the database which index to use for a query. Its planner would find most of them, but by trying several on the
 * data it happens to meet first; with a hint, the choice is the same on every machine. There is no hint for an index
 * that is still being built, or was dropped by hand: the query is then slower, but correct.
 */
export function indexHints(collections: Collections) {
  let usable = new Set<string>();

  /** Looks up which indexes can be used now; in parallel, because startup waits for it. */
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

  /** Reads with this index. Not in a transaction, which could not go on without the index after an error. */
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
      // Dropped by hand. The next start rebuilds it.
      usable.delete(key(of, index));
      return read({});
    }
  }

  /** Like `using`, but streams the documents. */
  async function* stream<C extends CollectionName, T>(
    of: C,
    index: IndexName<C>,
    open: (hint: Hint) => FindCursor<T>,
  ): AsyncGenerator<T> {
    const cursor = await using(of, index, async (hint) => {
      const opened = open(hint);
      // Sends the query, so that a missing index fails before anything is read.
      await opened.hasNext();
      return opened;
    });
    yield* cursor;
  }
  return {
    refresh,
    using,
    stream,
    /** Can all declared indexes be used? */
    complete: () => usable.size === DECLARED,
  };
}

const DECLARED = Object.values(INDEXES).flat().length;
const key = (of: CollectionName, index: string) => `${of}.${index}`;

// An index is listed as soon as its build begins, but rejected as a hint until the build ends.
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
