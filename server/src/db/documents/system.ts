import * as z from "zod/mini";
import { count, instant, objectId, text, uid } from "../mongo-schema.ts";

const storedResponse = z.object({
  status: count,
  headers: z.record(z.string(), z.string()),
  body: text(100_000),
});
export type StoredResponse = z.infer<typeof storedResponse>;

/** A request that carried an `Idempotency-Key`, kept for those who send it again. */
export const idempotencyKeyDocument = z.object({
  _id: objectId,
  personId: uid,
  key: text(200, 1),
  /** Tells whether a request with the key is the same request. */
  fingerprint: text(100, 1),
  /** The copy of the request that is at work, or was last. */
  holder: objectId,
  /** Until then nobody else does the same. */
  lockedUntil: z.optional(instant),
  /** What the request's transaction came to, written by the transaction itself. */
  outcome: z.optional(z.object({ value: z.optional(z.unknown()) })),
  /** The final response. */
  response: z.optional(storedResponse),
  createdAt: instant,
});
export type IdempotencyKeyDoc = z.infer<typeof idempotencyKeyDocument>;

/** Whose addresses somebody looked up on one day, all of it in digests; `_id` is that of day, kind and viewer. */
export const addressViewsDocument = z.object({
  _id: text(22, 1),
  seen: z.array(z.string()),
  expireAt: instant,
});

/** How often something was done in a window of time, by whom; written by `rate-limiter-flexible`. */
export const rateLimitDocument = z.looseObject({
  _id: objectId,
  key: z.string(),
  points: z.number(),
  expire: instant,
});
