import { rmSync } from "node:fs";
import { join } from "node:path";
import { MongoBinary } from "mongodb-memory-server-core";
import { DryMongoBinary } from "mongodb-memory-server-core/lib/util/DryMongoBinary.js";
import { withLock } from "../../lib/lock.ts";
import { cacheDir } from "../../lib/paths.ts";
import { run, which } from "../../lib/run.ts";
import { UserError } from "../../lib/user-error.ts";
import { isWinePrepared, prepareWineMongod, wineCouldWork } from "./wine.ts";

/** The same version for the download and the Wine fallback, so that both can read the same data files. */
export const MONGO_VERSION = "7.0.15";

const MIN_MAJOR = 6;

/**
 * Finds a mongod that runs on this machine: on the PATH, else downloaded by an earlier start, else MongoDB's official
 * build, else (Debian-like systems only) the Windows build under Wine.
 */
export async function findMongod(progress: (text: string) => void): Promise<string> {
  const onPath = await mongodOnPath(progress);
  if (onPath) return onPath;
  // Concurrent first starts must not unpack into the same folder.
  return withLock(join(cacheDir(), "mongod.lock"), async () => {
    const downloadDir = join(cacheDir(), "mongodb-binaries");
    const options = { version: MONGO_VERSION, downloadDir };
    // While we hold our lock, the library's is that of a start killed while it unpacked: its file is checked then.
    rmSync(join(downloadDir, `${MONGO_VERSION}.lock`), { force: true });
    const cached = await DryMongoBinary.locateBinary(await DryMongoBinary.generateOptions(options));
    if (cached) return cached;
    if (isWinePrepared()) return prepareWineMongod(progress);
    try {
      progress(`downloading MongoDB ${MONGO_VERSION}`);
      return await quietly(() => MongoBinary.getPath(options));
    } catch (error) {
      // A full disk is not the network's fault.
      if (/^(ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
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
  if (major >= MIN_MAJOR) return mongod;
  progress(`${mongod} is older than MongoDB ${MIN_MAJOR}: not using it`);
  return undefined;
}

function unavailable(error: unknown): string {
  const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
  return `MongoDB could not be downloaded (${reason}): check the network, install mongod, or set MONGODB_URI.`;
}

// Silences the downloader's warnings and progress bar: we print one line ourselves.
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn, log } = console;
  console.warn = console.log = () => undefined;
  try {
    return await work();
  } finally {
    Object.assign(console, { warn, log });
  }
}
