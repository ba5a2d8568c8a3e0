import { mkdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import type { Closer } from "../lib/closer.ts";
import { type LockResult, tryLock } from "../lib/lock.ts";
import { UserError } from "../lib/user-error.ts";

const NEEDED_MB = 300;

const lockFile = (dataDir: string) => join(dataDir, "launcher.lock");

/**
 * Locks the data folder for this process, after checking for free disk space.
 * @param name the command, shown to other processes that find the folder locked.
 */
export function claimDataDir(dataDir: string, closer: Closer, name: string): void {
  requireDiskSpace(dataDir);
  const lock = tryLock(lockFile(dataDir), name);
  if ("heldBy" in lock) {
    throw new UserError(
      `Tasklane is already running on ${dataDir} (${lock.name}, process ${lock.heldBy}): stop it there with Ctrl-C, ` +
        "or start a second one with another DATA_DIR, PORT and FIREBASE_AUTH_EMULATOR_HOST.",
    );
  }
  closer.add(lock.release);
}

/** The process that runs on the data folder, if any. */
export function holderOf(dataDir: string): Extract<LockResult, { heldBy: number }> | undefined {
  const lock = tryLock(lockFile(dataDir));
  if ("heldBy" in lock) return lock;
  lock.release();
  return undefined;
}

// On a full disk MongoDB crashes with pages of log and no clear reason.
function requireDiskSpace(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = statfsSync(folder);
  const freeMb = Math.floor((bavail * bsize) / 2 ** 20);
  if (freeMb >= NEEDED_MB) return;
  throw new UserError(
    `The disk is full: ${freeMb} MB are free at ${folder}, Tasklane needs ${NEEDED_MB}. Free some space, or set DATA_DIR.`,
  );
}
