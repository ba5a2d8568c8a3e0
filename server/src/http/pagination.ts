import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import * as z from "zod/mini";
import type { ResponseHeader } from "../contract/endpoint.ts";
import { ProblemError } from "./problem.ts";
import { splitUrl } from "./request-input.ts";

/** The values of a list's sort fields in the document after which a page begins. */
type SortKey = readonly (string | number | null)[];

/** Parts of sort keys: an ISO date-time, a document's id. */
export const instantKey = z.iso.datetime();
export const idKey = z.string().check(z.regex(/^[\da-f]{24}$/));

/** The sort key of lists that are ordered newest first. */
export const newestFirstKey = z.tuple([instantKey, idKey]);

export function newestFirstKeyOf({ createdAt, _id }: { createdAt: Date; _id: { toHexString(): string } }) {
  return [createdAt.toISOString(), _id.toHexString()] as const;
}

const DEFAULT_PAGE_SIZE = 20;

export function pageLimit({ limit }: { limit?: string | undefined }): number {
  return Number(limit ?? DEFAULT_PAGE_SIZE);
}

/**
 * Encodes a sort key as the opaque cursor that a client sends for the next page.
 * @param list identifies the list with its order and filters, because a cursor of one list is meaningless in another.
 */
export function writeCursor(list: string, key: SortKey): string {
  // The digest is not a signature: a forged cursor only chooses where in the list to start.
  const digest = createHash("sha256").update(list).digest("base64url").slice(0, 12);
  return Buffer.from(JSON.stringify([...key, digest])).toString("base64url");
}

/**
 * Decodes a cursor that was written for this list.
 * @throws {ProblemError} `invalid-cursor` (400) for anything else.
 */
export function readCursor<K extends SortKey>(
  list: string,
  cursor: string | undefined,
  schema: z.ZodMiniType<K>,
): K | undefined {
  if (cursor === undefined) return undefined;
  const { data: key } = schema.safeParse(decode(cursor));
  // A sort key has exactly one encoding per list, so any other cursor is not ours.
  if (key && writeCursor(list, key) === cursor) return key;
  throw new ProblemError("invalid-cursor", {
    detail: "This cursor is not valid for this list: start again without it.",
  });
}

function decode(cursor: string): unknown {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parts) ? parts.slice(0, -1) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Cuts the page out of documents that were read with a limit of one more, to find out whether there is a next page.
 * @returns `last` is the last document of the page if there is a next one.
 */
export function cutPage<T>(found: readonly T[], limit: number): { page: T[]; last: T | undefined } {
  const page = found.slice(0, limit);
  return { page, last: found.length > limit ? page.at(-1) : undefined };
}

/**
 * The `Link` to the next page (RFC 8288). It is relative, so that neither the Host header nor the host of an absolute
 * URL gets into a response.
 */
export function linkToNext(
  { baseUrl, path, originalUrl }: Pick<Request, "baseUrl" | "path" | "originalUrl">,
  cursor: string,
): string {
  const query = new URLSearchParams(splitUrl(originalUrl).query);
  query.set("cursor", cursor);
  return `<${baseUrl}${path}?${query}>; rel="next"`;
}

/** Sets the headers of a page: the link to the next page, and counts. */
export function setPageHeaders(
  request: Request,
  response: Response,
  next: string | undefined,
  count: Partial<Record<ResponseHeader, number>>,
): void {
  if (next !== undefined) response.setHeader("Link", linkToNext(request, next));
  for (const [name, value] of Object.entries(count)) response.setHeader(name, value);
}
