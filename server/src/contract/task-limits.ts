import { MAX_PAGE_SIZE, MAX_USD, oneOf } from "./fields.ts";

/** The four fixed task categories. */
export const CATEGORIES = ["Web Development", "Design", "Writing", "Marketing"] as const;
export type Category = (typeof CATEGORIES)[number];
export const categorySchema = oneOf(CATEGORIES, "Choose a category:");

/** Bounds of a task's fields: characters, USD, and tasks in one page. */
export const TASK_LIMITS = {
  title: 120,
  description: 5000,
  skills: 8,
  budgetUsd: MAX_USD,
  pageSize: MAX_PAGE_SIZE,
  /** Why an awarded task is cancelled. */
  reason: 1_000,
} as const;
