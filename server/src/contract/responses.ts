import * as z from "zod/mini";

/** Responses to writes, with the fields of the MongoDB driver's results. */
export const insertResponseSchema = z.object({ acknowledged: z.boolean(), insertedId: z.string() });
export const updateResponseSchema = z.object({
  acknowledged: z.boolean(),
  matchedCount: z.number(),
  modifiedCount: z.number(),
});
export const deleteResponseSchema = z.object({ acknowledged: z.boolean(), deletedCount: z.number() });

export type InsertResponse = z.infer<typeof insertResponseSchema>;
export type UpdateResponse = z.infer<typeof updateResponseSchema>;
export type DeleteResponse = z.infer<typeof deleteResponseSchema>;

/**
 * `GET /ready`: can requests be served? 200 if `ready`, 503 otherwise. `failing` lists the failed checks, such as
 * `database` or `load`. `writes`: are sessions checked for revocation before each write? If that is `unavailable`,
 * writes are refused.
 */
export const readinessSchema = z.object({
  status: z.enum(["ready", "not-ready", "stopping"]),
  failing: z.array(z.string()),
  writes: z.enum(["checked", "unchecked", "unavailable"]),
});
export type Readiness = z.infer<typeof readinessSchema>;

/** `GET /health`: is the process alive? Does not check the database. */
export const healthSchema = z.object({ status: z.literal("ok") });
