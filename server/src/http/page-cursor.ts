import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { ProblemError } from "./problem-error.ts";

/** The place after one document of a list that goes newest first: its instant (ISO), and its id to break ties. */
export type NewestPlace = { at: string; id: string; group?: string | undefined };

/**
 * Writes a place as the opaque text that a client hands back for the next page.
 * @param list names the list with all that narrows it: a place in one list says nothing about another.
 */
export function writePageCursor(list: string, { at, id, group = "" }: NewestPlace): string {
  return Buffer.from(JSON.stringify([group, at, id, digest(list)])).toString("base64url");
}

/**
 * Reads a cursor that was written for this list.
 * @param groups the possible values of the list's first order, where it has one ("unsettled first").
 * @throws {ProblemError} `invalid-cursor` (400) for anything else.
 */
export function readPageCursor(
  list: string,
  cursor: string | undefined,
  groups: readonly string[] = [""],
): NewestPlace | undefined {
  if (cursor === undefined) return undefined;
  const place = parse(cursor);
  // One place has one text: anything that merely decodes to it, or names another list, was not written by us.
  if (place && groups.includes(place.group ?? "") && writePageCursor(list, place) === cursor) return place;
  throw new ProblemError("invalid-cursor", {
    detail: "This cursor is not valid for this list: start again without it.",
  });
}

/** Links to the next page (RFC 8288), relative to this server: no Host header gets into an answer. */
export function linkToNext(request: Request, response: Response, cursor: string | undefined): void {
  if (cursor === undefined) return;
  const [path, search] = request.originalUrl.split("?", 2);
  const query = new URLSearchParams(search);
  query.set("cursor", cursor);
  response.setHeader("Link", `<${path}?${query}>; rel="next"`);
}

function parse(cursor: string): NewestPlace | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (!Array.isArray(parts) || !parts.every((part) => typeof part === "string")) return undefined;
    const [group, at, id] = parts as [string, string, string];
    return isInstant(at) && /^[\da-f]{24}$/.test(id) ? { group, at, id } : undefined;
  } catch {
    return undefined;
  }
}

function isInstant(value: string | undefined): boolean {
  const instant = new Date(value ?? Number.NaN);
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === value;
}

// Not a signature: who writes a cursor of their own only chooses where in the list they start.
function digest(list: string): string {
  return createHash("sha256").update(list).digest("base64url").slice(0, 12);
}
