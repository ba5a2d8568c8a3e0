import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MongoMemoryServer } from "mongodb-memory-server-core";
import { MongoInstanceEvents } from "mongodb-memory-server-core/lib/util/MongoInstance.js";
import { isPortFree, preferPort } from "../lib/ports.ts";
import { UserError } from "../lib/user-error.ts";
import { findMongod, MONGO_VERSION } from "./binary.ts";
import { endLeftover } from "./leftover.ts";
import { becomePrimary, REPLICA_SET } from "./replica-set.ts";

const ATTEMPTS = 3;

// Asking the wrapped binary for its version would start Wine once more for nothing.
process.env["MONGOMS_SYSTEM_BINARY_VERSION_CHECK"] ??= "false";

export interface RunningMongo {
  /** Connection string of the replica set, database `tasklane`. */
  uri: string;
  port: number;
  stop(): Promise<void>;
}

export interface MongoOptions {
  /** Where the data stays; without it the data is temporary and removed on stop. */
  dataDir?: string;
  progress?: (text: string) => void;
  /** Called if the database ends without having been stopped. */
  onCrash?: (error: Error) => void;
}

/** Starts a single-node replica set on loopback: on kept data (`dataDir`), or on a temporary folder. */
export async function startMongo(options: MongoOptions = {}): Promise<RunningMongo> {
  const progress = options.progress ?? (() => undefined);
  const mongod = await findMongod(progress);
  const { dataDir } = options;
  const folder = dataDir ? join(dataDir, "mongo") : await mkdtemp(join(tmpdir(), "tasklane-mongo-"));
  const dbPath = databaseFolder(folder);
  mkdirSync(dbPath, { recursive: true });
  if (dataDir) await endLeftover(dbPath, progress);

  progress("starting");
  const { server, port } = await launch(mongod, dbPath, () =>
    // No usual port: two products that start at once would both find it free.
    preferPort(rememberedPort(folder)),
  );
  let stopping = false;
  server.instanceInfo?.instance.once(MongoInstanceEvents.instanceClosed, () => {
    if (!stopping)
      options.onCrash?.(new UserError(`MongoDB ended unexpectedly (is the disk full?): ${dbPath}`));
  });
  const stop = async () => {
    stopping = true;
    // Sends the shutdown command and waits for the process; the data stays unless it is temporary.
    await server.stop({ doCleanup: false });
    if (!dataDir) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    await becomePrimary(port);
  } catch (error) {
    await stop();
    throw error;
  }
  if (dataDir) writeFileSync(portFile(folder), String(port));
  return { uri: `mongodb://127.0.0.1:${port}/tasklane?replicaSet=${REPLICA_SET}`, port, stop };
}

// A port that was free can be taken a moment later by another start: then another one is tried.
async function launch(mongod: string, dbPath: string, choosePort: () => Promise<number>) {
  for (let attempt = 1; ; attempt++) {
    const port = await choosePort();
    const server = new MongoMemoryServer({
      instance: {
        port,
        portGeneration: false,
        ip: "127.0.0.1",
        dbPath,
        storageEngine: "wiredTiger",
        replSet: REPLICA_SET,
        launchTimeout: 60_000,
        // Half of the machine's memory, the default, is too much beside a browser and an editor.
        // A transaction that nobody ends (its process was killed) holds its documents ten seconds instead of sixty.
        args: ["--wiredTigerCacheSizeGB", "1", "--setParameter", "transactionLifetimeLimitSeconds=10"],
      },
      binary: { systemBinary: mongod, version: MONGO_VERSION },
      // A process group of its own: Ctrl-C reaches the launcher, which stops things in order.
      spawn: { detached: process.platform !== "win32" },
      dispose: { enabled: false },
    });
    try {
      await server.start();
      return { server, port };
    } catch (error) {
      await server.stop({ doCleanup: false }).catch(() => undefined);
      // How it fails on a taken port depends on the platform; that somebody listens there now does not.
      if (attempt < ATTEMPTS && !(await isPortFree(port, { loopbackOnly: true }))) continue;
      throw new UserError(`MongoDB does not start on ${dbPath}: ${firstLine(error)}`);
    }
  }
}

/** Where the database in this folder keeps its files. */
export const databaseFolder = (folder: string) => join(folder, "db");
const portFile = (folder: string) => join(folder, "port");

/** The port of the folder's last start. */
export function rememberedPort(folder: string): number | undefined {
  try {
    return Number(readFileSync(portFile(folder), "utf8")) || undefined;
  } catch {
    return undefined;
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
