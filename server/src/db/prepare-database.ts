import { setTimeout as sleep } from "node:timers/promises";
import { type Collection, type Db, type IndexDescription, MongoClient, MongoServerError } from "mongodb";
import type { Logger } from "pino";
import { type Database, type DatabaseAddress, SAFE_OPTIONS } from "./client.ts";
import { COLLECTIONS, type CollectionName } from "./collections.ts";
import { existingIndexes, indexDrift, isAsDeclared } from "./index-drift.ts";
import { INDEXES } from "./indexes.ts";
import { withLease } from "./lease.ts";
import { toMongoSchema } from "./mongo-schema.ts";

type Log = Pick<Logger, "info" | "warn">;
const SILENT: Log = { info: () => undefined, warn: () => undefined };
const NAMES = Object.keys(INDEXES) as CollectionName[];

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
    await ensureCollections(db, log);
    const existing = await indexesOf(db);
    let unfinished = false;
    for (const name of NAMES) {
      const collection = db.collection(name);
      const { missing, undeclared, different } = indexDrift(name, existing[name]);
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
    for (const name of NAMES) {
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
  if (missing.length > 1 && (await createAtOnce(collection, missing, log))) return;
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

/** In one pass over the collection. @returns false if one of them conflicts with another: then each is tried alone. */
async function createAtOnce(collection: Collection, missing: IndexDescription[], log: Log): Promise<boolean> {
  const started = performance.now();
  try {
    await collection.createIndexes(missing);
  } catch (error) {
    if (error instanceof MongoServerError && CONFLICTS.has(error.code)) return false;
    throw error;
  }
  const ms = Math.round(performance.now() - started);
  const indexes = missing.map(({ name }) => name);
  log.info({ collection: collection.collectionName, indexes, ms }, "indexes created");
  return true;
}

async function ensureCollections(db: Db, log: Log): Promise<void> {
  const present = await db.listCollections({}, { nameOnly: false }).toArray();
  for (const name of NAMES) {
    const found = present.find((collection) => collection.name === name);
    if (found) await ensureRules(db, name, found.options ?? {}, log);
    else await db.createCollection(name, rulesOf(name));
  }
}

/** The indexes of all collections, read side by side: a start waits for the slowest of these reads, not for their sum. */
async function indexesOf(db: Db): Promise<Record<CollectionName, IndexDescription[]>> {
  const found = NAMES.map(async (name) => [name, await existingIndexes(db.collection(name))] as const);
  return Object.fromEntries(await Promise.all(found)) as Record<CollectionName, IndexDescription[]>;
}

/**
 * What the database itself enforces of a collection's documents: whatever gets past the schemas of the API, or is written
 * by another program, is refused, fields that nobody declared included.
 */
export function rulesOf(name: CollectionName) {
  const validator = { $jsonSchema: toMongoSchema(COLLECTIONS[name]) };
  return { validator, validationLevel: "strict", validationAction: "error" } as const;
}

const UNAUTHORIZED = 13;

/**
 * Makes the rules of a collection the declared ones, if they are not. A database user who may not do that (MongoDB's
 * `readWrite` may create a collection with rules and not change them) is a warning, not the end.
 */
async function ensureRules(db: Db, name: CollectionName, present: Rules, log: Log): Promise<void> {
  const declared = rulesOf(name);
  const { validator, validationLevel, validationAction } = present;
  if (canonicalJson({ validator, validationLevel, validationAction }) === canonicalJson(declared)) return;
  try {
    await db.command({ collMod: name, ...declared });
    log.info({ collection: name }, "document rules set");
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== UNAUTHORIZED) throw error;
    log.warn(
      { collection: name },
      "document rules differ from what is declared, and this user may not set them",
    );
  }
}

type Rules = { validator?: unknown; validationLevel?: unknown; validationAction?: unknown };

// The order of fields means nothing in a schema.
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** The building of indexes beside the serving of requests. */
export type IndexBuild = {
  /**
   * True once every declared index is built that can be: from then on no request reads a whole collection for want of one
   * that is only late. It stays true: one that is unlike declared, or is dropped later, is reported, and reads do without it.
   */
  isComplete(): boolean;
  stop(): void;
};

const RETRY_MS = 5_000;

/**
 * Builds the indexes that were too large to wait for before the first request. Requests are answered meanwhile, rightly
 * and more slowly. A failure is logged, and tried again after a pause: until then this instance is not ready.
 */
export function startIndexBuild({
  database,
  address,
  logger,
}: {
  database: Database;
  address: DatabaseAddress;
  logger: Logger;
}): IndexBuild {
  const stopping = new AbortController();
  const { signal } = stopping;
  let complete = database.hints.complete();

  async function build(): Promise<void> {
    while (!signal.aborted && !complete) {
      try {
        await buildIndexes(address, logger);
        await database.hints.refresh();
        complete = true;
      } catch (error) {
        if (signal.aborted) return;
        logger.error({ err: error }, "indexes could not be built, trying again");
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  void build();
  return { isComplete: () => complete, stop: () => stopping.abort() };
}
