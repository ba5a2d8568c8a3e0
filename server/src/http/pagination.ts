import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import * as z from "zod/mini";
import type { ResponseHeader } from "../contract/endpoint.ts";
import { ProblemError } from "./problem.ts";
import { splitUrl } from "./request-input.ts";

/** The values that a list is ordered by, of the document after which a page begins. */
type Place = readonly (string | number | null)[];

/** What places are made of: an instant (ISO), a document's id. */
export const instantKey = z.iso.datetime();
export const idKey = z.string().check(z.regex(/^[\da-f]{24}$/));

/** The place in a list that goes newest first. */
export const newestFirstKey = z.tuple([instantKey, idKey]);

export function newestFirstKeyOf({ createdAt, _id }: { createdAt: Date; _id: { toHexString(): string } }) {
  return [createdAt.toISOString(), _id.toHexString()] as const;
}

/** How many documents a page holds, where the request does not say. */
const PAGE_SIZE = 20;

export function pageLimit({ limit }: { limit?: string | undefined }): number {
  return Number(limit ?? PAGE_SIZE);
}

/**
 * Writes a place as the opaque text that a client hands back for the next page.
 * @param list names the list with its order and all that narrows it: a place in one list says nothing about another.
 */
export function writeCursor(list: string, place: Place): string {
  // The digest is not a signature: a client that makes up a cursor only chooses where in the list to start.
  const digest = createHash("sha256").update(list).digest("base64url").slice(0, 12);
  return Buffer.from(JSON.stringify([...place, digest])).toString("base64url");
}

/**
 * Reads a cursor that was written for this list.
 * @throws {ProblemError} `invalid-cursor` (400) for anything else.
 */
export function readCursor<P extends Place>(
  list: string,
  cursor: string | undefined,
  schema: z.ZodMiniType<P>,
): P | undefined {
  if (cursor === undefined) return undefined;
  const { data: place } = schema.safeParse(decode(cursor));
  // A cursor has exactly one encoding: whatever else decodes to this place, or names another list, is not ours.
  if (place && writeCursor(list, place) === cursor) return place;
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
 * Takes a page out of what was read with a limit of one more, which tells whether there is a next page.
 * @returns `last` is the document that the next page comes after, if there is one.
 */
export function cutPage<T>(found: readonly T[], limit: number): { page: T[]; last: T | undefined } {
  const page = found.slice(0, limit);
  return { page, last: found.length > limit ? page.at(-1) : undefined };
}

/**
 * The `Link` to the next page (RFC 8288), relative to this server: neither the Host header nor the host of an absolute
 * address gets into a response.
 */
export function linkToNext(
  { baseUrl, path, originalUrl }: Pick<Request, "baseUrl" | "path" | "originalUrl">,
  cursor: string,
): string {
  const query = new URLSearchParams(splitUrl(originalUrl).query);
  query.set("cursor", cursor);
  return `<${baseUrl}${path}?${query}>; rel="next"`;
}

/** Sets the headers of a page: the link to the next one, and a count. */
export function setPageHeaders(
  request: Request,
  response: Response,
  next: string | undefined,
  count: Partial<Record<ResponseHeader, number>>,
): void {
  if (next !== undefined) response.setHeader("Link", linkToNext(request, next));
  for (const [name, value] of Object.entries(count)) response.setHeader(name, value);
}
