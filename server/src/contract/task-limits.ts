// Without zod, which the first pages of a visitor do not load.

/** The largest amount anywhere, in USD. */
export const MAX_USD = 1_000_000;

/** The most items on one page. */
export const MAX_PAGE_SIZE = 100;

/** The four fixed task categories. */
export const CATEGORIES = ["Web Development", "Design", "Writing", "Marketing"] as const;
export type Category = (typeof CATEGORIES)[number];

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

/** An amount in a query string, in USD. */
export const AMOUNT = /^\d{1,9}(\.\d{1,2})?$/;

/** Why an amount cannot bound a list's budgets, or undefined if it can; the message calls it the `which` budget. */
export function budgetBoundError(which: "lowest" | "highest", amount: string): string | undefined {
  if (!AMOUNT.test(amount)) return `Enter the ${which} budget in US dollars, like 250 or 99.50.`;
  if (Number(amount) > MAX_USD)
    return `The ${which} budget can be at most $${MAX_USD.toLocaleString("en-US")}.`;
  return undefined;
}

type BudgetRange = { minBudget?: string | undefined; maxBudget?: string | undefined };

/** Is the lowest budget at most the highest? True if either is absent. */
export function isBudgetRange({ minBudget, maxBudget }: BudgetRange): boolean {
  return !minBudget || !maxBudget || Number(minBudget) <= Number(maxBudget);
}
export const BUDGET_RANGE_ERROR = { error: "The lowest budget is above the highest.", path: ["minBudget"] };
