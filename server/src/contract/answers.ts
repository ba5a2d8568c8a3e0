import * as z from "zod/mini";

/** Answers of the writing endpoints (SPEC section 7): the fields of the MongoDB driver's own results. */
export const insertAnswerSchema = z.object({ acknowledged: z.boolean(), insertedId: z.string() });
export const updateAnswerSchema = z.object({
  acknowledged: z.boolean(),
  matchedCount: z.number(),
  modifiedCount: z.number(),
});
export const deleteAnswerSchema = z.object({ acknowledged: z.boolean(), deletedCount: z.number() });

export type InsertAnswer = z.infer<typeof insertAnswerSchema>;
export type UpdateAnswer = z.infer<typeof updateAnswerSchema>;
export type DeleteAnswer = z.infer<typeof deleteAnswerSchema>;

/**
 * `GET /ready`: can requests be served? 200 if `ready`, 503 otherwise. `failing` names what is not in order, such as
 * `database` or `load`.
 */
export const readinessSchema = z.object({
  status: z.enum(["ready", "not-ready", "stopping"]),
  failing: z.array(z.string()),
});
export type Readiness = z.infer<typeof readinessSchema>;
