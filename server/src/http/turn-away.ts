import { randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import { ERRORS, type ErrorCode, type Problem, problemType } from "../contract/index.ts";

/**
 * Refuses a request before anything is done for it: no token is looked at, no body read, no line logged. A problem
 * document like any other, with `Retry-After`.
 */
export function turnAway(
  { headers }: Request,
  response: Response,
  { code, detail, retryAfterS }: { code: ErrorCode; detail: string; retryAfterS: number },
): void {
  const { status, title } = ERRORS[code];
  const requestId = randomUUID();
  const problem: Problem = { type: problemType(code), title, status, detail, code, requestId };
  response.statusCode = status;
  response.setHeader("Retry-After", String(retryAfterS));
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("X-Request-Id", requestId);
  response.setHeader("Content-Type", "application/problem+json; charset=utf-8");
  // A body that is on its way is not read: then the connection ends with this answer.
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (hasBody) response.setHeader("Connection", "close");
  response.end(JSON.stringify(problem));
}
