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

/** `GET /health`: is the process alive, and does its database answer? */
export const healthSchema = z.object({
  status: z.enum(["ok", "degraded"]),
  database: z.enum(["up", "down"]),
});
export type Health = z.infer<typeof healthSchema>;
