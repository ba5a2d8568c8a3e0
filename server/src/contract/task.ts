import * as z from "zod/mini";
import { type CalendarDate, isCalendarDate } from "./dates.ts";
import { usd } from "./money.ts";
import { categorySchema, TASK_LIMITS } from "./task-answer.ts";
import { line, paragraph } from "./text.ts";

export * from "./task-answer.ts";
export * from "./task-query.ts";

const deadlineSchema = z.string({ error: "Deadline is required." }).check(
  z.refine(isCalendarDate, { error: "Enter the deadline as a date, like 2027-03-31.", abort: true }),
  z.refine((date) => date < "2100-01-01", "Choose a deadline before the year 2100."),
);

/**
 * What a client fills in to post or update a task (SPEC section 5). Other fields in the payload, `email`
 * and `name` among them, are ignored: the poster comes from the verified token.
 */
export const taskDraftSchema = z.object({
  title: line("Title", TASK_LIMITS.title),
  category: categorySchema,
  description: paragraph("Description", TASK_LIMITS.description),
  deadline: deadlineSchema,
  budget: usd("Budget"),
  /** May signed-in visitors see the poster's e-mail address? Absent: as it was; for a new task, yes. */
  showEmail: z.optional(z.boolean({ error: "Say true or false." })),
});
export type TaskDraft = z.infer<typeof taskDraftSchema>;

/** Why a deadline is not possible any more, and which days are. */
export function pastDeadlineText(today: CalendarDate): string {
  return `This deadline has passed: choose today (${today} UTC) or a later day.`;
}

function possibleFrom(today: CalendarDate) {
  const deadline = deadlineSchema.check(z.refine((date) => date >= today, pastDeadlineText(today)));
  return z.extend(taskDraftSchema, { deadline });
}
let possible: { today: CalendarDate; schema: ReturnType<typeof possibleFrom> } | undefined;

/** A draft whose deadline has not passed on that day: one schema, so that all that is wrong is said at once. */
export function draftSchemaOn(today: CalendarDate): ReturnType<typeof possibleFrom> {
  if (possible?.today !== today) possible = { today, schema: possibleFrom(today) };
  return possible.schema;
}

/**
 * `PATCH /tasks/:id/state`, by the owner; see `TASK_RULES` for what is possible when. Reopening may bring a new
 * deadline, and must if the old one has passed.
 */
export const stateChangeSchema = z.object({
  state: z.enum(["open", "completed", "cancelled"], { error: "Choose a state: open, completed, cancelled." }),
  deadline: z.optional(deadlineSchema),
});
export type StateChange = z.infer<typeof stateChangeSchema>;
