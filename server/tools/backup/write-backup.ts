import { createWriteStream, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, gzipSync } from "node:zlib";
import { BSON, type ClientSession, type Db, MongoClient } from "mongodb";
import { type DatabaseAddress, SAFE_OPTIONS } from "../../src/db/client.ts";
import { PRIVATE_FILE, privateFolder } from "../lib/private-folder.ts";
import { UserError } from "../lib/user-error.ts";
import type { Accounts } from "../start/auth/accounts.ts";
import { type CollectionBackup, FORMAT, MANIFEST, type Manifest, STAGING_PREFIX } from "./manifest.ts";

/** Short-lived data: counters of the current minute or day, and leases. */
const EXCLUDED = new Set(["rateLimits", "addressViews", "dayCounts", "leases"]);
const BATCH = 500;
const WRITING = { flush: true, mode: PRIVATE_FILE };

/**
 * Writes a consistent snapshot of the whole database into a new folder, in constant memory.
 * @param readAccounts called after the database was read, so that nobody in it lacks an account.
 * @throws {UserError} if the folder exists.
 */
export async function writeBackup(
  { uri, dbName }: DatabaseAddress,
  folder: string,
  readAccounts?: () => Accounts | undefined,
): Promise<Manifest> {
  const existing = statSync(folder, { throwIfNoEntry: false });
  if (existing?.isFile()) throw new UserError(`${folder} is a file: choose a new folder for this backup.`);
  if (existing && readdirSync(folder).length > 0)
    throw new UserError(`${folder} already exists: choose a new folder for this backup.`);
  privateFolder(folder);
  await using client = new MongoClient(uri, SAFE_OPTIONS);
  await client.connect();
  const collections = await client.withSession({ snapshot: true }, (session) =>
    writeCollections(client.db(dbName), session, folder),
  );
  const accounts = readAccounts?.();
  const manifest: Manifest = {
    format: FORMAT,
    product: "tasklane",
    createdAt: new Date().toISOString(),
    database: dbName,
    collections,
    ...(accounts && { accounts: writeAccounts(accounts, folder) }),
  };
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, WRITING);
  return manifest;
}

async function writeCollections(db: Db, session: ClientSession, folder: string): Promise<CollectionBackup[]> {
  const present = await db.listCollections({ type: "collection" }, { nameOnly: true }).toArray();
  const names = present
    .map(({ name }) => name)
    // Staging collections were left by an interrupted restore.
    .filter((name) => !name.startsWith("system.") && !name.startsWith(STAGING_PREFIX) && !EXCLUDED.has(name));
  const written: CollectionBackup[] = [];
  for (const name of names.sort()) written.push(await writeCollection(db, name, session, folder));
  return written;
}

async function writeCollection(
  db: Db,
  name: string,
  session: ClientSession,
  folder: string,
): Promise<CollectionBackup> {
  // Without promotion numbers keep their BSON type: 32 bits, 64 bits or double.
  const options = { session, readConcern: "snapshot", batchSize: BATCH, promoteValues: false } as const;
  const cursor = db.collection(name).find({}, options);
  let documents = 0;
  async function* lines() {
    for await (const doc of cursor) {
      documents += 1;
      yield `${BSON.EJSON.stringify(doc, { relaxed: false })}\n`;
    }
  }
  // A file's name cannot have these characters everywhere, and a restore accepts none that leads elsewhere.
  const file = `${name.replace(/[%/\\:]/g, encodeURIComponent)}.ndjson.gz`;
  await pipeline(Readable.from(lines()), createGzip(), createWriteStream(join(folder, file), WRITING));
  const indexes = (await db.collection(name).indexes()).filter((index) => index.name !== "_id_");
  return { name, file, documents, indexes };
}

function writeAccounts(accounts: Accounts, folder: string): NonNullable<Manifest["accounts"]> {
  const file = "accounts.json.gz";
  writeFileSync(join(folder, file), gzipSync(JSON.stringify(accounts)), WRITING);
  return { file, count: accounts.users.length };
}
