import { resolve } from "node:path";
import { loadConfig } from "../../src/config.ts";
import type { DatabaseAddress } from "../../src/db/client.ts";
import type { Closer } from "../lib/closer.ts";
import type { Settings } from "../lib/settings.ts";
import { UserError } from "../lib/user-error.ts";
import { claimDataDir, holderOf } from "../start/data-dir.ts";
import { runningMongo, startMongo } from "../start/mongo/start-mongo.ts";

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
  const { mongoUri, dataDir } = settings;
  const holder = mongoUri ? undefined : holderOf(dataDir);
  if (!holder) {
    if (!mongoUri) claimDataDir(dataDir, closer, name);
    return openDatabase(settings, closer);
  }
  const running = runningMongo(dataDir);
  if (running) return addressOf(running);
  throw new UserError(
    `Tasklane is running on ${dataDir} (${holder.name}, process ${holder.heldBy}), but its database does not respond: ` +
      "it may be starting (try again in a moment), or it uses another database (set MONGODB_URI).",
  );
}

/** The folder that a command was given, below the one in which it was typed. @throws {UserError} if there is not exactly one. */
export function folderOf(positionals: readonly string[], usage: string): string {
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) throw new UserError(`Usage: ${usage}`);
  return resolve(process.env["INIT_CWD"] ?? ".", name);
}

/** Opens MONGODB_URI, else starts the database of the data folder, which this process has claimed. */
export async function openDatabase(
  { mongoUri, dataDir }: Settings,
  closer: Closer,
): Promise<DatabaseAddress> {
  if (mongoUri) return addressOf(mongoUri);
  const progress = (text: string) => process.stderr.write(`  · MongoDB: ${text}\n`);
  const starting = startMongo({ dataDir, progress, onCrash: closer.fail });
  const { uri } = await closer.track(starting, (started) => started.stop());
  return addressOf(uri);
}

/**
 * Whether the accounts of the configured database are in the data folder. Those that belong to MONGODB_URI are not, even if
 * this machine uses an Auth emulator.
 */
export function hasLocalAccounts({ mongoUri, emulatorPort }: Settings): boolean {
  return mongoUri === undefined && emulatorPort !== undefined;
}

function addressOf(uri: string): DatabaseAddress {
  return loadConfig({ MONGODB_URI: uri, FIREBASE_PROJECT_ID: "demo-tasklane" }).mongodb;
}
