import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Distinguishes a process from a later one with the same id, by its start time, which Windows does not tell. */
export type ProcessIdentity = { pid: number; started: string | undefined };

export function identify(pid: number): ProcessIdentity {
  try {
    // Field 22 of /proc/<pid>/stat, counted after the command name in parentheses, which may contain spaces.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return { pid, started: stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] };
  } catch {
    // macOS and others have no /proc.
    const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
    return { pid, started: stdout?.trim() || undefined };
  }
}

/** Whether this exact process is still running. */
export function isRunning({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  return started === undefined || identify(pid).started === started;
}

/** `name` is what the process runs, such as `npm start`. */
type Holder = ProcessIdentity & { name: string | undefined };

export type LockResult = { release(): void } | { heldBy: number; name: string | undefined };

const ATTEMPTS = 20;

/**
 * Takes a lock file for this process, or returns the id and name of the running process that holds it.
 * A lock whose holder has died (kill -9) is taken over.
 */
export function tryLock(file: string, name?: string): LockResult {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const own = `${file}.${process.pid}-${Math.random().toString(36).slice(2)}`;
  const self: Holder = { ...identify(process.pid), name };
  writeFileSync(own, JSON.stringify(self));
  try {
    for (let attempt = 1; ; attempt++) {
      // Linking is atomic: no process ever reads a half-written lock.
      if (linked(own, file)) return { release: () => rmSync(file, { force: true }) };
      const holder = readHolder(file);
      if (holder && (isRunning(holder) || attempt > ATTEMPTS))
        return { heldBy: holder.pid, name: holder.name };
      removeStale(file, `${own}-stale`);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder;
  } catch {
    return undefined;
  }
}

function linked(own: string, file: string): boolean {
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

// Renames before removing: if another process has replaced the stale lock with its own meanwhile, that one is put back.
function removeStale(file: string, aside: string): void {
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (moved && isRunning(moved)) linked(aside, file);
  rmSync(aside, { force: true });
}

/** Runs `work` while holding the lock; waits while another process holds it. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const lock = tryLock(file);
    if ("release" in lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    await sleep(200);
  }
}
