import { type Collection, type Db, type IndexDescription, MongoClient, MongoServerError } from "mongodb";
import type { Logger } from "pino";
import { type DatabaseAddress, SAFE_OPTIONS } from "./client.ts";
import type { CollectionName } from "./collections.ts";
import { ensureRules, rulesOf } from "./document-rules.ts";
import { existingIndexes, INDEXES, indexDrift, isAsDeclared } from "./indexes.ts";
import { withLease } from "./lease.ts";

type Log = Pick<Logger, "info" | "warn">;
const SILENT: Log = { info: () => undefined, warn: () => undefined };

type Options = {
  log?: Log;
  /** Indexes of collections with more documents than this are left to {@link buildIndexes}, except unique ones. */
  waitUpTo?: number;
};

/**
 * Creates the collections and indexes that are missing, one after another: creating collections concurrently has
 * crashed servers under Wine, and transactions need their collections to exist. Indexes that are there and should not
 * be, or not like this, are reported and left alone, since dropping one is a person's decision.
 * One instance at a time does this, for the same reason: others that start meanwhile wait, and find everything there.
 * Uses its own client, without the time limits of requests: an index over a million tasks takes a while.
 * @returns true if indexes were left for {@link buildIndexes}.
 */
export async function prepareDatabase(address: DatabaseAddress, options: Options = {}): Promise<boolean> {
  const { log = SILENT, waitUpTo = Number.POSITIVE_INFINITY } = options;
  return withPatientClient(address, "prepare", log, async (db) => {
    let unfinished = false;
    for (const name of Object.keys(INDEXES) as CollectionName[]) {
      await ensureCollection(db, name);
      await ensureRules(db, name, log);
      const collection = db.collection(name);
      const { missing, undeclared, different } = indexDrift(name, await existingIndexes(collection));
      if (undeclared.length > 0)
        log.warn({ collection: name, indexes: undeclared }, "indexes nobody declared");
      if (different.length > 0) log.warn({ collection: name, indexes: different }, "indexes unlike declared");
      const wait = missing.length > 0 && (await collection.estimatedDocumentCount()) <= waitUpTo;
      // A unique index is a rule, and no request may get in before it holds.
      const now = missing.filter((index) => wait || index.unique);
      await create(collection, now, log);
      unfinished ||= now.length < missing.length;
    }
    return unfinished;
  });
}

/**
 * Builds what {@link prepareDatabase} left, and waits for what another instance is building. MongoDB builds an index
 * beside reads and writes, not instead of them.
 */
export async function buildIndexes(address: DatabaseAddress, log: Log = SILENT): Promise<void> {
  await withPatientClient(address, "build-indexes", log, async (db) => {
    for (const name of Object.keys(INDEXES) as CollectionName[]) {
      const collection = db.collection(name);
      const existing = await existingIndexes(collection);
      await create(collection, indexDrift(name, existing).missing, log);
      // An index is listed from when its building begins: asked for again, the database answers when it is done.
      const listed = INDEXES[name].filter((index) => existing.some((found) => isAsDeclared(index, found)));
      if (listed.length > 0) await collection.createIndexes(listed.map((index) => ({ ...index })));
    }
  });
}

async function withPatientClient<T>(
  { uri, dbName }: DatabaseAddress,
  lease: string,
  log: Log,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const client = new MongoClient(uri, SAFE_OPTIONS);
  try {
    await client.connect();
    const db = client.db(dbName);
    const onWait = () => log.info({ lease }, "waiting for another instance, which does this");
    return await withLease(db, lease, () => work(db), { onWait });
  } finally {
    await client.close();
  }
}

// IndexOptionsConflict, IndexKeySpecsConflict: the same key is there under another name, or with other options.
const CONFLICTS = new Set<unknown>([85, 86]);

async function create(collection: Collection, missing: IndexDescription[], log: Log): Promise<void> {
  for (const index of missing) {
    const started = performance.now();
    try {
      await collection.createIndexes([index]);
    } catch (error) {
      if (!(error instanceof MongoServerError) || !CONFLICTS.has(error.code) || index.unique) throw error;
      log.warn({ index: index.name, err: error }, "an index could not be created beside another one");
      continue;
    }
    const ms = Math.round(performance.now() - started);
    log.info({ collection: collection.collectionName, index: index.name, ms }, "index created");
  }
}

async function ensureCollection(db: Db, name: CollectionName): Promise<void> {
  const present = await db.listCollections({ name }, { nameOnly: true }).hasNext();
  if (!present) await db.createCollection(name, rulesOf(name));
}
