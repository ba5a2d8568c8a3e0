import { join } from "node:path";
import { MongoBinary } from "mongodb-memory-server-core";
import { DryMongoBinary } from "mongodb-memory-server-core/lib/util/DryMongoBinary.js";
import { withLock } from "../lib/lock.ts";
import { cacheDir } from "../lib/paths.ts";
import { run, which } from "../lib/run.ts";
import { UserError } from "../lib/user-error.ts";
import { preparedWineMongod, prepareWineMongod, wineCouldWork } from "./wine.ts";

/** One version for the download and for the Wine fallback: data files fit both. */
export const MONGO_VERSION = "7.0.15";

const OLDEST_MAJOR = 6;

/**
 * A mongod that runs here: one on the PATH, else what an earlier start fetched,
 * else MongoDB's official build, else (Debian-like only) the Windows build under Wine.
 */
export async function findMongod(progress: (text: string) => void): Promise<string> {
  const onPath = await mongodOnPath(progress);
  if (onPath) return onPath;
  // Two first starts at once must not unpack into the same folder.
  return withLock(join(cacheDir(), "mongod.lock"), async () => {
    const downloadDir = join(cacheDir(), "mongodb-binaries");
    const options = { version: MONGO_VERSION, downloadDir };
    const cached = await DryMongoBinary.locateBinary(await DryMongoBinary.generateOptions(options));
    if (cached) return cached;
    const prepared = preparedWineMongod();
    if (prepared) return prepared;
    try {
      progress(`downloading MongoDB ${MONGO_VERSION}`);
      return await quietly(() => MongoBinary.getPath(options));
    } catch (error) {
      if (!wineCouldWork()) throw new UserError(unavailable(error));
      progress("MongoDB's download host does not respond: using the Windows build under Wine");
      return prepareWineMongod(progress);
    }
  });
}

async function mongodOnPath(progress: (text: string) => void): Promise<string | undefined> {
  const mongod = which("mongod");
  if (!mongod) return undefined;
  const { output } = await run(mongod, ["--version"]);
  const major = Number(/db version v(\d+)\./.exec(output)?.[1]);
  if (major >= OLDEST_MAJOR) return mongod;
  progress(`${mongod} is older than MongoDB ${OLDEST_MAJOR}: not using it`);
  return undefined;
}

function unavailable(error: unknown): string {
  const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
  return `MongoDB could not be downloaded (${reason}): check the network, install mongod, or set MONGODB_URI.`;
}

// The downloader prints warnings and a progress bar; our one line is enough.
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn, log } = console;
  console.warn = console.log = () => undefined;
  try {
    return await work();
  } finally {
    Object.assign(console, { warn, log });
  }
}
