import { type ChildProcess, type ForkOptions, fork } from "node:child_process";
import { once } from "node:events";
import type { Closer } from "./closer.ts";

/**
 * Node options that end a forked child when its parent ends, even by `kill -9`, because the IPC channel closes then. The
 * child gets three seconds to shut down, since it may not have installed its own handler yet.
 */
export const DIE_WITH_LAUNCHER = [
  "--import",
  `data:text/javascript,${encodeURIComponent(`
    process.on("disconnect", () => {
      setTimeout(() => process.kill(process.pid, "SIGKILL"), 3000);
      process.kill(process.pid, "SIGTERM");
    });
    // What ends by itself still does, and its own children inherit none of this.
    process.channel?.unref();
    process.execArgv.splice(0, 2);
    process.stdout.on("error", () => {});
  `)}`,
];

/** Runs a script in its own process, which ends with this one, and stops it with the closer. */
export function forkChild(
  script: string,
  args: string[],
  closer: Closer,
  { execArgv = [], ...options }: ForkOptions,
): ChildProcess {
  const child = fork(script, args, { ...options, execArgv: [...DIE_WITH_LAUNCHER, ...execArgv] });
  const exited = once(child, "exit");
  closer.add(async () => {
    child.kill("SIGTERM");
    await exited;
  });
  return child;
}
