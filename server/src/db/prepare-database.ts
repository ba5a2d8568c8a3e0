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
  /** For collections with more documents than this, {@link buildIndexes} builds all but the unique indexes. */
  waitUpTo?: number;
};

/**
 * Creates missing collections (transactions need them to exist) and indexes, one after another, because creating
 * collections concurrently has crashed servers under Wine. For the same reason only one instance at a time does this;
 * others wait and find everything in place. Undeclared or different indexes are only logged: dropping one is up to an
 * administrator. Uses its own client without the time limits of requests, because an index over a million tasks takes
 * long.
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
      if (undeclared.length > 0) log.warn({ collection: name, indexes: undeclared }, "undeclared indexes");
      if (different.length > 0)
        log.warn({ collection: name, indexes: different }, "indexes differ from their declaration");
      const wait = missing.length > 0 && (await collection.estimatedDocumentCount()) <= waitUpTo;
      // Unique indexes enforce rules, so they must exist before the first request.
      const now = missing.filter((index) => wait || index.unique);
      await create(collection, now, log);
      unfinished ||= now.length < missing.length;
    }
    return unfinished;
  });
}

/**
 * Builds the indexes that {@link prepareDatabase} left out, and waits for those that another instance is building.
 * MongoDB keeps serving reads and writes meanwhile.
 */
export async function buildIndexes(address: DatabaseAddress, log: Log = SILENT): Promise<void> {
  await withPatientClient(address, "build-indexes", log, async (db) => {
    for (const name of NAMES) {
      const collection = db.collection(name);
      const existing = await existingIndexes(collection);
      await create(collection, indexDrift(name, existing).missing, log);
      // An index is listed as soon as its build begins. Requesting it again returns once it is built.
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
    const onWait = () => log.info({ lease }, "waiting for another instance to do this");
    return await withLease(db, lease, () => work(db), { onWait });
  } finally {
    await client.close();
  }
}

// IndexOptionsConflict, IndexKeySpecsConflict: the same key exists under another name or with other options.
const CONFLICTS = new Set<unknown>([85, 86]);

async function create(collection: Collection, missing: IndexDescription[], log: Log): Promise<void> {
  if (missing.length > 1 && (await createAtOnce(collection, missing, log))) return;
  for (const index of missing) {
    const started = performance.now();
    try {
      await collection.createIndexes([index]);
    } catch (error) {
      if (!(error instanceof MongoServerError) || !CONFLICTS.has(error.code) || index.unique) throw error;
      log.warn({ index: index.name, err: error }, "an index conflicts with an existing one");
      continue;
    }
    const ms = Math.round(performance.now() - started);
    log.info({ collection: collection.collectionName, index: index.name, ms }, "index created");
  }
}

/** Creates them in one pass over the collection. @returns false if one conflicts with an existing index. */
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

/** The indexes of all collections, read in parallel because startup waits for it. */
async function indexesOf(db: Db): Promise<Record<CollectionName, IndexDescription[]>> {
  const found = NAMES.map(async (name) => [name, await existingIndexes(db.collection(name))] as const);
  return Object.fromEntries(await Promise.all(found)) as Record<CollectionName, IndexDescription[]>;
}

/**
 * Document validation in the database: it rejects what gets past the API's schemas or is written by other programs,
 * including undeclared fields.
 */
export function rulesOf(name: CollectionName) {
  const validator = { $jsonSchema: toMongoSchema(COLLECTIONS[name]) };
  return { validator, validationLevel: "strict", validationAction: "error" } as const;
}

const UNAUTHORIZED = 13;

/**
 * Updates a collection's validation rules if they differ from the declared ones. Logs a warning if the database user
 * may not (MongoDB's `readWrite` role may create collections with rules, but not change them).
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
      "document rules differ from their declaration, and this user may not change them",
    );
  }
}

type Rules = { validator?: unknown; validationLevel?: unknown; validationAction?: unknown };

// The order of fields does not matter in a schema.
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** A build of indexes while requests are served. */
export type IndexBuild = {
  /**
   * True once every declared index that can be built is built. It stays true if an index is dropped later or differs
   * from its declaration: that is logged, and reads do without it.
   */
  isComplete(): boolean;
  stop(): void;
};

const RETRY_MS = 5_000;

/**
 * Builds the indexes that were too large to wait for at startup. Requests are served meanwhile, correctly but more
 * slowly. A failed build is logged and retried after a pause; until it succeeds, this instance is not ready.
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
