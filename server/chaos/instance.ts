import { type ChildProcess, fork } from "node:child_process";
import { createWriteStream } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { SERVER } from "../dev/lib/paths.ts";
import { DIE_WITH_LAUNCHER } from "../dev/lib/run.ts";

/** One process of the API, always on the same port, like a container that is replaced. */
export type Instance = {
  url: string;
  /** Was it ready to serve when last asked? As a balancer sees it. */
  isReady(): boolean;
  /** The figures without labels that it tells Prometheus, without the product's prefix. */
  metrics(): Promise<Record<string, number>>;
  /** Resolves once `/ready` says 200. @throws after 30 s. */
  start(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** SIGTERM. @returns milliseconds until the process was gone. */
  terminate(): Promise<number>;
  close(): Promise<void>;
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
      const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(PROBE_MS) });
      await answer.arrayBuffer();
      return answer.ok;
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
      // Ctrl-C reaches the launcher, which stops things in order.
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
    const deadline = Date.now() + START_MS;
    while (!ready) {
      if (!child) throw new Error(`an API instance ended while it started, see ${options.logFile}`);
      if (Date.now() > deadline)
        throw new Error(`an API instance was not ready in 30 s, see ${options.logFile}`);
      await sleep(50);
    }
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

// Not production only because of the Auth emulator, which production refuses; limits and pauses are production's.
function environment({
  port,
  metricsPort,
  mongoUri,
  emulatorHost,
  projectId,
}: InstanceOptions): NodeJS.ProcessEnv {
  const { PATH, HOME, SystemRoot } = process.env;
  return {
    PATH,
    HOME,
    SystemRoot,
    NODE_ENV: "development",
    HOST: "127.0.0.1",
    PORT: String(port),
    MONGODB_URI: mongoUri,
    FIREBASE_AUTH_EMULATOR_HOST: emulatorHost,
    FIREBASE_PROJECT_ID: projectId,
    LOG_LEVEL: "warn",
    RATE_LIMITS: "on",
    TRUST_PROXY: "1",
    STOP_DELAY_MS: "2000",
    // Empty counts as absent, and keeps a person's .env out.
    SMTP_URL: "",
    MAIL_FROM: "",
    METRICS_PORT: String(metricsPort),
    WEB_ROOT: "",
    GOOGLE_APPLICATION_CREDENTIALS: "",
  };
}
