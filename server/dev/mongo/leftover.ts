import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "../lib/run.ts";

const GRACE_MS = 15_000;

/**
 * Ends a mongod that a killed launcher (kill -9) left on this very data folder, and waits until it is gone.
 * Only a process whose command line is a mongod's and names the folder is touched; the caller holds the
 * launcher's lock, so it cannot belong to a living product.
 */
export async function endLeftover(dbPath: string, progress: (text: string) => void): Promise<void> {
  let pids = await mongodsOn(dbPath);
  if (pids.length === 0) return;
  progress("waiting for the database of the last run to close");
  for (const pid of pids) signal(pid, "SIGINT");
  const deadline = Date.now() + GRACE_MS;
  while (pids.length > 0) {
    const late = Date.now() > deadline;
    if (late) for (const pid of pids) signal(pid, "SIGKILL");
    await sleep(100);
    pids = await mongodsOn(dbPath);
  }
}

async function mongodsOn(dbPath: string): Promise<number[]> {
  const commands = process.platform === "linux" ? linuxCommands() : await psCommands();
  return commands
    .filter(({ command }) => {
      // Arguments are separated by NUL (Linux) or a space (ps); the folder must end where the argument ends.
      const names = [`--dbpath\0${dbPath}\0`, `--dbpath ${dbPath} `].some((part) => command.includes(part));
      return names && /mongod(\.exe)?[\0 ]/.test(command);
    })
    .map(({ pid }) => pid);
}

function linuxCommands(): { pid: number; command: string }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, "utf8") }];
      } catch {
        return [];
      }
    });
}

async function psCommands(): Promise<{ pid: number; command: string }[]> {
  if (process.platform === "win32") return [];
  const { output } = await run("ps", ["-axww", "-o", "pid=,command="]);
  return output.split("\n").flatMap((row) => {
    const match = /^\s*(\d+)\s+(.*)$/.exec(row);
    return match ? [{ pid: Number(match[1]), command: `${match[2]} ` }] : [];
  });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself.
  }
}
