import { realpathSync } from "node:fs";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { loadConfig } from "../../src/config.ts";
import type { DatabaseAddress } from "../../src/db/client.ts";
import type { Closer } from "../lib/closer.ts";
import { tryLock } from "../lib/lock.ts";
import type { Settings } from "../lib/settings.ts";
import { UserError } from "../lib/user-error.ts";
import { waitUntil } from "../lib/wait-until.ts";
import { claimDataDir, launcherLock } from "../start/embedded.ts";
import { REPLICA_SET } from "../start/mongo/replica-set.ts";
import { databaseFolder, lastStart, startMongo } from "../start/mongo/start-mongo.ts";

/**
 * Opens the database to read: MONGODB_URI, else the embedded one of the data folder, which is started unless it is running.
 * @param name the reading command, for error messages.
 * @throws {UserError} if the data folder is in use, but its database cannot be found.
 */
export async function openForReading(
  settings: Settings,
  closer: Closer,
  name: string,
): Promise<DatabaseAddress> {
  if (settings.mongoUri) return addressOf(settings.mongoUri);
  const holder = holderOf(settings.dataDir);
  if (holder) return runningDatabase(settings.dataDir, holder);
  claimDataDir(settings, closer, name);
  return startDatabase(settings, closer);
}

/**
 * Opens the database for a restore: MONGODB_URI, else the embedded one, whose data folder stays locked until the closer
 * closes. A running product is found through the lock of that folder, so no other product is ever stopped.
 * @param options.replace stops the product running on the folder; without it that is an error.
 * @returns `stopped`, the command that was stopped, if any.
 */
export async function openForRestore(
  settings: Settings,
  closer: Closer,
  { replace }: { replace: boolean },
): Promise<{ address: DatabaseAddress; stopped: string | undefined }> {
  const { mongoUri, dataDir } = settings;
  if (mongoUri) return { address: addressOf(mongoUri), stopped: undefined };
  const holder = holderOf(dataDir);
  if (holder) await stopProduct(dataDir, holder, replace);
  claimDataDir(settings, closer, "npm run restore");
  return { address: await startDatabase(settings, closer), stopped: holder?.name };
}

/**
 * Whether the accounts of the configured database are in the data folder. Those that belong to MONGODB_URI are not, even if
 * this machine uses an Auth emulator.
 */
export function hasLocalAccounts({ mongoUri, emulatorPort }: Settings): boolean {
  return mongoUri === undefined && emulatorPort !== undefined;
}

type LockHolder = { heldBy: number; name: string | undefined };

function holderOf(dataDir: string): LockHolder | undefined {
  const lock = tryLock(launcherLock(dataDir));
  if ("heldBy" in lock) return lock;
  lock.release();
  return undefined;
}

async function startDatabase({ dataDir }: Settings, closer: Closer): Promise<DatabaseAddress> {
  const progress = (text: string) => process.stderr.write(`  · MongoDB: ${text}\n`);
  const starting = startMongo({ dataDir, progress, onCrash: closer.fail });
  const mongo = await closer.track(starting, (started) => started.stop());
  return addressOf(mongo.uri);
}

const PRODUCT_COMMANDS: readonly unknown[] = ["npm start", "npm run dev"];
const STOP_MS = 30_000;

/** Stops the product like Ctrl-C does, and waits until it has released its data folder. */
async function stopProduct(dataDir: string, holder: LockHolder, replace: boolean): Promise<void> {
  const who = `${holder.name}, process ${holder.heldBy}`;
  if (!PRODUCT_COMMANDS.includes(holder.name))
    throw new UserError(`${dataDir} is in use (${who}): try again when that has ended.`);
  // Only Linux provides start times of processes; elsewhere another process may have got the id meanwhile.
  if (!replace || process.platform !== "linux")
    throw new UserError(
      `Tasklane is running on ${dataDir} (${who}): stop it with Ctrl-C, then restore again.`,
    );
  process.stdout.write(`Stopping Tasklane on ${dataDir} (${who})\n`);
  process.kill(holder.heldBy, "SIGTERM");
  const stopped = await waitUntil(() => holderOf(dataDir)?.heldBy !== holder.heldBy, { timeoutMs: STOP_MS });
  if (!stopped) throw new UserError(`Tasklane on ${dataDir} (${who}) did not stop: nothing was restored.`);
}

/**
 * The database of the product running on the data folder. Another product may have got its port meanwhile, so this asks the
 * server which folder it uses.
 */
async function runningDatabase(dataDir: string, holder: LockHolder): Promise<DatabaseAddress> {
  const folder = join(dataDir, "mongo");
  const port = lastStart(folder)?.port;
  const served = port && (await folderServedAt(port));
  if (!served || served !== real(databaseFolder(folder)))
    throw new UserError(
      `Tasklane is running on ${dataDir} (${holder.name}, process ${holder.heldBy}), but its database does not respond: ` +
        "it may be starting (try again in a moment), or it uses another database (set MONGODB_URI).",
    );
  return addressOf(`mongodb://127.0.0.1:${port}/tasklane?replicaSet=${REPLICA_SET}`);
}

async function folderServedAt(port: number): Promise<string | undefined> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 3_000,
  });
  try {
    const { parsed } = await client.db("admin").command({ getCmdLineOpts: 1 });
    return real(parsed.storage.dbPath);
  } catch {
    return undefined;
  } finally {
    await client.close();
  }
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function addressOf(uri: string): DatabaseAddress {
  return loadConfig({ MONGODB_URI: uri, FIREBASE_PROJECT_ID: "demo-tasklane" }).mongodb;
}
