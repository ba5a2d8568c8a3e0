import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Place } from "../../../src/features/tasks/task-list-plan.ts";

/** The settings of a benchmark server, passed in the environment variable {@link SETUP}. */
export type Setup = {
  uri: string;
  dbName: string;
  publicKey: string;
  /** Product only: whether serialized responses are cached. */
  cacheResponses: boolean;
  /** Product only: the built client. */
  webRoot?: string | undefined;
  /** Express only: the body of every response. */
  body?: string;
  /** The cursor position before the deep page. */
  deepPlace: Place;
};

/** Resident memory in bytes: before recording, the peak while recording, and now. */
export type Memory = { idleBytes: number; peakBytes: number; nowBytes: number };

export const SETUP = "TASKLANE_BENCH_SETUP";
/** Tasks on a page. */
export const PAGE = 24;

export const setup = JSON.parse(process.env[SETUP] ?? "{}") as Setup;

/** Reports the port to the benchmark, and answers its questions about memory. */
export function report(port: number): void {
  const memory: Memory = { idleBytes: 0, peakBytes: 0, nowBytes: 0 };
  let timer: NodeJS.Timeout | undefined;
  const sample = () => {
    memory.peakBytes = Math.max(memory.peakBytes, process.memoryUsage.rss());
  };
  process.on("message", (question) => {
    if (question === "watch") {
      globalThis.gc?.();
      memory.idleBytes = memory.peakBytes = process.memoryUsage.rss();
      timer = setInterval(sample, 10);
    } else if (question === "memory") {
      sample();
      clearInterval(timer);
    }
    memory.nowBytes = process.memoryUsage.rss();
    process.send?.(memory);
  });
  // With exit() instead of the default action, because --cpu-prof writes its profile on exit.
  process.on("SIGTERM", () => process.exit(0));
  process.send?.({ port });
}

/** Listens on a free loopback port and reports it. */
export function listenAndReport(handler: RequestListener): void {
  const server = createServer(handler);
  server.listen(0, "127.0.0.1", () => report((server.address() as AddressInfo).port));
}
