import * as z from "zod/mini";
import { count, instant, objectId, text, uid } from "../mongo-schema.ts";

const storedResponse = z.object({
  status: count,
  headers: z.record(z.string(), z.string()),
  body: text(100_000),
});
export type StoredResponse = z.infer<typeof storedResponse>;

/** An executed request with an `Idempotency-Key`, kept for a day in case it is repeated. */
export const idempotencyKeyDocument = z.object({
  _id: objectId,
  personId: uid,
  key: text(200, 1),
  /** Identifies the content of the request. */
  fingerprint: text(100, 1),
  /** The outcome of the request's transaction, written by the transaction itself. */
  outcome: z.optional(z.object({ value: z.optional(z.unknown()) })),
  /** The final response. */
  response: z.optional(storedResponse),
  createdAt: instant,
});
export type IdempotencyKeyDoc = z.infer<typeof idempotencyKeyDocument>;

/** How many bids a person placed, tasks they posted, or bytes they uploaded, on a day; `_id` is a digest of kind, day and person. */
export const dayCountDocument = z.object({ _id: text(22, 1), count, expireAt: instant });

/** The people whose addresses a viewer looked up on one day, as digests; `_id` is a digest of day, kind and viewer. */
export const addressViewsDocument = z.object({
  _id: text(22, 1),
  seen: z.array(z.string()),
  expireAt: instant,
});

/** A rate limiter's count within one time window; written by `rate-limiter-flexible`. */
export const rateLimitDocument = z.looseObject({
  _id: objectId,
  key: z.string(),
  points: z.number(),
  expire: instant,
});
