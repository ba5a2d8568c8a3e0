import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

interface Holder {
  pid: number;
  /** When that process started, where the system tells: a reused pid is not the same process. */
  started: string | undefined;
  /** What it runs, such as `npm start`. */
  name: string | undefined;
}

// Field 22 of /proc/<pid>/stat, after the command name in parentheses (which may hold spaces).
function startedAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  return holder.started === undefined || startedAt(holder.pid) === holder.started;
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder;
  } catch {
    return undefined;
  }
}

export type LockResult = { release(): void } | { heldBy: number; name: string | undefined };

/**
 * Takes a lock file for this process, or tells which living process holds it, and under which name.
 * A lock whose holder is gone (kill -9) is taken over.
 */
export function tryLock(file: string, name?: string): LockResult {
  mkdirSync(dirname(file), { recursive: true });
  const own = `${file}.${process.pid}-${Math.random().toString(36).slice(2)}`;
  const self: Holder = { pid: process.pid, started: startedAt(process.pid), name };
  writeFileSync(own, JSON.stringify(self));
  try {
    for (let attempt = 0; attempt < 20; attempt++) {
      // A link appears whole or not at all: nobody ever reads a lock that is half written.
      if (linked(own, file)) return { release: () => rmSync(file, { force: true }) };
      const holder = readHolder(file);
      if (holder && isAlive(holder)) return { heldBy: holder.pid, name: holder.name };
      removeStale(file, `${own}-stale`);
    }
    const holder = readHolder(file);
    return { heldBy: holder?.pid ?? 0, name: holder?.name };
  } finally {
    rmSync(own, { force: true });
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

// Moved aside before it is removed: if another start replaced the stale lock by its own in between, it gets it back.
function removeStale(file: string, aside: string): void {
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (moved && isAlive(moved)) linked(aside, file);
  rmSync(aside, { force: true });
}

/** Does the work while holding the lock, waiting for another process that holds it. */
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
