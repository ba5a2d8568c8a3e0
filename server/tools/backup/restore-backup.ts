import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, gunzipSync } from "node:zlib";
import { BSON, type Collection, type Db, type Document, MongoClient, MongoError } from "mongodb";
import { type DatabaseAddress, SAFE_OPTIONS } from "../../src/db/client.ts";
import { migrate } from "../../src/db/migrate.ts";
import { UserError } from "../lib/user-error.ts";
import type { Accounts } from "../start/auth/accounts.ts";
import { lines } from "./lines.ts";
import { type Backup, type CollectionBackup, damaged, STAGING_PREFIX } from "./manifest.ts";

const BATCH = 500;
const MAX_CHARACTERS = 8_000_000;

/**
 * Restores a backup. Loads and indexes everything in staging collections, and replaces the existing ones at the end, one at a
 * time: a restore that fails before that has changed nothing.
 * @throws {UserError} if a file is damaged, or the database is not empty and `replace` is not set.
 */
export async function restoreBackup(
  address: DatabaseAddress,
  { collections, folder }: Backup,
  { replace = false } = {},
): Promise<void> {
  await using client = new MongoClient(address.uri, SAFE_OPTIONS);
  await client.connect();
  const db = client.db(address.dbName);
  const present = await namesIn(db);
  if (!replace) await requireEmpty(db, present);
  // Sequentially: creating collections concurrently has crashed MongoDB under Wine.
  for (const collection of collections) await load(db, collection, folder);
  for (const { name } of collections)
    await db.renameCollection(STAGING_PREFIX + name, name, { dropTarget: true });
  const restored = new Set(collections.map(({ name }) => name));
  for (const name of present) if (!restored.has(name)) await db.collection(name).deleteMany({});
  // Adds indexes and validation rules that the backup lacks.
  await migrate(address);
}

async function namesIn(db: Db): Promise<string[]> {
  const found = await db.listCollections({ type: "collection" }, { nameOnly: true }).toArray();
  return found
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("system.") && !name.startsWith(STAGING_PREFIX));
}

async function requireEmpty(db: Db, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (!(await db.collection(name).findOne({}, { projection: { _id: 1 } }))) continue;
    throw new UserError(
      `The database ${db.databaseName} is not empty (there is something in ${name}): ` +
        "add --replace to replace everything it holds by the backup.",
    );
  }
}

async function load(
  db: Db,
  { name, file, documents, indexes }: CollectionBackup,
  folder: string,
): Promise<void> {
  const staged = STAGING_PREFIX + name;
  // Left over from an interrupted restore.
  await db.dropCollection(staged);
  const collection = await db.createCollection(staged);
  const count = await insertLines(collection, join(folder, file));
  if (count !== documents)
    throw new UserError(
      `${file} holds ${count} documents instead of ${documents}: this backup cannot be restored.`,
    );
  if (indexes.length > 0) await collection.createIndexes(indexes);
}

async function insertLines(collection: Collection, path: string): Promise<number> {
  let count = 0;
  let batch: Document[] = [];
  let characters = 0;
  const flush = async () => {
    if (batch.length > 0) await collection.insertMany(batch);
    count += batch.length;
    [batch, characters] = [[], 0];
  };
  // JSON has no raw line feeds, so each line is one document. The stream pauses while a batch is being stored.
  await pipeline(createReadStream(path), createGunzip(), async (input: AsyncIterable<Buffer>) => {
    for await (const line of lines(input)) {
      batch.push(BSON.EJSON.parse(line, { relaxed: false }) as Document);
      characters += line.length;
      // The content of files is in documents of 255 kB.
      if (batch.length === BATCH || characters > MAX_CHARACTERS) await flush();
    }
  }).catch((error: unknown) => {
    throw error instanceof MongoError ? error : damaged(path, error);
  });
  await flush();
  return count;
}

/** The accounts in a backup. @throws {UserError} if their file is damaged. */
export function accountsIn({ folder, accounts }: Backup): Accounts | undefined {
  if (!accounts) return undefined;
  const path = join(folder, accounts.file);
  try {
    return JSON.parse(gunzipSync(readFileSync(path)).toString()) as Accounts;
  } catch (error) {
    throw damaged(path, error);
  }
}
