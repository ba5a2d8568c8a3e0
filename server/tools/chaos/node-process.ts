import { type ChildProcess, fork } from "node:child_process";
import { createWriteStream } from "node:fs";
import { SERVER } from "../lib/paths.ts";
import { DIE_WITH_LAUNCHER } from "../lib/run.ts";

/** A Node process that can be killed and restarted. */
export type NodeProcess = {
  isRunning(): boolean;
  /** Whether it has sent a message since it was started. */
  isReady(): boolean;
  start(): void;
  /** Resolves once it has exited. */
  end(signal: NodeJS.Signals): Promise<void>;
};

/** A server process; its `/ready` tells when it is ready. */
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
        // Ctrl-C should reach only the launcher, which stops everything in order.
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
