import type { Request } from "express";

/** What costs more than a page of tasks, and is therefore limited for each person and each address. */
export type Cost = "write" | "search" | "list";

const READS = new Set(["GET", "HEAD"]);
// Everything somebody has, in one answer.
const WHOLE = /^\/me\/(?:export|[a-z]+\.csv)\/?$/i;
const LIST = /^\/tasks\/?$/i;

/**
 * What a request costs beyond a plain read: `write`; `list` for an answer without end (`GET /tasks` without `limit`,
 * exports); `search` for a search. A preflight costs nothing, and neither does a page or a single task.
 */
export function costOf(request: Pick<Request, "method" | "query" | "originalUrl">): Cost | undefined {
  if (request.method === "OPTIONS") return undefined;
  if (!READS.has(request.method)) return "write";
  const path = request.originalUrl.split("?", 1)[0] ?? "";
  if (WHOLE.test(path)) return "list";
  if (!LIST.test(path)) return undefined;
  const { limit, search } = request.query;
  if (limit === undefined) return "list";
  return search === undefined || search === "" ? undefined : "search";
}
