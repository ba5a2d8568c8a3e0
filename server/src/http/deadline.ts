import type { ErrorRequestHandler, RequestHandler, Response } from "express";
import { DatabaseBusy } from "../db/outage.ts";
import { RequestContext, runInRequest } from "../db/request-context.ts";
import { problemHandler } from "./problem-handler.ts";

/** So long the work for an answer may take before the answer begins; with the way to the client, five seconds. */
export const DEADLINE_MS = 4_500;

const late = new WeakSet<Response>();

/**
 * Answers 503 with `Retry-After` when nothing was answered after {@link DEADLINE_MS}, whatever the work is waiting for: a
 * database that hangs or elects, a pool without a free connection, a retry on top of a time-out. What was not sent to the
 * database by then is not sent any more, so `unavailable` means that nothing was done; if a write or a commit was on its
 * way, the problem is `outcome-unknown`. An answer that has begun goes on: streams have limits of their own.
 */
export function deadline(patienceMs = DEADLINE_MS): RequestHandler {
  return (request, response, next) => {
    const context = new RequestContext();
    runInRequest(context, () => {
      const timer = setTimeout(() => {
        if (response.headersSent) return;
        late.add(response);
        context.expire();
        problemHandler(new DatabaseBusy(`no answer within ${patienceMs} ms`), request, response, next);
      }, patienceMs);
      response.once("close", () => clearTimeout(timer));
      next();
    });
  };
}

/** Ends what work throws that was too late: its request has been answered. Stands before the problem handler. */
export const dropLate: ErrorRequestHandler = (error, request, response, next) => {
  if (!late.has(response)) return next(error);
  // That there is an answer already is how work finds out that it was too late, and no failure of its own.
  const tooLate = (error as NodeJS.ErrnoException).code === "ERR_HTTP_HEADERS_SENT";
  request.log.warn(tooLate ? {} : { err: error }, "ended after its answer was due");
};
