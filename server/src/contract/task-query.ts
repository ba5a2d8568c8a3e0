import * as z from "zod/mini";
import {
  amountBound,
  atMost,
  inOrder,
  oneOf,
  pageQuerySchema,
  parameter,
  parameters,
  searchText,
} from "./fields.ts";
import { CATEGORIES, TASK_LIMITS } from "./values.ts";

export const categorySchema = oneOf(CATEGORIES, "Choose a category:");

/** Sort orders of a list: by deadline (`asc`, `desc`), time of posting, or budget. */
export const SORTS = ["asc", "desc", "newest", "oldest", "budget-asc", "budget-desc"] as const;
export type Sort = (typeof SORTS)[number];

// @__NO_SIDE_EFFECTS__
function emailAddress() {
  return z.string({ error: "Give one email address." }).check(atMost(320, "This email address is too long."));
}

/** The public filters of a list of tasks, which can be saved as a search. */
export const taskFilters = {
  /** A case-insensitive substring of the title or of a skill. */
  search: searchText(TASK_LIMITS.title),
  category: categorySchema,
  /** In USD, inclusive. */
  minBudget: amountBound("lowest budget"),
  maxBudget: amountBound("highest budget"),
  /** Only tasks that take bids now. Without it, tasks in every state. */
  state: z.enum(["open"], { error: "The state can be open, or left out." }),
};

/** The check of a query that its lowest budget is not above its highest. */
// @__NO_SIDE_EFFECTS__
export function budgetsInOrder() {
  return inOrder("budget", "minBudget", "maxBudget");
}

/** All filters of a list of tasks. Each has its condition in `task-list-plan.ts`. */
const taskFilterSchema = z.object({
  ...parameters(taskFilters),
  /** Only tasks posted on the last so many days. */
  posted: parameter(z.enum(["1", "7", "30"], { error: "Choose 1, 7 or 30 days." })),
  /** Only tasks with at most this many bids. */
  maxBids: parameter(z.enum(["0", "5"], { error: "Choose at most 0 or 5 bids." })),
  /** The tasks of this client, by the id of their profile. */
  client: parameter(z.string({ error: "Name one client." }).check(atMost(128, "This is nobody's id."))),
  /** The caller's own tasks. */
  email: parameter(emailAddress()),
});
export type TaskFilters = z.infer<typeof taskFilterSchema>;

const sortedTaskFilterSchema = z.extend(taskFilterSchema, {
  sort: parameter(oneOf(SORTS, "Sort by one of")),
});

/** The query of `GET /tasks`. Without `sort`, newest posted first. */
export const taskQuerySchema = taskQuery();
export type TaskQuery = z.infer<typeof taskQuerySchema>;

// @__NO_SIDE_EFFECTS__
function taskQuery() {
  return z.extend(sortedTaskFilterSchema, pageQuerySchema.shape).check(budgetsInOrder());
}

/** The query of `GET /tasks.atom`. */
export const taskFeedQuerySchema = taskFeedQuery();

// @__NO_SIDE_EFFECTS__
function taskFeedQuery() {
  return z.omit(sortedTaskFilterSchema, { email: true }).check(budgetsInOrder());
}
