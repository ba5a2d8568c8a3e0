import { once } from "node:events";
import { join } from "node:path";
import autocannon from "autocannon";
import { forkChild } from "../lib/child.ts";
import type { Closer } from "../lib/closer.ts";
import { type Call, fetchJson, toRequest } from "../lib/request.ts";

/** A server in its own process, and its resident memory in bytes as it last reported it. */
export type BenchServer = { url: string; rss(): number };

/** Starts `servers/FILE`, and stops it with the closer. */
export async function startBenchServer(
  file: string,
  env: Record<string, string>,
  closer: Closer,
): Promise<BenchServer> {
  const child = forkChild(join(import.meta.dirname, "servers", file), [], closer, {
    cwd: import.meta.dirname,
    env: { ...process.env, NODE_ENV: "production", ...env },
    // The product writes its log as in production; nothing reads it.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: file.endsWith(".ts") ? ["--import", "tsx"] : [],
  });
  let last = { port: 0, rss: 0 };
  child.on("message", (message) => {
    last = message as typeof last;
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`${file} did not start.`)));
  ended.catch(() => undefined);
  await Promise.race([once(child, "message"), ended]);
  return { url: `http://127.0.0.1:${last.port}`, rss: () => last.rss };
}

let sent = 0;

/** The request as a proxy would forward it: from 2,000 addresses, so that no limit per address is reached. */
function forwarded(call: Call): Call {
  sent = (sent + 1) % 2_000;
  return { ...call, headers: { "x-forwarded-for": `10.0.${sent >> 8}.${sent & 255}` } };
}

/** Sends one request. @throws {Error} if it is refused. */
export const send = (url: string, call: Call) => fetchJson(url, forwarded(call));

export type Round = { perSecond: number; p50: number; p99: number; failed: number };

/** Sends requests on concurrent connections for some seconds. */
export async function measure(
  url: string,
  next: () => Call,
  { seconds, connections }: { seconds: number; connections: number },
): Promise<Round> {
  const { requests, latency, non2xx, errors } = await autocannon({
    ...{ url, connections, duration: seconds },
    // Called before each request; from a plain list all connections would send the same request at the same time.
    requests: [
      { setupRequest: (request) => ({ ...request, ...toRequest(forwarded(next())) }) as typeof request },
    ],
  });
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99, failed: non2xx + errors };
}
