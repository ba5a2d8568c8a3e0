import * as z from "zod/mini";
import { parameter } from "./query.ts";
import { categorySchema, SORTS, TASK_LIMITS } from "./task-answer.ts";
import { isPlainLine } from "./text.ts";

// Queries have modules of their own: browsers need not load what only the server checks.

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
