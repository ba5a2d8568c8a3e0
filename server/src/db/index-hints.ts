import { type Collection, type IndexDescription, MongoServerError } from "mongodb";
import type { TaskDoc } from "./collections.ts";
import { INDEXES, isAsDeclared, type TaskIndex } from "./declared-indexes.ts";

/** Option of a read: the index it must use. Empty while that index does not exist. */
export type Hint = { hint?: TaskIndex };

export type IndexHints = ReturnType<typeof indexHints>;

/**
 * Tells the database which index a query is meant for. Its planner would find most of them, by trying several on
 * whatever data it meets first; named, the choice is the same on every machine, and nothing is tried.
 * An index that is still being built, or was dropped by hand, is not named: the query is then right, only slower.
 */
export function indexHints(tasks: Collection<TaskDoc>) {
  let usable = new Set<TaskIndex>();

  /** Looks up which indexes can be used now. @returns whether all can. */
  async function refresh(): Promise<boolean> {
    const existing = await existingIndexes(tasks);
    const declared = INDEXES.tasks.filter((index) => {
      return existing.some((found) => isAsDeclared(index, found));
    });
    const names = await Promise.all(declared.map(async ({ name }) => ((await isBuilt(name)) ? [name] : [])));
    usable = new Set(names.flat());
    return usable.size === INDEXES.tasks.length;
  }

  // An index is listed from the moment its building begins, and refused as a hint until it ends.
  async function isBuilt(hint: TaskIndex): Promise<boolean> {
    try {
      await tasks.findOne({}, { hint, projection: { _id: 1 }, maxTimeMS: 1_000 });
      return true;
    } catch (error) {
      if (isUnknownHint(error)) return false;
      throw error;
    }
  }

  /** Reads with this index. */
  async function using<T>(index: TaskIndex, read: (hint: Hint) => Promise<T>): Promise<T> {
    if (!usable.has(index)) return read({});
    try {
      return await read({ hint: index });
    } catch (error) {
      if (!isUnknownHint(error)) throw error;
      // Dropped by hand. The next start builds it again.
      usable.delete(index);
      return read({});
    }
  }
  return { refresh, using };
}

const NAMESPACE_NOT_FOUND = 26;
const BAD_VALUE = 2;

/** The indexes of a collection; none if it does not exist. */
export async function existingIndexes(
  collection: Pick<Collection, "listIndexes">,
): Promise<IndexDescription[]> {
  try {
    return await collection.listIndexes().toArray();
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

function isUnknownHint(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === BAD_VALUE && /\bhint\b/.test(error.message);
}
