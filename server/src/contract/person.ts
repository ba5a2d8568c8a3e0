import * as z from "zod/mini";

// Not in profile.ts: every page loads this module, and profiles bring a list of languages along.

/** At most this many of a person's tasks, or jobs, are counted, so that public requests stay cheap. */
export const MAX_COUNTED = 10_000;

/** A person's average stars and number of reviews; the average is null without any. */
export const ratingSchema = z.object({ average: z.nullable(z.number()), count: z.number() });
export type Rating = z.infer<typeof ratingSchema>;

/** A person's public record as a client. */
export const clientRecordSchema = z.object({
  /** ISO instant of their first visit with an account. */
  memberSince: z.string(),
  /** The last day (UTC) on which they were active. */
  lastActiveOn: z.string(),
  tasksPosted: z.number(),
  /** Own tasks that were completed. */
  tasksCompleted: z.number(),
  /** Share of the posted tasks that led to a hire, 0 to 1; null until the first task has ended. */
  hireRate: z.nullable(z.number()),
  rating: ratingSchema,
});
export type ClientRecord = z.infer<typeof clientRecordSchema>;
