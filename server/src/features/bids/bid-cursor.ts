import { createHash } from "node:crypto";

/** The place in an ordered list after one bid: the value it was ordered by (null: it has none), and its id. */
export type BidPlace = { key: string | number | null; id: string };

/**
 * Writes a place as the opaque text that a client hands back.
 * @param list names the list with its order and all that narrows it: a place in one says nothing about another.
 */
export function writeBidCursor({ key, id }: BidPlace, list: string): string {
  return Buffer.from(JSON.stringify([key, id, digest(list)])).toString("base64url");
}

/** Reads a cursor that was made for this list; undefined if it was not, or was tampered with. */
export function readBidCursor(cursor: string, list: string): BidPlace | undefined {
  const place = parse(cursor);
  // One place has one text: anything that merely decodes to it, or names another list, was not written by us.
  return place && writeBidCursor(place, list) === cursor ? place : undefined;
}

function parse(cursor: string): BidPlace | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (!Array.isArray(parts)) return undefined;
    const [key, id] = parts;
    const isKey = key === null || typeof key === "number" || (typeof key === "string" && isInstant(key));
    return isKey && typeof id === "string" && /^[\da-f]{24}$/.test(id) ? { key, id } : undefined;
  } catch {
    return undefined;
  }
}

function isInstant(value: string): boolean {
  const instant = new Date(value);
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === value;
}

// Not a signature: who writes a cursor of their own only chooses where in the list they start.
function digest(list: string): string {
  return createHash("sha256").update(list).digest("base64url").slice(0, 12);
}
