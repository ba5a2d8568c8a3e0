import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MongoMemoryServer } from "mongodb-memory-server-core";
import { MongoInstanceEvents } from "mongodb-memory-server-core/lib/util/MongoInstance.js";
import { identify, isRunning, type ProcessIdentity } from "../../lib/lock.ts";
import { freePort, isPortFree } from "../../lib/ports.ts";
import { privateFolder } from "../../lib/private-folder.ts";
import { UserError } from "../../lib/user-error.ts";
import { waitUntil } from "../../lib/wait-until.ts";
import { findMongod, MONGO_VERSION } from "./find-mongod.ts";
import { becomePrimary, REPLICA_SET } from "./replica-set.ts";

const LAST_RUN_EXIT_MS = 15_000;
const REMOVING = { recursive: true, force: true, maxRetries: 5, retryDelay: 200 };
// The default cache, half of the machine's memory, is too much beside a browser and an editor. The transaction of a killed
// process locks its documents for ten seconds instead of sixty.
const ARGS = ["--wiredTigerCacheSizeGB", "1", "--setParameter", "transactionLifetimeLimitSeconds=10"];

// Checking the version of the wrapped binary would needlessly start Wine once more.
process.env["MONGOMS_SYSTEM_BINARY_VERSION_CHECK"] ??= "false";

export interface RunningMongo {
  /** Connection string of the replica set, database `tasklane`. */
  uri: string;
  port: number;
  stop(): Promise<void>;
}

export interface MongoOptions {
  /** Where the data is stored; without it the data is temporary and removed on stop. */
  dataDir?: string;
  /** Keeps temporary data in memory if the system can, for tests, which would otherwise wait for the disk. */
  inMemory?: boolean;
  /** More arguments for mongod. */
  args?: readonly string[];
  progress?: (text: string) => void;
  /** Called if the database ends unexpectedly. */
  onCrash?: (error: Error) => void;
}

const mongoFolder = (dataDir: string) => join(dataDir, "mongo");

/** Starts a single-node replica set on loopback, on persistent (`dataDir`) or temporary data. */
export async function startMongo(options: MongoOptions = {}): Promise<RunningMongo> {
  const progress = options.progress ?? (() => undefined);
  const mongod = await findMongod(progress);
  const { dataDir } = options;
  const folder = dataDir
    ? privateFolder(mongoFolder(dataDir))
    : await temporaryFolder(options.inMemory ? await memoryFolder() : tmpdir());
  const dbPath = join(folder, "db");
  mkdirSync(dbPath, { recursive: true });
  const last = lastStart(folder);
  if (last && isRunning(last)) {
    // Its launcher was killed; mongodb-memory-server's helper process will end it within seconds.
    progress("waiting for the database of the last run to close");
    await waitUntil(() => !isRunning(last), { timeoutMs: LAST_RUN_EXIT_MS });
  }

  const keepsPort = last && (await isPortFree(last.port, { loopbackOnly: true }));
  const port = keepsPort ? last.port : await freePort();
  const args = [...ARGS, ...(options.args ?? [])];
  const server = await launchMongod({ mongod, dbPath, port, args }).catch((error: unknown) => {
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new UserError(`MongoDB failed to start on ${dbPath}: ${reason}`);
  });
  const instance = server.instanceInfo?.instance;
  let stopping = false;
  instance?.once(MongoInstanceEvents.instanceClosed, () => {
    if (!stopping)
      options.onCrash?.(new UserError(`MongoDB ended unexpectedly (is the disk full?): ${dbPath}`));
  });
  const stop = async () => {
    stopping = true;
    // Sends the shutdown command and waits for the process.
    await server.stop({ doCleanup: false });
    if (!dataDir) await rm(folder, REMOVING);
  };
  const started: LastStart = { ...identify(instance?.mongodProcess?.pid ?? 0), port };
  writeFileSync(lastStartFile(folder), JSON.stringify(started));
  try {
    await becomePrimary(port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { uri: uriAt(port), port, stop };
}

/** Makes a new folder, and removes those of killed processes, whose databases no longer run. */
export async function temporaryFolder(parent: string): Promise<string> {
  const prefix = "tasklane-mongo-";
  for (const name of readdirSync(parent).filter((name) => name.startsWith(prefix))) {
    const folder = join(parent, name);
    const last = lastStart(folder);
    if (last && !isRunning(last)) await rm(folder, REMOVING);
  }
  return mkdtemp(join(parent, prefix));
}

const SHARED_MEMORY = "/dev/shm";
/** What a run of all tests may need, in bytes; /dev/shm is often far smaller in containers. */
const MIN_SHARED_MEMORY = 4 * 1024 ** 3;

/** A folder in memory (Linux's tmpfs), or the usual temporary one if memory is short. */
export async function memoryFolder(): Promise<string> {
  const memory = await statfs(SHARED_MEMORY).catch(() => null);
  return memory && memory.bavail * memory.bsize >= MIN_SHARED_MEMORY ? SHARED_MEMORY : tmpdir();
}

/**
 * Starts mongod as a member of a replica set on loopback, and waits until it accepts connections. If this process dies, a
 * helper process of the library stops it.
 */
export async function launchMongod(options: {
  mongod: string;
  dbPath: string;
  port: number;
  args: string[];
}): Promise<MongoMemoryServer> {
  const { mongod, dbPath, port, args } = options;
  const server = new MongoMemoryServer({
    instance: {
      port,
      portGeneration: false,
      ip: "127.0.0.1",
      dbPath,
      storageEngine: "wiredTiger",
      replSet: REPLICA_SET,
      // For a busy machine, on which a start under Wine took 50 s.
      launchTimeout: 180_000,
      args,
    },
    binary: { systemBinary: mongod, version: MONGO_VERSION },
    // Its own process group: Ctrl-C reaches only the launcher, which stops everything in order.
    spawn: { detached: process.platform !== "win32" },
    dispose: { enabled: false },
  });
  try {
    await server.start();
    return server;
  } catch (error) {
    await server.stop({ doCleanup: false }).catch(() => undefined);
    throw error;
  }
}

type LastStart = ProcessIdentity & { port: number };
export const lastStartFile = (folder: string) => join(folder, "last-start.json");

/** The process and port of the last start on this folder. */
function lastStart(folder: string): LastStart | undefined {
  try {
    return JSON.parse(readFileSync(lastStartFile(folder), "utf8")) as LastStart;
  } catch {
    return undefined;
  }
}

const uriAt = (port: number) => `mongodb://127.0.0.1:${port}/tasklane?replicaSet=${REPLICA_SET}`;

/** The connection string of the database that is running on a data folder; undefined if none is. */
export function runningMongo(dataDir: string): string | undefined {
  const last = lastStart(mongoFolder(dataDir));
  return last && isRunning(last) ? uriAt(last.port) : undefined;
}
