import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";
import { AccountSuspended, TokenRejected, VerifierUnavailable } from "../auth/token-verifier.ts";
import {
  ERRORS,
  type ErrorCode,
  type FieldError,
  type Problem,
  problemType,
  type UpdateResponse,
} from "../contract/index.ts";
import { isDatabaseOutage } from "../db/outage.ts";
import { currentRequest, type Outcome } from "../db/transaction.ts";

type Options = {
  detail?: string;
  errors?: FieldError[];
  version?: number;
  headers?: Record<string, string>;
  cause?: unknown;
};

/** A response that is not a success: thrown anywhere above the stores, sent by the problem handler. */
export class ProblemError extends Error {
  override name = "ProblemError";
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly version: number | undefined;
  readonly headers: Record<string, string>;

  /**
   * @param code entry of the contract's registry, which fixes status and title.
   * @param options.detail what this caller should know or do; the title if left out.
   * @param options.version the version there is, where another one was expected.
   */
  constructor(code: ErrorCode, options: Options = {}) {
    super(options.detail ?? `${ERRORS[code].title}.`, { cause: options.cause });
    this.code = code;
    this.errors = options.errors;
    this.version = options.version;
    this.headers = options.headers ?? {};
  }
}

/** Somebody saved in between: says which version there is now. */
export function changedMeanwhile(version: number, detail?: string): ProblemError {
  const headers = { ETag: `"${version}"` };
  return new ProblemError("changed-meanwhile", { ...(detail && { detail }), version, headers });
}

/** The response to a command on one document. @throws {ProblemError} if it was refused. */
export function updateResponse(outcome: Outcome): UpdateResponse {
  if ("refused" in outcome) {
    const { refused, detail, errors, version } = outcome;
    if (version !== undefined) throw changedMeanwhile(version, detail);
    throw new ProblemError(refused, { ...(detail && { detail }), ...(errors && { errors }) });
  }
  return { acknowledged: true, matchedCount: 1, modifiedCount: outcome.changed ? 1 : 0 };
}

/** Responds to everything no route took: `route-not-found`. */
export const routeNotFound: RequestHandler = (request) => {
  throw new ProblemError("route-not-found", { detail: `There is no ${request.method} at this address.` });
};

/** Sends every thrown error as a problem document (RFC 9457). Of an unknown error only the request's id is told. */
export const problemHandler: ErrorRequestHandler = (error, request, response, _next) => {
  const problem = asProblem(error, request);
  if (ERRORS[problem.code].status >= 500) request.log.error({ err: error }, problem.code);
  // The status line is out already: nothing can be said any more, only the connection can be cut.
  if (response.headersSent) response.destroy();
  else sendProblem(response, problem, String(request.id));
};

/** Sends the problem document. */
export function sendProblem(response: Response, problem: ProblemError, requestId: string): void {
  response.status(ERRORS[problem.code].status).set(problem.headers).set("Cache-Control", "no-store");
  response.type("application/problem+json").send(documentOf(problem, requestId));
}

function documentOf({ code, message, errors, version }: ProblemError, requestId: string): string {
  const { status, title } = ERRORS[code];
  return JSON.stringify({
    type: problemType(code),
    title,
    status,
    detail: message,
    code,
    requestId,
    ...(errors && { errors }),
    ...(version !== undefined && { version }),
  } satisfies Problem);
}

function asProblem(error: unknown, request: Pick<Request, "headers">): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof AccountSuspended)
    return new ProblemError("account-suspended", { detail: error.message, cause: error });
  if (error instanceof TokenRejected) return sessionExpired(error);
  if (isDatabaseOutage(error) && currentRequest()?.mayHaveWritten) return outcomeUnknown(error, request);
  if (error instanceof VerifierUnavailable || isDatabaseOutage(error)) return unavailable(error);
  return requestProblem(error) ?? new ProblemError("internal", { cause: error });
}

// RFC 6750 section 3.1: says that the token was the reason.
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

// A write was on its way when the database went silent: whether it happened, only the database knows.
function outcomeUnknown(cause: unknown, { headers }: Pick<Request, "headers">): ProblemError {
  const how =
    headers["idempotency-key"] === undefined
      ? "Read what you wanted to change before you send it again; with an Idempotency-Key, a request can be repeated."
      : "Send the same request with the same Idempotency-Key again: it is done once, and you learn what became of it.";
  return new ProblemError("outcome-unknown", {
    detail: `We do not know whether this was done. ${how}`,
    headers: { "Retry-After": RETRY_AFTER_S },
    cause,
  });
}

// body-parser names what went wrong in `type`; Express marks what it could not read with a 4xx `status`.
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
const NOT_HTTP = new ProblemError("bad-request", { detail: "This is not a request as HTTP/1.1 has them." });

// A client that does not read the response either is not waited for.
const LINGER_MS = 1_000;

/**
 * Responds to what is not HTTP, too large or too slow, and so never becomes a request: a problem document like any other,
 * and the end of the connection. A listener of `clientError`.
 */
export function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = UNPARSED[error.code ?? ""] ?? NOT_HTTP;
  const requestId = randomUUID();
  const body = documentOf(problem, requestId);
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
