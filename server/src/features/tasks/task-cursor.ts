import { isCalendarDate, type Sort } from "../../contract/index.ts";

/** How a list is ordered: by deadline, or newest posted first. */
export type Order = Sort | "newest";

/** The place in an ordered list after one task: the value it was ordered by, and its id to break ties. */
export type Place = { order: Order; key: string; id: string };

/** Writes a place as the opaque text that a client hands back. */
export function writeCursor({ order, key, id }: Place): string {
  return Buffer.from(JSON.stringify([order, key, id])).toString("base64url");
}

/** Reads a cursor that was made for this order; undefined if it was not, or was tampered with. */
export function readCursor(cursor: string, order: Order): Place | undefined {
  const place = parse(cursor);
  if (!place || place.order !== order || !/^[\da-f]{24}$/.test(place.id)) return undefined;
  const keyIsGood = order === "newest" ? isInstant(place.key) : isCalendarDate(place.key);
  // One place has one text: anything that merely decodes to it was not written by us.
  return keyIsGood && writeCursor(place) === cursor ? place : undefined;
}

function parse(cursor: string): Place | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (!Array.isArray(parts) || parts.length !== 3 || !parts.every((part) => typeof part === "string"))
      return;
    const [order, key, id] = parts as [Order, string, string];
    return { order, key, id };
  } catch {
    return undefined;
  }
}

function isInstant(value: string): boolean {
  const instant = new Date(value);
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === value;
}
