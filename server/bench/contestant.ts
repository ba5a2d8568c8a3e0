import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { DIE_WITH_LAUNCHER } from "../dev/lib/die-with-launcher.ts";
import { type Report, SETUP, type Setup } from "./servers/setup.ts";

export type Kind = "ours" | "floor" | "plain";

/** A server in a process of its own. */
export type Contestant = {
  url: string;
  watchMemory(): Promise<void>;
  memory(): Promise<Memory>;
  stop(): Promise<void>;
};

export type Memory = { idleBytes: number; peakBytes: number };

const START_MS = 60_000;
const STOP_MS = 5_000;

/** Starts one of the servers, all in the same way, and waits until it listens. */
export async function startContestant(kind: Kind, setup: Setup): Promise<Contestant> {
  const child = fork(join(import.meta.dirname, "servers", `${kind}.ts`), {
    env: { ...process.env, NODE_ENV: "production", [SETUP]: JSON.stringify(setup) },
    execArgv: [
      "--expose-gc",
      ...profiling(kind, setup),
      "--import",
      import.meta.resolve("tsx"),
      ...DIE_WITH_LAUNCHER,
    ],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  const started = await heardOf(child, START_MS).catch((error: unknown) => {
    kill();
    throw new Error(`The server "${kind}" does not start`, { cause: error });
  });
  const ask = async (question: string): Promise<Memory> => {
    const answer = heardOf(child, START_MS);
    child.send(question);
    return (await answer) as Memory;
  };
  return {
    url: `http://127.0.0.1:${"port" in started ? started.port : 0}`,
    watchMemory: async () => {
      await ask("watch");
    },
    memory: () => ask("seen"),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      // Ends by itself: a profile is written on exit.
      child.kill("SIGTERM");
      const late = setTimeout(kill, STOP_MS);
      await gone;
      clearTimeout(late);
    },
  };
}

/** With `TASKLANE_BENCH_PROFILE=folder` each server leaves a CPU profile there, to be opened in Chromium's DevTools. */
function profiling(kind: Kind, { dbName, keepAnswers }: Setup): string[] {
  const folder = process.env["TASKLANE_BENCH_PROFILE"];
  if (!folder) return [];
  // A folder for each: the main thread and that of tsx both write a profile.
  const name = `${kind}-${dbName}${keepAnswers ? "-kept" : ""}`;
  return ["--cpu-prof", "--cpu-prof-dir", join(folder, name)];
}

function heardOf(child: ChildProcess, limitMs: number): Promise<Report> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new Error("no answer in time"))), limitMs);
    const onMessage = (message: unknown) => settle(() => resolve(message as Report));
    const onExit = (code: number | null) => settle(() => reject(new Error(`it ended (${code})`)));
    function settle(how: () => void) {
      clearTimeout(timer);
      child.off("message", onMessage);
      child.off("exit", onExit);
      how();
    }
    child.on("message", onMessage);
    child.on("exit", onExit);
  });
}
