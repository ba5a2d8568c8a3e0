import {
  BUDGET_RANGE_ERROR,
  budgetBoundError,
  CATEGORIES,
  isBudgetRange,
  isPlainLine,
  type SavedFilters,
  type Sort,
  TASK_LIMITS,
  type TaskQuery,
} from "@tasklane/server/contract";
import { shownCount } from "../../lib/pages.ts";

/** Tasks per "Load more". */
export const PAGE_SIZE = 24;

/** The parameters of the API's query that people choose. The URL uses the same names. */
type FilterName = Exclude<keyof TaskQuery, "client" | "email" | "limit" | "cursor">;

/** Which tasks to show, and in which order; an empty value is the default. */
export type BrowseFilters = Record<FilterName, string>;

/** The state in a browse page's URL. */
export type BrowseState = BrowseFilters & {
  shown: number;
  /** Why the budget range is invalid. Its values are kept, but no tasks are requested with them. */
  error?: string;
};

type Filter = {
  /** Whether it narrows the list, so that an empty list means "nothing matches". */
  narrows: boolean;
  /** The options to choose from, the default first. Without it, the filter is free text. */
  choice?: { label: string; options: readonly (readonly [value: string, text: string])[] };
  /** Converts the URL's value (empty for none) to the API's; by default they are the same. */
  toApi?: (value: string) => string;
};

/** The filters of both browse pages, in the order of the filter bar. */
const FILTERS: Record<FilterName, Filter> = {
  search: { narrows: true },
  category: {
    narrows: true,
    choice: {
      label: "Category",
      options: [["", "All categories"], ...CATEGORIES.map((category) => [category, category] as const)],
    },
  },
  minBudget: { narrows: true },
  maxBudget: { narrows: true },
  state: {
    narrows: false,
    choice: {
      label: "Show",
      options: [
        ["", "Open tasks"],
        ["all", "All tasks"],
      ],
    },
    toApi: (value) => (value === "all" ? "" : "open"),
  },
  posted: {
    narrows: true,
    choice: {
      label: "Posted",
      options: [
        ["", "Any time"],
        ["1", "Since yesterday"],
        ["7", "In the last 7 days"],
        ["30", "In the last 30 days"],
      ],
    },
  },
  maxBids: {
    narrows: true,
    choice: {
      label: "Bids so far",
      options: [
        ["", "Any number"],
        ["0", "None"],
        ["5", "At most 5"],
      ],
    },
  },
  sort: {
    narrows: false,
    choice: {
      label: "Sort by date or budget",
      options: [
        ["", "Newest posted"],
        ["oldest" satisfies Sort, "Oldest posted"],
        ["asc" satisfies Sort, "Deadline: soonest"],
        ["desc" satisfies Sort, "Deadline: latest"],
        ["budget-desc" satisfies Sort, "Budget: highest"],
        ["budget-asc" satisfies Sort, "Budget: lowest"],
      ],
    },
  },
};

const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];
const mapFilters = (value: (name: FilterName) => string) =>
  Object.fromEntries(FILTER_NAMES.map((name) => [name, value(name)])) as BrowseFilters;

export const NO_FILTERS = mapFilters(() => "");

/** The filters with a fixed list of options. */
export const FILTER_CHOICES = FILTER_NAMES.flatMap((name) => {
  const { choice } = FILTERS[name];
  return choice ? [{ name, ...choice }] : [];
});

/** Longer than any amount. */
const MAX_AMOUNT_LENGTH = 20;

/** Reads the URL's query. It may be typed or pasted, so an invalid option counts as no filter. */
export function readBrowseState(params: URLSearchParams): BrowseState {
  const filters = mapFilters((name) => {
    const text = params.get(name) ?? "";
    const { choice } = FILTERS[name];
    if (choice) return choice.options.some(([value]) => value === text) ? text : "";
    return isBudget(name) ? normalizeAmount(text.slice(0, MAX_AMOUNT_LENGTH)) : sanitizeSearch(text);
  });
  const [error] = Object.values(budgetErrors(filters));
  return { ...filters, shown: shownCount(params, PAGE_SIZE), ...(error && { error }) };
}

const isBudget = (name: FilterName) => name === "minBudget" || name === "maxBudget";

type BudgetRange = Pick<BrowseFilters, "minBudget" | "maxBudget">;

/** The API's validation messages for a budget range as it is typed, by field; empty if it is valid. */
export function budgetErrors(typed: BudgetRange): Partial<BudgetRange> {
  const minBudget = normalizeAmount(typed.minBudget);
  const maxBudget = normalizeAmount(typed.maxBudget);
  const lowest = minBudget && budgetBoundError("lowest", minBudget);
  const highest = maxBudget && budgetBoundError("highest", maxBudget);
  if (lowest || highest)
    return { ...(lowest && { minBudget: lowest }), ...(highest && { maxBudget: highest }) };
  return isBudgetRange({ minBudget, maxBudget }) ? {} : { minBudget: BUDGET_RANGE_ERROR.error };
}

/** Strips what people type into an amount, such as `$1,200` or `1 200`, for the API: `1200`. */
function normalizeAmount(text: string): string {
  return text.replace(/[$,\s]/gu, "");
}

// Removes what the API would reject, such as invisible characters.
function sanitizeSearch(text: string): string {
  return [...text].filter(isPlainLine).slice(0, TASK_LIMITS.title).join("").trim();
}

/** The URL query for a state, without defaults. */
export function writeBrowseState(state: Partial<BrowseState>): URLSearchParams {
  const params = new URLSearchParams();
  for (const name of FILTER_NAMES) {
    const value = state[name];
    if (value) params.set(name, isBudget(name) ? normalizeAmount(value) : value);
  }
  if (state.shown && state.shown > PAGE_SIZE) params.set("shown", String(state.shown));
  return params;
}

/** The filters as query parameters of the API. */
export function toTaskQuery(filters: BrowseFilters): BrowseFilters {
  return mapFilters((name) => FILTERS[name].toApi?.(filters[name]) ?? filters[name]);
}

/** The filters to store in a saved search: those that are set, without what new tasks always or never meet. */
export function savedFilters(filters: BrowseFilters): SavedFilters {
  const { sort: _, posted: _new, maxBids: _none, ...saved } = toTaskQuery(filters);
  return Object.fromEntries(Object.entries(saved).filter(([, value]) => value !== ""));
}

/** The API path of these tasks' Atom feed. */
export function feedUrl(filters: BrowseFilters): string {
  const params = Object.entries(toTaskQuery(filters)).filter(([, value]) => value !== "");
  return `/tasks.atom?${new URLSearchParams(params)}`;
}

/** Whether any filter narrows the list; the sort order does not. */
export function isFiltered(filters: BrowseFilters): boolean {
  return FILTER_NAMES.some((name) => FILTERS[name].narrows && filters[name] !== "");
}

/** How many filters other than the search text are set; a budget range counts as one. */
export function countActiveFilters(filters: BrowseFilters): number {
  const active = FILTER_NAMES.filter((name) => filters[name] !== "");
  const isRange = active.includes("minBudget") && active.includes("maxBudget");
  return active.length - Number(active.includes("search")) - Number(isRange);
}
