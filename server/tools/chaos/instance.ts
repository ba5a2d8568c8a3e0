import { type ChildProcess, fork } from "node:child_process";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SERVER } from "../lib/paths.ts";
import { productEnv } from "../lib/product-env.ts";
import { DIE_WITH_LAUNCHER } from "../lib/run.ts";
import { waitUntil } from "../lib/wait-until.ts";
import { createLink } from "./network.ts";
import type { ReplicaSet } from "./replica-set.ts";

/** One API process, always on the same port, like a container that is replaced. */
export type Instance = {
  /** By the network link that a fault may cut. */
  url: string;
  /** Past the link, which would read for a client that reads nothing. */
  directUrl: string;
  /** Whether it was ready at the last probe, as a load balancer sees it. */
  isReady(): boolean;
  isRunning(): boolean;
  /** How often it became ready again without having been restarted. */
  recoveries(): number;
  /** Its Prometheus metrics without labels, and without the product's prefix. */
  metrics(): Promise<Record<string, number>>;
  /** Resolves once `/ready` returns 200. @throws if that takes longer than 30 s. */
  start(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** SIGTERM. @returns milliseconds until the process was gone. */
  terminate(): Promise<number>;
  /** Sets its wall clock wrong by so many milliseconds. */
  setClock(offsetMs: number): void;
  /** Holds its responses. */
  cutResponses(): void;
  /** Cuts it off from its clients, in both directions. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
};

/** Where faults are injected. A fault adds what it finds wrong to `problems`. */
export type Target = {
  set: ReplicaSet;
  instances: readonly Instance[];
  random: () => number;
  problems: string[];
};

/** What runs an instance: a process of Node, or a container. */
export type ServerProcess = {
  isRunning(): boolean;
  start(): void;
  /** Resolves once it has exited. */
  end(signal: NodeJS.Signals): Promise<void>;
  setClock(offsetMs: number): void;
};

export type InstanceOptions = {
  host: string;
  port: number;
  metricsPort: number;
  mongoUri: string;
  emulatorHost: string;
  projectId: string;
  /** The server's `main`, and Node's options for it. */
  main: string;
  execArgv?: string[];
  /** Replaces the process of `main`, for example by a container. */
  server?: (env: NodeJS.ProcessEnv, logFile: string) => ServerProcess;
  logFile: string;
};

const START_MS = 30_000;
const PROBE_EVERY_MS = 200;
const PROBE_MS = 3_000;

/** Describes an instance; nothing runs until `start`. */
export async function instance(options: InstanceOptions): Promise<Instance> {
  const directUrl = `http://${options.host}:${options.port}`;
  const link = await createLink(options.port, options.host);
  const url = `http://127.0.0.1:${link.port}`;
  const env = environment(options);
  const server = options.server?.(env, options.logFile) ?? nodeProcess(env, options);
  let ready = false;
  let recoveries = 0;
  let isNew = true;
  const closing = new AbortController();
  const probing = probe();

  async function probe(): Promise<void> {
    while (!closing.signal.aborted) {
      const was = ready;
      ready = server.isRunning() && (await isReady());
      if (ready && !was && !isNew) recoveries += 1;
      if (ready) isNew = false;
      await sleep(PROBE_EVERY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  async function isReady(): Promise<boolean> {
    try {
      const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(PROBE_MS) });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  }

  async function end(signal: NodeJS.Signals): Promise<number> {
    const started = performance.now();
    await server.end(signal);
    ready = false;
    return Math.round(performance.now() - started);
  }

  return {
    url,
    directUrl,
    isReady: () => ready && server.isRunning(),
    isRunning: server.isRunning,
    recoveries: () => recoveries,
    async metrics() {
      const text = await (await fetch(`http://127.0.0.1:${options.metricsPort}/metrics`)).text();
      const lines = text.matchAll(/^(?:tasklane_)?(\w+) (\S+)$/gm);
      return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]));
    },
    async start() {
      isNew = true;
      server.start();
      const isSettled = () => ready || !server.isRunning();
      const settled = await waitUntil(isSettled, { timeoutMs: START_MS, everyMs: 50 });
      if (!settled || !server.isRunning())
        throw new Error(`An API instance did not start, see ${options.logFile}`);
    },
    kill: async () => void (await end("SIGKILL")),
    terminate: () => end("SIGTERM"),
    setClock: server.setClock,
    cutResponses: link.cutResponses,
    cut: () => link.cut(),
    mend: link.mend,
    async close() {
      closing.abort();
      await end("SIGKILL");
      await probing;
      link.close();
    },
  };
}

function nodeProcess(
  env: NodeJS.ProcessEnv,
  { main, execArgv = [], logFile }: Pick<InstanceOptions, "main" | "execArgv" | "logFile">,
): ServerProcess {
  const clock = ["--import", join(import.meta.dirname, "clock.mjs")];
  let child: ChildProcess | undefined;
  let gone = Promise.resolve();
  return {
    isRunning: () => child !== undefined,
    start() {
      const running = fork(main, {
        cwd: SERVER,
        env,
        execArgv: [...DIE_WITH_LAUNCHER, ...clock, ...execArgv],
        stdio: ["ignore", "pipe", "pipe", "ipc"],
        // Ctrl-C should reach only the launcher, which stops everything in order.
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
    setClock: (clockMs) => void child?.send({ clockMs }),
  };
}

// Not in production mode, which refuses the Auth emulator, but with production's limits and delays.
function environment(options: InstanceOptions): NodeJS.ProcessEnv {
  return productEnv({
    NODE_ENV: "development",
    HOST: options.host,
    PORT: String(options.port),
    METRICS_PORT: String(options.metricsPort),
    MONGODB_URI: options.mongoUri,
    FIREBASE_AUTH_EMULATOR_HOST: options.emulatorHost,
    FIREBASE_PROJECT_ID: options.projectId,
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
