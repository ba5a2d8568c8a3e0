import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { SERVER } from "../dev/lib/paths.ts";
import { freePort } from "../dev/lib/ports.ts";
import { productEnv } from "../dev/lib/product-env.ts";
import type { Contestant } from "./contestant.ts";
import { median, type Round } from "./figures.ts";
import type { Filled } from "./fill.ts";
import type { Memory } from "./servers/child.ts";

/** Returns the next request. */
export type Ask = () => {
  method: "GET" | "PATCH" | "POST" | "PUT";
  path: string;
  headers?: Record<string, string>;
  body?: string;
};

const ADDRESSES = 2_000;
let asked = 0;

/** The next request, as a proxy passes on what comes from many people: nobody is over a limit for an address. */
export function nextRequest(ask: Ask): ReturnType<Ask> {
  const { headers, ...request } = ask();
  asked = (asked + 1) % ADDRESSES;
  return { ...request, headers: { ...headers, "x-forwarded-for": `10.0.${asked >> 8}.${asked & 255}` } };
}

const ASKING_AT_ONCE = 20;

/** Everybody asks who they are, as the web app does whenever it is opened: who acts afterwards is known to the server. */
export async function introduce(url: string, tokens: readonly string[]): Promise<void> {
  const left = [...tokens];
  const askAll = async () => {
    for (let token = left.pop(); token !== undefined; token = left.pop()) {
      const headers = { authorization: `Bearer ${token}` };
      const { ok } = await askOnce(url, () => ({ method: "GET", path: "/me", headers }));
      if (!ok) throw new Error("GET /me was refused.");
    }
  };
  await Promise.all(Array.from({ length: ASKING_AT_ONCE }, askAll));
}

/** Requests slower than this are sent one by one: a queue of them would measure the queue. */
const SLOW_MS = 50;
/** Slower than this is no bad moment, and not tried again. */
const HOPELESS_MS = 500;
const PROBES = 4;
const SLOW_REQUESTS = 10;
const REQUEST_LIMIT_MS = 120_000;

/** Sends requests for `seconds` on `connections` connections at once; slow ones a few times, one after another. */
export async function measureRound(
  url: string,
  ask: Ask,
  options: { seconds: number; connections: number },
): Promise<Round> {
  // The fastest of a few: a single one may have been delayed by the machine.
  let first = await askOnce(url, ask);
  for (let probe = 1; probe < PROBES && first.ms > SLOW_MS && first.ms < HOPELESS_MS; probe++) {
    first = await askOnce(url, ask);
  }
  if (first.ms <= SLOW_MS && first.ok) return underLoad(url, ask, options);
  const round: Round = {
    latencies: first.ok ? [first.ms] : [],
    seconds: first.ms / 1000,
    failures: first.ok ? 0 : 1,
  };
  // Not longer than a round takes, but for the last request.
  while (round.seconds < options.seconds && round.latencies.length + round.failures < SLOW_REQUESTS) {
    const { ms, ok } = await askOnce(url, ask);
    round.seconds += ms / 1000;
    if (ok) round.latencies.push(ms);
    else round.failures += 1;
  }
  return round;
}

async function askOnce(url: string, ask: Ask): Promise<{ ms: number; ok: boolean }> {
  const { path, ...init } = nextRequest(ask);
  const started = performance.now();
  let ok = false;
  try {
    const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(REQUEST_LIMIT_MS) });
    for await (const _chunk of response.body ?? []);
    ok = response.ok;
  } catch {
    // Counted as a failure.
    await sleep(50);
  }
  return { ms: performance.now() - started, ok };
}

async function underLoad(
  url: string,
  ask: Ask,
  { seconds, connections }: { seconds: number; connections: number },
): Promise<Round> {
  const latencies: number[] = [];
  let failures = 0;
  const started = performance.now();
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections,
        duration: seconds,
        // Called before each request; a plain list would make all connections send the same at once.
        requests: [{ setupRequest: (request) => ({ ...request, ...nextRequest(ask) }) }],
      },
      (error) => (error ? reject(error) : resolve()),
    );
    instance.on("response", (_client, status, _bytes, ms) => {
      if (status < 300) latencies.push(ms);
      else failures += 1;
    });
    instance.on("reqError", () => {
      failures += 1;
    });
  });
  return { latencies, seconds: (performance.now() - started) / 1000, failures };
}

/** What sending all tasks took. */
export type Streamed = Memory & { seconds: number; bytes: number };

const STREAM_LIMIT_MS = 180_000;

/** Downloads all tasks once, as fast as they come, while the server watches its memory; undefined if it fails. */
export async function streamAll(server: Contestant, path: string): Promise<Streamed | undefined> {
  try {
    await server.watchMemory();
    const started = performance.now();
    const response = await fetch(server.url + path, { signal: AbortSignal.timeout(STREAM_LIMIT_MS) });
    if (!response.ok || !response.body) return undefined;
    let bytes = 0;
    for await (const chunk of response.body) bytes += chunk.length;
    const seconds = (performance.now() - started) / 1000;
    return { ...(await server.memory()), seconds, bytes };
  } catch {
    return undefined;
  }
}

const STARTS = 3;
const START_LIMIT_MS = 30_000;

/** Milliseconds from starting the built server as in production to its first page; the median of a few starts. */
export async function startTime({ uri, dbName }: Filled): Promise<number> {
  const mongoUri = new URL(uri);
  mongoUri.pathname = `/${dbName}`;
  const times: number[] = [];
  for (let start = 0; start < STARTS; start++) times.push(await startOnce(mongoUri.href));
  return median(times);
}

async function startOnce(mongoUri: string): Promise<number> {
  const port = await freePort();
  const env = productEnv({
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: String(port),
    METRICS_PORT: "0",
    MONGODB_URI: mongoUri,
    FIREBASE_PROJECT_ID: "demo-tasklane",
  });
  const started = performance.now();
  const child = spawn(process.execPath, [join(SERVER, "dist", "main.js")], { env, stdio: "ignore" });
  const gone = once(child, "exit");
  try {
    while (performance.now() - started < START_LIMIT_MS) {
      const response = await fetch(`http://127.0.0.1:${port}/tasks?limit=24`).catch(() => undefined);
      if (response?.ok && (await response.text()) !== "") return performance.now() - started;
      await sleep(5);
    }
    return Number.NaN;
  } finally {
    child.kill("SIGKILL");
    await gone;
  }
}
