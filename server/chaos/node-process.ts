import { type ChildProcess, fork } from "node:child_process";
import { createWriteStream } from "node:fs";
import { SERVER } from "../dev/lib/paths.ts";
import { DIE_WITH_LAUNCHER } from "../dev/lib/run.ts";

/** A Node process that is killed and started again. */
export type NodeProcess = {
  isRunning(): boolean;
  start(): void;
  /** Resolves once it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
};

type Options = { main: string; env: NodeJS.ProcessEnv; execArgv?: readonly string[]; logFile: string };

/** Describes a process; nothing runs until `start`. */
export function nodeProcess({ main, env, execArgv = [], logFile }: Options): NodeProcess {
  let child: ChildProcess | undefined;
  let gone = Promise.resolve();
  return {
    isRunning: () => child !== undefined,
    start() {
      const running = fork(main, {
        cwd: SERVER,
        env,
        execArgv: [...DIE_WITH_LAUNCHER, ...execArgv],
        stdio: ["ignore", "pipe", "pipe", "ipc"],
        // Ctrl-C reaches the launcher only, which stops things in order.
        detached: process.platform !== "win32",
      });
      const log = createWriteStream(logFile, { flags: "a" });
      running.stdout?.pipe(log, { end: false });
      running.stderr?.pipe(log, { end: false });
      child = running;
      gone = new Promise((resolve) => {
        running.once("exit", () => {
          child = undefined;
          resolve();
        });
      });
    },
    async end(signal) {
      child?.kill(signal);
      await gone;
    },
  };
}
