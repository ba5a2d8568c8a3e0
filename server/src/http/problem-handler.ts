import type { ErrorRequestHandler, Request, RequestHandler } from "express";
import { TokenRejected, VerifierUnavailable } from "../auth/token-verifier.ts";
import { ERRORS, type ErrorCode, type Problem, problemType } from "../contract/index.ts";
import { isDatabaseOutage } from "../db/outage.ts";
import { currentRequest } from "../db/request-context.ts";
import { ProblemError } from "./problem-error.ts";

/** Answers everything no route took: `route-not-found`. */
export const routeNotFound: RequestHandler = (request) => {
  throw new ProblemError("route-not-found", { detail: `There is no ${request.method} at this address.` });
};

/** Writes every thrown error as a problem document (RFC 9457). What is unknown is logged and answered by its id only. */
export const problemHandler: ErrorRequestHandler = (error, request, response, _next) => {
  const problem = asProblem(error, request);
  if (ERRORS[problem.code].status >= 500) request.log.error({ err: error }, problem.code);
  // The status line is out already: nothing can be said any more, only the connection can be cut.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, title } = ERRORS[problem.code];
  const body: Problem = {
    type: problemType(problem.code),
    title,
    status,
    detail: problem.message,
    code: problem.code,
    requestId: String(request.id),
    ...(problem.errors && { errors: problem.errors }),
    ...(problem.version !== undefined && { version: problem.version }),
  };
  response.status(status).set(problem.headers).set("Cache-Control", "no-store");
  response.type("application/problem+json").send(JSON.stringify(body));
};

function asProblem(error: unknown, request: Pick<Request, "headers">): ProblemError {
  if (error instanceof ProblemError) return error;
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
    detail: `It is not known whether this was done. ${how}`,
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
