import { type ChildProcess, fork } from "node:child_process";
import { createWriteStream } from "node:fs";
import { SERVER } from "../dev/lib/paths.ts";
import { DIE_WITH_LAUNCHER } from "../dev/lib/run.ts";

/** A Node process that is killed and started again. */
export type NodeProcess = {
  isRunning(): boolean;
  /** Has it sent a message since it was started? */
  isReady(): boolean;
  start(): void;
  /** Resolves once it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
};

/** One that serves; `/ready` says when. */
export type ServerProcess = Omit<NodeProcess, "isReady">;

type Options = { main: string; env: NodeJS.ProcessEnv; execArgv?: readonly string[]; logFile: string };

/** Describes a process; nothing runs until `start`. */
export function nodeProcess({ main, env, execArgv = [], logFile }: Options): NodeProcess {
  let child: ChildProcess | undefined;
  let gone = Promise.resolve();
  let ready = false;
  return {
    isRunning: () => child !== undefined,
    isReady: () => ready,
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
      ready = false;
      running.once("message", () => {
        ready = true;
      });
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
