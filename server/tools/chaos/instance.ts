import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DIE_WITH_LAUNCHER } from "../lib/child.ts";
import { SERVER } from "../lib/paths.ts";
import { freePort } from "../lib/ports.ts";
import { productEnv } from "../lib/product-env.ts";
import { waitUntil } from "../lib/wait-until.ts";
import { createLink } from "./network.ts";

/** One API process, always on the same port, like a container that is replaced. */
export type Instance = Awaited<ReturnType<typeof createInstance>>;

type Options = {
  mongoUri: string;
  emulatorHost: string;
  projectId: string;
  logFile: string;
};

const START_MS = 30_000;
const PROBE_EVERY_MS = 200;
const PROBE_MS = 3_000;

/** Describes an instance of the built server behind a network link; nothing runs until `start`. */
export async function createInstance({ logFile, ...options }: Options) {
  const port = await freePort();
  const link = await createLink(port);
  const url = `http://127.0.0.1:${link.port}`;
  const env = environment(port, options);
  const closing = new AbortController();
  let child: ChildProcess | undefined;
  let ready = false;
  let recoveries = 0;
  let isNew = true;
  const probing = probe();

  /** As a load balancer does. */
  async function probe(): Promise<void> {
    while (!closing.signal.aborted) {
      const was = ready;
      ready = child !== undefined && (await responds());
      if (ready && !was && !isNew) recoveries += 1;
      if (ready) isNew = false;
      await sleep(PROBE_EVERY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  async function responds(): Promise<boolean> {
    try {
      const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(PROBE_MS) });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  }

  function launch(): void {
    const clock = ["--import", join(import.meta.dirname, "clock.mjs")];
    const running = fork(join(SERVER, "dist", "main.js"), {
      cwd: SERVER,
      env,
      execArgv: [...DIE_WITH_LAUNCHER, ...clock],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      // Ctrl-C should reach only the launcher, which stops everything in order.
      detached: process.platform !== "win32",
    });
    const log = createWriteStream(logFile, { flags: "a" });
    running.stdout?.pipe(log, { end: false });
    running.stderr?.pipe(log, { end: false });
    running.once("exit", () => {
      child = undefined;
    });
    child = running;
  }

  /** Sends the signal and waits for the process to exit. */
  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    if (child) {
      const gone = once(child, "exit");
      child.kill(signal);
      await gone;
    }
    ready = false;
  }

  return {
    url,
    /** Whether it was ready at the last probe. */
    isReady: () => ready && child !== undefined,
    isRunning: () => child !== undefined,
    /** How often it became ready again without having been restarted. */
    recoveries: () => recoveries,
    /** Resolves once `/ready` returns 200. @throws if that takes longer than 30 s. */
    async start() {
      isNew = true;
      launch();
      const isSettled = () => ready || child === undefined;
      const settled = await waitUntil(isSettled, { timeoutMs: START_MS, everyMs: 50 });
      if (!settled || child === undefined) throw new Error(`An API instance did not start, see ${logFile}`);
    },
    end,
    /** Sets its wall clock wrong by so many milliseconds. */
    setClock: (clockMs: number) => void child?.send({ clockMs }),
    /** Its clients' side of the network. */
    link,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await end("SIGKILL");
      await probing;
      link.close();
    },
  };
}

// Not in production mode, which refuses the Auth emulator, but with production's limits and delays.
function environment(
  port: number,
  { mongoUri, emulatorHost, projectId }: Pick<Options, "mongoUri" | "emulatorHost" | "projectId">,
): NodeJS.ProcessEnv {
  return productEnv({
    NODE_ENV: "development",
    HOST: "127.0.0.1",
    PORT: String(port),
    MONGODB_URI: mongoUri,
    FIREBASE_AUTH_EMULATOR_HOST: emulatorHost,
    FIREBASE_PROJECT_ID: projectId,
    LOG_LEVEL: "warn",
    RATE_LIMITS: "on",
    // A few people post all the tasks and place all the bids.
    BIDS_PER_DAY: "0",
    TASKS_PER_DAY: "0",
    TRUST_PROXY: "1",
    STOP_DELAY_MS: "2000",
    WEB_URL: "https://tasklane.example",
  });
}
