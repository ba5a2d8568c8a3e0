import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";
import { AccountSuspended, TokenRejected, VerifierUnavailable } from "../auth/token-verifier.ts";
import { ERRORS, type ErrorCode, type Problem, problemType } from "../contract/index.ts";
import { isDatabaseOutage } from "../db/outage.ts";
import { currentRequest } from "../db/transaction.ts";
import { ProblemError } from "../domain/problem-error.ts";

/** Responds to requests that no route handled. */
export const routeNotFound: RequestHandler = (request) => {
  throw new ProblemError("route-not-found", { detail: `There is no ${request.method} at this address.` });
};

/** Sends every thrown error as a problem document (RFC 9457). Unknown errors reveal only the request's id. */
export const problemHandler: ErrorRequestHandler = (error, request, response, _next) => {
  const problem = toProblem(error, request);
  if (ERRORS[problem.code].status >= 500) request.log.error({ err: error }, problem.code);
  // The status line has been sent already, so all that is left is to cut the connection.
  if (response.headersSent) response.destroy();
  else sendProblem(response, problem, String(request.id));
};

export function sendProblem(response: Response, problem: ProblemError, requestId: string): void {
  // The response that fails may have been meant to be compressed.
  response.removeHeader("Content-Encoding");
  response.status(ERRORS[problem.code].status).set(problem.headers).set("Cache-Control", "no-store");
  response.type("application/problem+json").send(problemDocument(problem, requestId));
}

function problemDocument({ code, message, errors, version }: ProblemError, requestId: string): string {
  const { status, title } = ERRORS[code];
  return JSON.stringify({
    type: problemType(code),
    title,
    status,
    detail: message,
    code,
    requestId,
    errors,
    version,
  } satisfies Problem);
}

function toProblem(error: unknown, request: Pick<Request, "headers">): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof AccountSuspended)
    return new ProblemError("account-suspended", { detail: error.message, cause: error });
  if (error instanceof TokenRejected) return sessionExpired(error);
  if (isDatabaseOutage(error) && currentRequest()?.mayHaveWritten) return outcomeUnknown(error, request);
  if (error instanceof VerifierUnavailable || isDatabaseOutage(error)) return unavailable(error);
  return requestProblem(error) ?? new ProblemError("internal", { cause: error });
}

// RFC 6750 section 3.1: the header says that the token was the reason.
function sessionExpired(cause: TokenRejected): ProblemError {
  return new ProblemError("session-expired", {
    cause,
    headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
  });
}

const RETRY_AFTER_S = "2";

function unavailable(cause: unknown): ProblemError {
  return new ProblemError("unavailable", {
    detail: "The service is not available right now, please try again in a moment.",
    headers: { "Retry-After": RETRY_AFTER_S },
    cause,
  });
}

// A write was on its way when the database stopped responding, so whether it happened is not known.
function outcomeUnknown(cause: unknown, { headers }: Pick<Request, "headers">): ProblemError {
  const advice =
    headers["idempotency-key"] === undefined
      ? "Read what you wanted to change before you send it again; with an Idempotency-Key, a request can be repeated."
      : "Send the same request with the same Idempotency-Key again: it is executed only once, and you learn its outcome.";
  return new ProblemError("outcome-unknown", {
    detail: `We do not know whether this was done. ${advice}`,
    headers: { "Retry-After": RETRY_AFTER_S },
    cause,
  });
}

// body-parser describes the failure in `type`; Express marks requests that it cannot read with a 4xx `status`.
const BODY_PROBLEMS: Record<string, { code: ErrorCode; detail: string }> = {
  "entity.parse.failed": { code: "invalid-json", detail: "The request body is not valid JSON." },
  "entity.too.large": { code: "too-large", detail: "The request body can have at most 100 kB." },
  "encoding.unsupported": { code: "not-json", detail: "This Content-Encoding is not supported." },
  "charset.unsupported": { code: "not-json", detail: "This charset is not supported, send UTF-8." },
};

function requestProblem(error: unknown): ProblemError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { type, status } = error as Error & { type?: unknown; status?: unknown };
  const known =
    typeof type === "string" && Object.hasOwn(BODY_PROBLEMS, type) ? BODY_PROBLEMS[type] : undefined;
  if (known) return new ProblemError(known.code, { detail: known.detail, cause: error });
  if (typeof status === "number" && status >= 400 && status < 500) {
    return new ProblemError("bad-request", { cause: error });
  }
  return undefined;
}

export const TOO_SLOW = new ProblemError("too-slow", {
  detail: "The request did not arrive in time, please send it again.",
});
const UNPARSED: Record<string, ProblemError> = {
  HPE_HEADER_OVERFLOW: new ProblemError("headers-too-large", {
    detail: "The address and the headers of a request can have at most 16 kB together.",
  }),
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
};
const NOT_HTTP = new ProblemError("bad-request", { detail: "This is not a valid HTTP/1.1 request." });

/** How long a client has to read the response before its connection is cut. */
const LINGER_MS = 1_000;

/**
 * A `clientError` listener: responds to what Node could not parse (not HTTP, too large or too slow) with a problem
 * document and closes the connection.
 */
export function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = UNPARSED[error.code ?? ""] ?? NOT_HTTP;
  const requestId = randomUUID();
  const body = problemDocument(problem, requestId);
  const { status } = ERRORS[problem.code];
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: application/problem+json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    `X-Request-Id: ${requestId}`,
  ];
  socket.end([...head, "", body].join("\r\n"));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
