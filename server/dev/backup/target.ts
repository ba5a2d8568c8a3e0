import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/config.ts";
import type { DatabaseAddress } from "../../src/db/client.ts";
import { claimDataDir } from "../embedded.ts";
import type { Closer } from "../lib/closer.ts";
import { tryLock } from "../lib/lock.ts";
import type { Settings } from "../lib/settings.ts";
import { UserError } from "../lib/user-error.ts";
import { REPLICA_SET } from "../mongo/replica-set.ts";
import { startMongo } from "../mongo/start-mongo.ts";

/** The database that a backup is made of or put into, and whether the product runs on the data folder at the moment. */
export type Target = { address: DatabaseAddress; running: boolean };

/** Finds the database: that of MONGODB_URI, or the embedded one, which is started if it does not run. */
export async function openTarget(settings: Settings, closer: Closer): Promise<Target> {
  const { dataDir, mongoUri } = settings;
  const running = isClaimed(dataDir);
  if (mongoUri) return { address: addressOf(mongoUri), running };
  if (running) return { address: addressOf(runningUri(dataDir)), running };
  claimDataDir(settings, closer);
  const progress = (text: string) => process.stderr.write(`  · MongoDB: ${text}\n`);
  const mongo = await closer.track(startMongo({ dataDir, progress, onCrash: closer.fail }), (started) =>
    started.stop(),
  );
  return { address: addressOf(mongo.uri), running };
}

function isClaimed(dataDir: string): boolean {
  const lock = tryLock(join(dataDir, "launcher.lock"));
  if ("heldBy" in lock) return true;
  lock.release();
  return false;
}

function runningUri(dataDir: string): string {
  try {
    const port = Number(readFileSync(join(dataDir, "mongo", "port"), "utf8"));
    return `mongodb://127.0.0.1:${port}/tasklane?replicaSet=${REPLICA_SET}`;
  } catch {
    throw new UserError(
      `Something runs on ${dataDir}, but its database is not up yet: try again in a moment.`,
    );
  }
}

function addressOf(uri: string): DatabaseAddress {
  return loadConfig({ MONGODB_URI: uri, FIREBASE_PROJECT_ID: "demo-tasklane" }).mongodb;
}
