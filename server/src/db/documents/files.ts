import * as z from "zod/mini";
import { FILE_LIMITS, FILE_PLACES, sideSchema, UPLOAD_STATES } from "../../contract/index.ts";
import { binary, count, instant, objectId, text, uid } from "../mongo-schema.ts";

const place = z.object({
  kind: z.enum(FILE_PLACES),
  /** The task, bid, message, step of the timeline or dispute; absent for what belongs to a profile. */
  on: z.optional(objectId),
  /** For all but profiles. */
  taskId: z.optional(objectId),
  by: z.optional(sideSchema),
  /** The people who can read it; without them, whoever can read what it hangs on. */
  readers: z.optional(z.array(uid)),
});
export type PlaceDoc = z.infer<typeof place>;

/**
 * A file of `uid`. Its content is in the storage under its id, never without this document: it is written before the
 * content and deleted after it. What files hang on does not mention them.
 */
export const fileDocument = z.object({
  _id: objectId,
  /** Replaced by an alias when the person deletes the account, before the file is deleted. */
  uid,
  name: text(FILE_LIMITS.name, 1),
  /** In bytes: as announced, later as stored. */
  size: count,
  /** Bytes received so far. */
  received: count,
  /** `unused` files are being deleted. */
  state: z.enum([...UPLOAD_STATES, "unused"]),
  /** Why it was refused. */
  reason: z.optional(text(300)),
  type: z.optional(text(255)),
  /** Only pictures have one: WebP. */
  thumbnail: z.optional(binary),
  /** False without a virus scanner. */
  scanned: z.optional(z.boolean()),
  place: z.optional(place),
  /** Its order among those that were attached with it. */
  order: z.optional(count),
  /** When it is deleted; absent while something uses it. */
  expireAt: z.optional(instant),
  createdAt: instant,
});
export type FileDoc = z.infer<typeof fileDocument>;

/** Bytes of an upload that is not complete. */
export const filePartDocument = z.object({
  _id: objectId,
  fileId: objectId,
  offset: count,
  bytes: binary,
});
