import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { explainListenError } from "./listen.ts";
import { splitUrl } from "./request-input.ts";

// What operators see of requests: a line in the log and a measurement for each.

/** A logger that adds the request to each entry. */
type RequestLogger = Record<"warn" | "error", (fields: { err?: unknown }, message: string) => void>;

declare module "node:http" {
  interface IncomingMessage {
    /** Sent back as `X-Request-Id`. */
    id: string;
    log: RequestLogger;
  }
}

const MAX_CAUSES = 3;
/** How many errors of an `AggregateError` are logged, since most are alike. */
const MAX_ERRORS = 3;
/** How many characters of a path are logged: a request can have thousands. */
const MAX_PATH = 300;

const SERIALIZERS = {
  req: (request: IncomingMessage & { originalUrl?: string }) => ({
    id: request.id,
    method: request.method,
    path: splitUrl(request.originalUrl ?? request.url ?? "").path.slice(0, MAX_PATH),
  }),
  res: (response: { statusCode: number }) => ({ status: response.statusCode }),
  err: (error: unknown) => describeError(error),
};

/**
 * Gives every request an id, which is sent as `X-Request-Id`, and logs it on completion: method, path, status and time.
 * Headers, query and body are left out, to keep tokens and email addresses out of the log.
 */
export function requestLog(logger: Logger): RequestHandler {
  const log = logger.child({}, { serializers: SERIALIZERS });
  return (request, response, next) => {
    const started = performance.now();
    request.id = randomUUID();
    response.setHeader("X-Request-Id", request.id);
    request.log = {
      warn: (fields, message) => log.warn({ req: request, ...fields }, message),
      error: (fields, message) => log.error({ req: request, ...fields }, message),
    };
    if (request.url !== "/health")
      response.on("close", () => {
        const responseTime = Math.round(performance.now() - started);
        // This is only the access log; the problem handler logs why a request failed.
        log.info({ req: request, res: response, responseTime }, `request ${outcomeOf(response)}`);
      });
    next();
  };
}

function outcomeOf({ statusCode, writableFinished }: ServerResponse): string {
  if (statusCode >= 500) return "failed";
  return writableFinished ? "completed" : "aborted";
}

/** Logs only what explains an error: the driver's errors also contain documents, or the whole topology. */
export function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  const errors = error instanceof AggregateError && error.errors.slice(0, MAX_ERRORS);
  const describe = (inner: unknown) => describeError(inner, depth + 1);
  return {
    type: name,
    message,
    ...(code !== undefined && { code: String(code) }),
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: describe(cause) }),
    ...(errors && depth < MAX_CAUSES && { errors: errors.map(describe) }),
    stack,
  };
}

/** The metrics of this process, for a Prometheus server. */
export type Metrics = {
  /** Middleware that measures every request. */
  handler: RequestHandler;
  /** Adds gauges, by name, that are read at each scrape. */
  watch(gauges: Record<string, { help: string; read: () => number }>): void;
  /** All metrics in Prometheus's text format. */
  text(): Promise<string>;
  contentType: string;
};

const PREFIX = "tasklane_";
// From the time of a cached response up to the deadline.
const BUCKETS_S = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Collects rate, errors and duration per route, and Node's metrics of the process and its event loop. Labels are
 * declared routes, never actual paths, so that requests cannot add series.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: `${PREFIX}http_request_duration_seconds`,
    help: "Response times by route",
    labelNames: ["method", "route", "status"],
    buckets: BUCKETS_S,
    registers: [registry],
  });
  const cut = new Counter({
    name: `${PREFIX}http_requests_cut_total`,
    help: "Requests whose connection ended before the response was complete",
    registers: [registry],
  });
  return {
    handler: (request, response, next) => {
      const started = process.hrtime.bigint();
      response.on("close", () => {
        // The duration of an event stream says nothing.
        if (String(response.getHeader("content-type")).startsWith("text/event-stream")) return;
        const method = METHODS.has(request.method) ? request.method : "other";
        if (!response.writableFinished) cut.inc();
        const status = String(response.statusCode);
        const took = Number(process.hrtime.bigint() - started) / 1e9;
        durations.observe({ method, route: routeOf(request), status }, took);
      });
      next();
    },
    watch(gauges) {
      for (const [name, { help, read }] of Object.entries(gauges)) {
        new Gauge({
          name: PREFIX + name,
          help,
          registers: [registry],
          collect() {
            this.set(read());
          },
        });
      }
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

// Requests that are rejected before routing and files of the web app have no route.
function routeOf(request: { route?: { path?: unknown } }): string {
  const path = request.route?.path;
  return typeof path === "string" ? path : "none";
}

/**
 * Serves `GET /metrics` on a separate port, which is not public.
 * @returns the port it listens on, and a function to close it.
 * @throws {ListenError} if the port is taken or not allowed.
 */
export async function serveMetrics(
  { text, contentType }: Metrics,
  { port, host }: { port: number; host: string },
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (request.url !== "/metrics" || request.method !== "GET") {
      response.writeHead(404).end();
      return;
    }
    const body = await text().catch(() => undefined);
    response.writeHead(body === undefined ? 500 : 200, { "Content-Type": contentType }).end(body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(explainListenError(error, port, "METRICS_PORT")),
    );
    server.listen({ port, host }, resolve);
  });
  const address = server.address();
  return {
    port: address !== null && typeof address === "object" ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
