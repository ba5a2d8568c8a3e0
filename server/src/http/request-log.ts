import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { pinoHttp } from "pino-http";
import { splitAddress } from "./address.ts";

const MAX_CAUSES = 3;
/** Of an error that stands for many: they are mostly alike. */
const MAX_ERRORS = 3;
const LEVEL = "info";

const SERIALIZERS = {
  req: (request: IncomingMessage & { originalUrl?: string }) => ({
    id: request.id,
    method: request.method,
    path: splitAddress(request.originalUrl ?? request.url ?? "").path,
  }),
  res: (response: { statusCode: number }) => ({ status: response.statusCode }),
  err: (error: unknown) => describeError(error),
};

/**
 * Gives every request an id, sent back as `X-Request-Id`, and logs it when it is done: method, path, status and time.
 * Headers, query and body are left out, so that no token and no email address gets into a log.
 */
export function requestLog(logger: Logger): RequestHandler {
  // Without an access log a request needs only its id, and a logger if it fails.
  if (!logger.isLevelEnabled(LEVEL)) return onlyFailures(logger);
  return pinoHttp({
    logger,
    genReqId: (_request, response) => giveId(response),
    wrapSerializers: false,
    serializers: SERIALIZERS,
    // The problem handler logs failures with their cause; this line is only the access log.
    customLogLevel: () => LEVEL,
    customErrorMessage: () => "request failed",
    autoLogging: { ignore: (request) => request.url === "/health" },
  });
}

function onlyFailures(logger: Logger): RequestHandler {
  return (request, response, next) => {
    request.id = giveId(response);
    Object.defineProperty(request, "log", {
      configurable: true,
      get: () => logger.child({ req: request }, { serializers: SERIALIZERS }),
    });
    next();
  };
}

function giveId(response: ServerResponse): string {
  const id = randomUUID();
  response.setHeader("X-Request-Id", id);
  return id;
}

/** Only what explains the error: those of the driver also carry the documents they failed on, or the whole topology. */
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
