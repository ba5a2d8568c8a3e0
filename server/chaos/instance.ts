import { type ChildProcess, fork } from "node:child_process";
import { createWriteStream } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { SERVER } from "../dev/lib/paths.ts";
import { DIE_WITH_LAUNCHER } from "../dev/lib/run.ts";
import { waitUntil } from "../dev/lib/wait-until.ts";
import type { ReplicaSet } from "./replica-set.ts";

/** One process of the API, always on the same port, like a container that is replaced. */
export type Instance = {
  url: string;
  /** Whether it was ready at the last probe, as a load balancer sees it. */
  isReady(): boolean;
  /** Its Prometheus metrics without labels, and without the product's prefix. */
  metrics(): Promise<Record<string, number>>;
  /** Resolves once `/ready` says 200. @throws after 30 s. */
  start(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** SIGTERM. @returns milliseconds until the process was gone. */
  terminate(): Promise<number>;
  close(): Promise<void>;
};

/** Where faults are injected. What a fault sees and must not be, it adds to `problems`. */
export type Target = {
  set: ReplicaSet;
  instances: readonly Instance[];
  roll: () => number;
  problems: string[];
};

export type InstanceOptions = {
  port: number;
  metricsPort: number;
  mongoUri: string;
  emulatorHost: string;
  projectId: string;
  /** The server's `main`, and Node's options for it. */
  main: string;
  execArgv?: string[];
  logFile: string;
};

const START_MS = 30_000;
const PROBE_EVERY_MS = 200;
const PROBE_MS = 3_000;

/** Describes an instance; nothing runs until `start`. */
export function instance(options: InstanceOptions): Instance {
  const url = `http://127.0.0.1:${options.port}`;
  let child: ChildProcess | undefined;
  let gone = Promise.resolve();
  let ready = false;
  const closing = new AbortController();
  const probing = probe();

  async function probe(): Promise<void> {
    while (!closing.signal.aborted) {
      ready = child !== undefined && (await isReady());
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

  async function metrics(): Promise<Record<string, number>> {
    const text = await (await fetch(`http://127.0.0.1:${options.metricsPort}/metrics`)).text();
    const lines = text.matchAll(/^(?:tasklane_)?(\w+) (\S+)$/gm);
    return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]));
  }

  async function start(): Promise<void> {
    const running = fork(options.main, {
      cwd: SERVER,
      env: environment(options),
      execArgv: [...DIE_WITH_LAUNCHER, ...(options.execArgv ?? [])],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      // Ctrl-C reaches the launcher only, which stops things in order.
      detached: process.platform !== "win32",
    });
    const log = createWriteStream(options.logFile, { flags: "a" });
    running.stdout?.pipe(log, { end: false });
    running.stderr?.pipe(log, { end: false });
    child = running;
    gone = new Promise((resolve) => {
      running.once("exit", () => {
        child = undefined;
        ready = false;
        resolve();
      });
    });
    const settled = await waitUntil(() => ready || !child, { timeoutMs: START_MS, everyMs: 50 });
    if (!settled || !child) throw new Error(`An API instance did not start, see ${options.logFile}`);
  }

  async function end(signal: NodeJS.Signals): Promise<number> {
    const started = performance.now();
    child?.kill(signal);
    await gone;
    return Math.round(performance.now() - started);
  }

  return {
    url,
    isReady: () => ready,
    metrics,
    start,
    kill: async () => void (await end("SIGKILL")),
    terminate: () => end("SIGTERM"),
    async close() {
      closing.abort();
      await end("SIGKILL");
      await probing;
    },
  };
}

// Not production, which refuses the Auth emulator; limits and delays are those of production.
function environment(options: InstanceOptions): NodeJS.ProcessEnv {
  const { PATH, HOME, SystemRoot } = process.env;
  return {
    PATH,
    HOME,
    SystemRoot,
    NODE_ENV: "development",
    HOST: "127.0.0.1",
    PORT: String(options.port),
    METRICS_PORT: String(options.metricsPort),
    MONGODB_URI: options.mongoUri,
    FIREBASE_AUTH_EMULATOR_HOST: options.emulatorHost,
    FIREBASE_PROJECT_ID: options.projectId,
    LOG_LEVEL: "warn",
    RATE_LIMITS: "on",
    // The writers are few, and bid all the time.
    BIDS_PER_DAY: "0",
    TRUST_PROXY: "1",
    STOP_DELAY_MS: "2000",
    // Empty counts as absent, and hides a person's .env.
    SMTP_URL: "",
    MAIL_FROM: "",
    WEB_ROOT: "",
    GOOGLE_APPLICATION_CREDENTIALS: "",
  };
}
