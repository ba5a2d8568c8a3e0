import * as z from "zod/mini";

// Not in profile.ts: every page loads this module, and profiles bring a list of languages along.

/** At most this many of a person's tasks, or jobs, are counted, so that public requests stay cheap. */
export const MAX_COUNTED = 10_000;

/** What others think of somebody: their stars on average, null without any review. */
export const ratingSchema = z.object({ average: z.nullable(z.number()), count: z.number() });
export type Rating = z.infer<typeof ratingSchema>;

/** What everybody may know of somebody as a client. */
export const clientRecordSchema = z.object({
  /** ISO instant of the first time the product met them. */
  memberSince: z.string(),
  /** The last day (UTC) on which they did anything here. */
  lastActiveOn: z.string(),
  tasksPosted: z.number(),
  /** Own tasks that were completed. */
  tasksCompleted: z.number(),
  /** Share of the posted tasks that hired somebody, 0 to 1; null before the first task that came to an end. */
  hireRate: z.nullable(z.number()),
  rating: ratingSchema,
});
export type ClientRecord = z.infer<typeof clientRecordSchema>;
