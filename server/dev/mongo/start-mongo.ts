import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MongoMemoryServer } from "mongodb-memory-server-core";
import { MongoInstanceEvents } from "mongodb-memory-server-core/lib/util/MongoInstance.js";
import { identify, isRunning, type ProcessIdentity } from "../lib/lock.ts";
import { freePort, isPortFree } from "../lib/ports.ts";
import { UserError } from "../lib/user-error.ts";
import { waitUntil } from "../lib/wait-until.ts";
import { findMongod, MONGO_VERSION } from "./find-mongod.ts";
import { becomePrimary, REPLICA_SET } from "./replica-set.ts";

const ATTEMPTS = 3;
const LEFTOVER_MS = 15_000;
// Half of the machine's memory, the default cache, is too much beside a browser and an editor. A transaction whose
// process was killed locks its documents for ten seconds instead of sixty.
const ARGS = ["--wiredTigerCacheSizeGB", "1", "--setParameter", "transactionLifetimeLimitSeconds=10"];

// Asking the wrapped binary for its version would start Wine once more for nothing.
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
  /** Keep temporary data in memory where the system offers that: for tests, which otherwise wait for the disk. */
  inMemory?: boolean;
  /** More arguments for mongod. */
  args?: readonly string[];
  progress?: (text: string) => void;
  /** Called if the database ends without having been stopped. */
  onCrash?: (error: Error) => void;
}

/** Starts a single-node replica set on loopback, on persistent (`dataDir`) or temporary data. */
export async function startMongo(options: MongoOptions = {}): Promise<RunningMongo> {
  const progress = options.progress ?? (() => undefined);
  const mongod = await findMongod(progress);
  const { dataDir } = options;
  const temporary = async () =>
    mkdtemp(join(options.inMemory ? await memoryFolder() : tmpdir(), "tasklane-mongo-"));
  const folder = dataDir ? join(dataDir, "mongo") : await temporary();
  const dbPath = databaseFolder(folder);
  mkdirSync(dbPath, { recursive: true });
  const last = lastStart(folder);
  if (last && isRunning(last)) {
    // Its launcher was killed: mongodb-memory-server's helper process ends it within seconds.
    progress("waiting for the database of the last run to close");
    await waitUntil(() => !isRunning(last), { timeoutMs: LEFTOVER_MS });
  }

  progress("starting");
  const args = [...ARGS, ...(options.args ?? [])];
  const { server, port } = await launch(mongod, dbPath, args, last?.port);
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
    if (!dataDir) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  const started: LastStart = { ...identify(instance?.mongodProcess?.pid ?? 0), port };
  writeFileSync(lastStartFile(folder), JSON.stringify(started));
  try {
    await becomePrimary(port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { uri: `mongodb://127.0.0.1:${port}/tasklane?replicaSet=${REPLICA_SET}`, port, stop };
}

const SHARED_MEMORY = "/dev/shm";
/** What a run of all tests may need, in bytes; containers often have far less. */
const ENOUGH_MEMORY = 4 * 1024 ** 3;

/** A folder in memory (Linux's tmpfs), or the usual temporary one where there is none or not enough of it. */
export async function memoryFolder(): Promise<string> {
  const memory = await statfs(SHARED_MEMORY).catch(() => null);
  return memory && memory.bavail * memory.bsize >= ENOUGH_MEMORY ? SHARED_MEMORY : tmpdir();
}

// A port that was free can be taken a moment later by another start: then another one is tried.
async function launch(mongod: string, dbPath: string, args: string[], preferredPort = 0) {
  for (let attempt = 1; ; attempt++) {
    const isFree = preferredPort > 0 && (await isPortFree(preferredPort, { loopbackOnly: true }));
    const port = isFree ? preferredPort : await freePort();
    try {
      return { server: await launchMongod({ mongod, dbPath, port, args }), port };
    } catch (error) {
      // How it fails on a taken port depends on the platform; that the port is taken does not.
      if (attempt < ATTEMPTS && !(await isPortFree(port, { loopbackOnly: true }))) continue;
      const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
      throw new UserError(`MongoDB does not start on ${dbPath}: ${reason}`);
    }
  }
}

/**
 * Starts mongod as a member of a replica set on loopback, and waits until it takes connections. A helper process of the
 * library ends it if this process dies without stopping it.
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
      launchTimeout: 60_000,
      args,
    },
    binary: { systemBinary: mongod, version: MONGO_VERSION },
    // A process group of its own: Ctrl-C reaches the launcher only, which stops things in order.
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

/** Where the database in this folder keeps its files. */
export const databaseFolder = (folder: string) => join(folder, "db");

type LastStart = ProcessIdentity & { port: number };
const lastStartFile = (folder: string) => join(folder, "last-start.json");

/** The process and port of the folder's last start. */
export function lastStart(folder: string): LastStart | undefined {
  try {
    return JSON.parse(readFileSync(lastStartFile(folder), "utf8")) as LastStart;
  } catch {
    return undefined;
  }
}
