import type { Request, RequestHandler } from "express";
import { ProblemError } from "./problem-error.ts";

// Node keeps the first of these and drops the others, where a proxy in front may look at the last.
const ONCE = new Set(["authorization", "content-type", "host", "idempotency-key", "if-match"]);
const PLAIN_NAME = /^[\w.-]{1,64}$/;

/**
 * Refuses what no client of ours sends and what others may read differently: a header twice that is meant once, a query
 * that is not encoded correctly, and structured parameter names (`search[$ne]`). Parameters that nobody asks for are
 * ignored, so that links with a tracking tag work; one that is given twice where it is known is refused by its schema.
 * @throws {ProblemError} `bad-request` (400).
 */
export const strictRequest: RequestHandler = (request, _response, next) => {
  refuseDoubledHeaders(request);
  const start = request.originalUrl.indexOf("?");
  if (start >= 0) checkQuery(request.originalUrl.slice(start + 1));
  next();
};

function refuseDoubledHeaders({ rawHeaders }: Request): void {
  let seen: Set<string> | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? "";
    if (!ONCE.has(name)) continue;
    seen ??= new Set();
    if (seen.has(name))
      throw new ProblemError("bad-request", { detail: `The header ${name} was sent twice.` });
    seen.add(name);
  }
}

function checkQuery(query: string): void {
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const end = pair.indexOf("=");
    const name = decoded(end < 0 ? pair : pair.slice(0, end));
    if (name === undefined || !PLAIN_NAME.test(name)) {
      throw wrong("?", "Parameters have plain names, and nothing is looked up by parts of them.");
    }
    if (end >= 0 && decoded(pair.slice(end + 1)) === undefined) {
      throw wrong(name, `The parameter "${name}" is not encoded correctly.`);
    }
  }
}

function decoded(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function wrong(parameter: string, detail: string): ProblemError {
  return new ProblemError("bad-request", { detail, errors: [{ parameter, detail }] });
}
