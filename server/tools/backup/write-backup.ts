import { createWriteStream, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, gzipSync } from "node:zlib";
import { BSON, type ClientSession, type Db, MongoClient, MongoServerError } from "mongodb";
import { type DatabaseAddress, SAFE_OPTIONS } from "../../src/db/client.ts";
import { PRIVATE_FILE, privateFolder } from "../lib/private-folder.ts";
import { UserError } from "../lib/user-error.ts";
import type { Accounts } from "../start/auth/accounts.ts";
import {
  type CollectionBackup,
  describeFile,
  FORMAT,
  MANIFEST,
  type Manifest,
  STAGING_PREFIX,
} from "./manifest.ts";

/** Short-lived data: counters of the current minute or day, and leases. */
const EXCLUDED = new Set(["rateLimits", "addressViews", "dayCounts", "leases"]);
const SNAPSHOT_TOO_OLD = 239;
const BATCH = 500;
const WRITING = { flush: true, mode: PRIVATE_FILE };

/** Where a backup is until it is complete. */
export const partialOf = (folder: string) => `${folder}.partial`;

/**
 * Writes a consistent snapshot of the whole database into a new folder, in constant memory. The folder gets its final name
 * only once it is complete.
 * @param readAccounts called after the database was read, so that nobody in it lacks an account.
 * @throws {UserError} if the folder exists, or reading took longer than the database keeps snapshots.
 */
export async function writeBackup(
  { uri, dbName }: DatabaseAddress,
  folder: string,
  readAccounts?: () => Accounts | undefined,
): Promise<Manifest> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new UserError(`${folder} already exists: choose a new folder for this backup.`);
  const partial = partialOf(folder);
  rmSync(partial, { recursive: true, force: true });
  privateFolder(partial);
  await using client = new MongoClient(uri, SAFE_OPTIONS);
  try {
    await client.connect();
    const collections = await client.withSession({ snapshot: true }, (session) =>
      writeCollections(client.db(dbName), session, partial),
    );
    const accounts = readAccounts?.();
    const manifest: Manifest = {
      format: FORMAT,
      product: "tasklane",
      createdAt: new Date().toISOString(),
      database: dbName,
      collections,
      ...(accounts && { accounts: await writeAccounts(accounts, partial) }),
    };
    writeFileSync(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, WRITING);
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
    return manifest;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === SNAPSHOT_TOO_OLD) throw new UserError(TOO_LONG);
    throw error;
  }
}

const TOO_LONG =
  "Reading took longer than the database keeps snapshots (five minutes by default): set its parameter " +
  "minSnapshotHistoryWindowInSeconds to 3600, then run the backup again.";

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
  return { name, documents, indexes, ...(await describeFile(folder, file)) };
}

async function writeAccounts(accounts: Accounts, folder: string): Promise<NonNullable<Manifest["accounts"]>> {
  const file = "accounts.json.gz";
  writeFileSync(join(folder, file), gzipSync(JSON.stringify(accounts)), WRITING);
  return { ...(await describeFile(folder, file)), count: accounts.users.length };
}
