import { isDeepStrictEqual } from "node:util";
import { type Collection, type Db, type Document, MongoClient, MongoServerError } from "mongodb";
import type { Logger } from "pino";
import { type DatabaseAddress, SAFE_OPTIONS } from "./client.ts";
import { COLLECTIONS, type CollectionName } from "./collections.ts";
import { type DeclaredIndex, INDEXES } from "./indexes.ts";
import { withLease } from "./lease.ts";
import { toMongoSchema } from "./mongo-schema.ts";

type Log = Pick<Logger, "info">;
const NAMES = Object.keys(INDEXES) as CollectionName[];

/**
 * Raise it in each release that changes rules or indexes: it is stored with the rules, and an instance leaves those of a
 * newer version alone. So one of the previous version can restart while this one is being rolled out.
 */
export const SCHEMA_VERSION = 1;

/**
 * Creates missing collections and indexes and sets the validation rules, before anything is served. Collections one after
 * another and by one instance at a time, because creating them concurrently has crashed servers under Wine. An index
 * that differs from its declaration is built anew; undeclared ones stay. Uses its own client without the time limits of
 * requests, because an index over a million tasks takes long.
 */
export async function migrate(
  { uri, dbName }: DatabaseAddress,
  log: Log = { info: () => undefined },
  version = SCHEMA_VERSION,
): Promise<void> {
  const client = new MongoClient(uri, SAFE_OPTIONS);
  try {
    await client.connect();
    const db = client.db(dbName);
    const onWait = () => log.info("another instance is migrating the database");
    await withLease(db, "migrate", () => migrateAll(db, log, version), { onWait });
  } finally {
    await client.close();
  }
}

async function migrateAll(db: Db, log: Log, version: number): Promise<void> {
  const found = await db.listCollections({}, { nameOnly: false }).toArray();
  for (const name of NAMES) {
    const declared = rulesOf(name, version);
    const present: Rules | undefined = found.find((collection) => collection.name === name)?.options;
    const stored = Number(present?.validator?.$jsonSchema?.description ?? 0);
    if (stored > version) {
      log.info({ collection: name, version: stored }, "a newer version's rules and indexes stay");
      continue;
    }
    const { validator, validationLevel, validationAction } = present ?? {};
    if (!present) await db.createCollection(name, declared);
    else if (!isDeepStrictEqual({ validator, validationLevel, validationAction }, declared)) {
      await db.command({ collMod: name, ...declared });
      log.info({ collection: name }, "document rules set");
    }
    await createIndexes(db.collection(name), INDEXES[name], log);
  }
}

// IndexOptionsConflict, IndexKeySpecsConflict: one with this name or key exists that differs otherwise.
const CONFLICTS = new Set<unknown>([85, 86]);

async function createIndexes(collection: Collection, declared: readonly DeclaredIndex[], log: Log) {
  const { collectionName } = collection;
  const create = (indexes: readonly DeclaredIndex[]) =>
    collection.createIndexes(indexes.map((index) => ({ ...index })));
  const started = performance.now();
  try {
    await create(declared);
  } catch (error) {
    if (!(error instanceof MongoServerError) || !CONFLICTS.has(error.code)) throw error;
    for (const present of await collection.listIndexes().toArray()) {
      const same = declared.find(
        ({ name, key }) => name === present.name || JSON.stringify(key) === JSON.stringify(present.key),
      );
      const conflicts =
        same &&
        (await create([same]).then(
          () => false,
          () => true,
        ));
      if (!conflicts) continue;
      log.info({ collection: collectionName, index: present.name }, "an index differs, it is built anew");
      await collection.dropIndex(present.name);
    }
    await create(declared);
  }
  const ms = Math.round(performance.now() - started);
  if (ms > SLOW_MS) log.info({ collection: collectionName, ms }, "indexes built");
}

const SLOW_MS = 1_000;

type Rules = {
  validator?: { $jsonSchema?: { description?: string } };
  validationLevel?: unknown;
  validationAction?: unknown;
};

/**
 * Document validation in the database: it rejects what gets past the API's schemas or is written by other programs,
 * including undeclared fields. A document that was stored under earlier rules and violates these can still be changed
 * (`moderate`), so a new required field does not make stored documents unusable.
 */
export function rulesOf(name: CollectionName, version = SCHEMA_VERSION) {
  const $jsonSchema: Document = { description: String(version), ...toMongoSchema(COLLECTIONS[name]) };
  return { validator: { $jsonSchema }, validationLevel: "moderate", validationAction: "error" } as const;
}
