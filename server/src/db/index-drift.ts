import { type Collection, type IndexDescription, MongoServerError } from "mongodb";
import type { CollectionName } from "./collections.ts";
import { type DeclaredIndex, INDEXES, SHARD_KEYS } from "./indexes.ts";

/** How the indexes in the database differ from the declared ones. */
type IndexDrift = {
  missing: IndexDescription[];
  /** Names of indexes that are not declared: they slow down writes and are never used. */
  undeclared: string[];
  /** Names of declared indexes that exist with another key or other options. */
  different: string[];
};

/** @param existing the indexes as listed by `listIndexes`. */
export function indexDrift(collection: CollectionName, existing: readonly IndexDescription[]): IndexDrift {
  const declared: readonly DeclaredIndex[] = INDEXES[collection];
  const found = new Map(existing.map((index) => [index.name, index]));
  const names = new Set<string | undefined>([
    ...["_id_", ...shardIndexes(collection)],
    ...declared.map(({ name }) => name),
  ]);
  return {
    missing: declared.filter(({ name }) => !found.has(name)).map((index) => ({ ...index })),
    undeclared: existing.flatMap(({ name }) => (name === undefined || names.has(name) ? [] : name)),
    different: declared.flatMap((index) => {
      const present = found.get(index.name);
      return present && !isAsDeclared(index, present) ? index.name : [];
    }),
  };
}

/** MongoDB's names for the indexes of hashed shard keys, which it creates when a collection is sharded. */
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

/** Does the existing index have the declared key, and exactly the declared options? */
export function isAsDeclared(
  declared: DeclaredIndex,
  { v: _v, ns: _ns, ...present }: IndexDescription & { v?: unknown; ns?: unknown },
): boolean {
  return canonical(declared) === canonical(present as DeclaredIndex);
}

// The order of a key's fields matters, the order of the options does not.
function canonical({ name, key, ...options }: DeclaredIndex): string {
  const sorted = Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([name, Object.entries(key), sorted]);
}
