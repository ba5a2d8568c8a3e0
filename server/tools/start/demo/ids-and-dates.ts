import { createHash } from "node:crypto";
import { ObjectId } from "mongodb";

/** The id of a demo document: derived from its key, so it is the same every time. */
export function idOf(key: string): ObjectId {
  return new ObjectId(createHash("sha256").update(`tasklane:${key}`).digest("hex").slice(0, 24));
}

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const daysBefore = (today: Date, days: number) => new Date(today.getTime() - days * DAY_MS);
