import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type Report, SETUP, type Setup } from "./setup.ts";

export const setup = JSON.parse(process.env[SETUP] ?? "{}") as Setup;

/** Tells the benchmark where this server listens, and from then on how much memory it takes when asked. */
export function report(port: number): void {
  let idleBytes = 0;
  let peakBytes = 0;
  let watch: NodeJS.Timeout | undefined;
  const look = () => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  };
  process.on("message", (message) => {
    if (message === "watch") {
      globalThis.gc?.();
      idleBytes = peakBytes = process.memoryUsage.rss();
      watch = setInterval(look, 10);
      tell({ idleBytes, peakBytes });
    } else if (message === "seen") {
      look();
      clearInterval(watch);
      tell({ idleBytes, peakBytes });
    }
  });
  process.on("SIGTERM", () => process.exit(0));
  tell({ port });
}

/** Listens on a free loopback port and reports it. */
export function serveBare(handler: RequestListener): void {
  const server = createServer(handler);
  server.listen(0, "127.0.0.1", () => report((server.address() as AddressInfo).port));
}

function tell(message: Report): void {
  process.send?.(message);
}
