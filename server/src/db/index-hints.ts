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
  let present = new Set<TaskIndex>();

  /** Looks up which indexes there are now. */
  async function refresh(): Promise<void> {
    const existing = await existingIndexes(tasks);
    const usable = INDEXES.tasks.filter((declared) => {
      const found = existing.find(({ name }) => name === declared.name);
      return found && isAsDeclared(declared, found);
    });
    present = new Set(usable.map(({ name }) => name));
  }

  /** Reads with this index. */
  async function using<T>(index: TaskIndex, read: (hint: Hint) => Promise<T>): Promise<T> {
    if (!present.has(index)) return read({});
    try {
      return await read({ hint: index });
    } catch (error) {
      if (!isUnknownHint(error)) throw error;
      await refresh();
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
