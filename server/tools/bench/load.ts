import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { SERVER } from "../lib/paths.ts";
import { freePort } from "../lib/ports.ts";
import { productEnv } from "../lib/product-env.ts";
import { median, type Round } from "./figures.ts";
import type { FilledDatabase } from "./fill.ts";
import type { ServerProcess } from "./server-process.ts";
import type { Memory } from "./servers/child.ts";

export type BenchRequest = {
  method: "GET" | "PATCH" | "POST" | "PUT";
  path: string;
  headers: Record<string, string>;
  body?: string;
};

/** Returns the next request of a sequence. */
export type RequestSource = () => BenchRequest;

/** A request with an optional bearer token and JSON body. */
export function requestOf(
  method: BenchRequest["method"],
  path: string,
  { token, body }: { token?: string | undefined; body?: object } = {},
): BenchRequest {
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { "content-type": "application/json" }),
  };
  return { method, path, headers, ...(body && { body: JSON.stringify(body) }) };
}

/** Requests for all items in turn, again and again. */
export function roundRobin<T>(items: readonly T[], request: (item: T) => BenchRequest): RequestSource {
  let next = 0;
  return () => request(items[next++ % items.length] as T);
}

const ADDRESSES = 2_000;
let requestCount = 0;

/** The request as a proxy would forward it: from many addresses, so that no limit per address is reached. */
function proxied({ headers, ...request }: BenchRequest): BenchRequest {
  requestCount = (requestCount + 1) % ADDRESSES;
  const address = `10.0.${requestCount >> 8}.${requestCount & 255}`;
  return { ...request, headers: { ...headers, "x-forwarded-for": address } };
}

/** Sends a request as a proxy would forward it. */
export function sendProxied(url: string, request: BenchRequest, signal?: AbortSignal): Promise<Response> {
  const { path, ...init } = proxied(request);
  return fetch(url + path, { ...init, ...(signal && { signal }) });
}

const CONCURRENT_REQUESTS = 20;

/** Sends `GET /me` for every token, as the web app does when it opens, so that the server has recorded each person. */
export async function registerPeople(url: string, tokens: readonly string[]): Promise<void> {
  const remaining = [...tokens];
  const sendAll = async () => {
    for (let token = remaining.pop(); token !== undefined; token = remaining.pop()) {
      const { ok } = await sendOnce(url, requestOf("GET", "/me", { token }));
      if (!ok) throw new Error("GET /me was refused.");
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, sendAll));
}

/** Requests slower than this are sent one by one, because concurrent ones would measure the queue. */
const SLOW_MS = 50;
/** A request slower than this was not just unlucky, so it is not repeated. */
const TOO_SLOW_MS = 500;
const PROBES = 4;
const SLOW_REQUESTS = 10;
const REQUEST_LIMIT_MS = 120_000;

/** Sends requests for `seconds` on concurrent connections, or slow ones a few times, one after another. */
export async function measureRound(
  url: string,
  source: RequestSource,
  options: { seconds: number; connections: number },
): Promise<Round> {
  // Probes a few times, because the machine may have delayed a single request.
  let first = await sendOnce(url, source());
  for (let probe = 1; probe < PROBES && first.ms > SLOW_MS && first.ms < TOO_SLOW_MS; probe++) {
    first = await sendOnce(url, source());
  }
  if (first.ms <= SLOW_MS && first.ok) return underLoad(url, source, options);
  const round: Round = {
    latencies: first.ok ? [first.ms] : [],
    seconds: first.ms / 1000,
    failures: first.ok ? 0 : 1,
  };
  // At most the duration of a round, plus the last request.
  while (round.seconds < options.seconds && round.latencies.length + round.failures < SLOW_REQUESTS) {
    const { ms, ok } = await sendOnce(url, source());
    round.seconds += ms / 1000;
    if (ok) round.latencies.push(ms);
    else round.failures += 1;
  }
  return round;
}

async function sendOnce(url: string, request: BenchRequest): Promise<{ ms: number; ok: boolean }> {
  const started = performance.now();
  let ok = false;
  try {
    const response = await sendProxied(url, request, AbortSignal.timeout(REQUEST_LIMIT_MS));
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
  source: RequestSource,
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
        // Called before each request; with a plain list all connections would send the same request at the same time.
        requests: [{ setupRequest: (request) => ({ ...request, ...proxied(source()) }) }],
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

/** The cost of sending all tasks. */
export type Streamed = Memory & { seconds: number; bytes: number };

const STREAM_LIMIT_MS = 180_000;

/** Downloads all tasks while the server records its memory. @returns undefined if it fails. */
export async function streamAll(server: ServerProcess, path: string): Promise<Streamed | undefined> {
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

/** Milliseconds from starting the built server to its first page, as in production; the median of a few starts. */
export async function startTime({ uri, dbName }: FilledDatabase): Promise<number> {
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
    WEB_URL: "https://tasklane.example",
  });
  const started = performance.now();
  const child = spawn(process.execPath, [join(SERVER, "dist", "main.js")], { env, stdio: "ignore" });
  const exited = once(child, "exit");
  try {
    while (performance.now() - started < START_LIMIT_MS) {
      const response = await fetch(`http://127.0.0.1:${port}/tasks?limit=24`).catch(() => undefined);
      if (response?.ok && (await response.text()) !== "") return performance.now() - started;
      await sleep(5);
    }
    return Number.NaN;
  } finally {
    child.kill("SIGKILL");
    await exited;
  }
}
