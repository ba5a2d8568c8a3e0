import * as z from "zod/mini";
import { isCalendarDate } from "./dates.ts";
import { usd } from "./money.ts";
import { parameter } from "./query.ts";
import { CATEGORIES, SORTS, TASK_LIMITS } from "./task-answer.ts";
import { isPlainLine, line, paragraph } from "./text.ts";

export * from "./task-answer.ts";

const categorySchema = z.enum(CATEGORIES, {
  error: `Choose a category: ${CATEGORIES.join(", ")}.`,
});

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

/**
 * The query of `GET /tasks` (SPEC section 7), plus `limit` and `cursor` for pages.
 * `search` is a case-insensitive substring of the title; `sort` orders by deadline; without it, newest first.
 */
export const taskQuerySchema = z.object({
  search: parameter(
    z
      .string({ error: "Give one search text." })
      .check(
        z.maxLength(TASK_LIMITS.title, `Search for at most ${TASK_LIMITS.title} characters.`),
        z.refine(isPlainLine, "Remove the control characters from the search text."),
      ),
  ),
  category: parameter(categorySchema),
  /** Only tasks that take bids now: open, and not expired. Without it, tasks of every state. */
  state: parameter(z.enum(["open"], { error: "The state can be open, or left out." })),
  sort: parameter(z.enum(SORTS, { error: "Sort by deadline with asc or desc." })),
  email: parameter(
    z
      .string({ error: "Give one e-mail address." })
      .check(z.maxLength(320, "This e-mail address is too long.")),
  ),
  limit: parameter(
    z
      .string({ error: "Give one limit." })
      .check(z.regex(/^([1-9]\d?|100)$/, `The limit is a whole number from 1 to ${TASK_LIMITS.pageSize}.`)),
  ),
  cursor: parameter(
    z.string({ error: "Give one cursor." }).check(z.maxLength(512, "This cursor is too long.")),
  ),
});
export type TaskQuery = z.infer<typeof taskQuerySchema>;

/**
 * `PATCH /tasks/:id/state`, by the owner; see `TASK_RULES` for what is possible when. Reopening may bring a new
 * deadline, and must if the old one has passed.
 */
export const stateChangeSchema = z.object({
  state: z.enum(["open", "completed", "cancelled"], { error: "Choose a state: open, completed, cancelled." }),
  deadline: z.optional(deadlineSchema),
});
export type StateChange = z.infer<typeof stateChangeSchema>;
