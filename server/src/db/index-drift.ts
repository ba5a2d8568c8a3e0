import { type Collection, type IndexDescription, MongoServerError } from "mongodb";
import type { CollectionName } from "./collections.ts";
import { type DeclaredIndex, INDEXES, SHARD_KEYS } from "./indexes.ts";

/** What the database has and what is declared, where the two are not the same. */
type IndexDrift = {
  missing: IndexDescription[];
  /** Names of indexes that nobody declared: each costs every write, and nothing of ours uses it. */
  undeclared: string[];
  /** Names of declared indexes that exist with another key or with options of their own. */
  different: string[];
};

/** @param existing as the database lists them (`listIndexes`). */
export function indexDrift(collection: CollectionName, existing: readonly IndexDescription[]): IndexDrift {
  const declared: readonly DeclaredIndex[] = INDEXES[collection];
  const found = new Map(existing.map((index) => [index.name, index]));
  const names = new Set<string | undefined>([
    ...["_id_", ...shardIndexes(collection)],
    ...declared.map(({ name }) => name),
  ]);
  return {
    missing: declared.filter(({ name }) => !found.has(name)).map((index) => ({ ...index })),
    undeclared: existing.flatMap(({ name }) => {
      return name === undefined || names.has(name) ? [] : name;
    }),
    different: declared.flatMap((index) => {
      const present = found.get(index.name);
      return present && !isAsDeclared(index, present) ? index.name : [];
    }),
  };
}

/** The index of a hashed shard key, by MongoDB's name for it: it is made when the collection is split. */
function shardIndexes(collection: CollectionName): string[] {
  const keys: { [C in CollectionName]?: Record<string, 1 | "hashed"> } = SHARD_KEYS;
  return Object.entries(keys[collection] ?? {}).flatMap(([field, kind]) =>
    kind === "hashed" ? `${field}_hashed` : [],
  );
}

const NAMESPACE_NOT_FOUND = 26;

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

/** Is the index that the database has the declared one, without options that would make it answer less? */
export function isAsDeclared(
  declared: DeclaredIndex,
  { v: _v, ns: _ns, ...present }: IndexDescription & { v?: unknown; ns?: unknown },
): boolean {
  return canonical(declared) === canonical(present as DeclaredIndex);
}

// The order of a key's fields is part of what an index is; the order of its options is not.
function canonical({ name, key, ...options }: DeclaredIndex): string {
  const sorted = Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([name, Object.entries(key), sorted]);
}
