import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { splitUrl } from "./request-input.ts";

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
