import { createHash } from "node:crypto";
import { isCalendarDate, type Sort } from "../../contract/index.ts";

/** How a list is ordered: by deadline, or newest posted first. */
export type Order = Sort | "newest";

/** The place in an ordered list after one task: the value it was ordered by, and its id to break ties. */
export type Place = { order: Order; key: string; id: string };

/** What narrows a list. A place in one list says nothing about another. */
export type Filters = Readonly<Record<string, string | undefined>>;

/** Writes a place in the list of these filters as the opaque text that a client hands back. */
export function writeCursor({ order, key, id }: Place, filters: Filters): string {
  return Buffer.from(JSON.stringify([order, key, id, digest(filters)])).toString("base64url");
}

/** Reads a cursor that was made for this order and these filters; undefined if it was not, or was tampered with. */
export function readCursor(cursor: string, order: Order, filters: Filters): Place | undefined {
  const place = parse(cursor);
  if (!place || place.order !== order || !/^[\da-f]{24}$/.test(place.id)) return undefined;
  const keyIsGood = order === "newest" ? isInstant(place.key) : isCalendarDate(place.key);
  // One place has one text: anything that merely decodes to it, or names other filters, was not written by us.
  return keyIsGood && writeCursor(place, filters) === cursor ? place : undefined;
}

function parse(cursor: string): Place | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (!Array.isArray(parts) || parts.length !== 4 || !parts.every((part) => typeof part === "string"))
      return;
    const [order, key, id] = parts as [Order, string, string, string];
    return { order, key, id };
  } catch {
    return undefined;
  }
}

// Not a signature: who writes a cursor of their own only chooses where in the list they start.
function digest(filters: Filters): string {
  const named = Object.entries(filters).filter(([, value]) => value !== undefined);
  const text = JSON.stringify(named.sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}

function isInstant(value: string): boolean {
  const instant = new Date(value);
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === value;
}
