import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { productEnv } from "../lib/product-env.ts";
import { waitUntil } from "../lib/wait-until.ts";
import { nodeProcess, type ServerProcess } from "./node-process.ts";
import type { ReplicaSet } from "./replica-set.ts";

/**
 * One API process, always on the same port, like a container that is replaced, together with the process that runs its
 * slow jobs with a fast clock (jobs-process.ts).
 */
export type Instance = {
  url: string;
  /** Whether it was ready at the last probe, as a load balancer sees it. */
  isReady(): boolean;
  /** Whether both processes are running. */
  isWhole(): boolean;
  /** Its Prometheus metrics without labels, and without the product's prefix. */
  metrics(): Promise<Record<string, number>>;
  /** Resolves once `/ready` returns 200 and the jobs are running. @throws if either takes longer than 30 s. */
  start(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** SIGTERM. @returns milliseconds until the process was gone. */
  terminate(): Promise<number>;
  close(): Promise<void>;
};

/** Where faults are injected. A fault adds what it finds wrong to `problems`. */
export type Target = {
  set: ReplicaSet;
  instances: readonly Instance[];
  random: () => number;
  problems: string[];
};

export type InstanceOptions = {
  host: string;
  port: number;
  metricsPort: number;
  mongoUri: string;
  emulatorHost: string;
  projectId: string;
  smtpUrl: string;
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
export function instance(options: InstanceOptions): Instance {
  const url = `http://${options.host}:${options.port}`;
  const env = environment(options);
  const { main, execArgv = [], logFile } = options;
  const server = options.server?.(env, logFile) ?? nodeProcess({ main, env, execArgv, logFile });
  const jobs = nodeProcess({
    main: join(import.meta.dirname, "jobs-process.ts"),
    env,
    execArgv: ["--import", "tsx"],
    logFile,
  });
  let ready = false;
  const closing = new AbortController();
  const probing = probe();

  async function probe(): Promise<void> {
    while (!closing.signal.aborted) {
      ready = server.isRunning() && (await isReady());
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
    server.start();
    await started(server, () => ready);
    jobs.start();
    await started(jobs, jobs.isReady);
  }

  async function started(each: ServerProcess, isUp: () => boolean): Promise<void> {
    const settled = await waitUntil(() => isUp() || !each.isRunning(), { timeoutMs: START_MS, everyMs: 50 });
    if (!settled || !each.isRunning()) throw new Error(`An API instance did not start, see ${logFile}`);
  }

  async function end(signal: NodeJS.Signals): Promise<number> {
    const started = performance.now();
    const jobsEnded = jobs.end(signal);
    await server.end(signal);
    ready = false;
    const ms = Math.round(performance.now() - started);
    await jobsEnded;
    return ms;
  }

  return {
    url,
    isReady: () => ready && server.isRunning(),
    isWhole: () => server.isRunning() && jobs.isRunning(),
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
    SMTP_URL: options.smtpUrl,
    MAIL_FROM: "Tasklane <post@tasklane.example>",
    WEB_URL: "https://tasklane.example",
  });
}
