import { createHash } from "node:crypto";
import { ObjectId } from "mongodb";

/** The id of a demo document, from its key: the same every time. */
export function idOf(key: string): ObjectId {
  return new ObjectId(createHash("sha256").update(`tasklane:${key}`).digest("hex").slice(0, 24));
}
