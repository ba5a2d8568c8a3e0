import {
  CATEGORIES,
  isPlainLine,
  type SavedFilters,
  type Sort,
  TASK_LIMITS,
  type TaskQuery,
  taskQuerySchema,
} from "@tasklane/server/contract";
import { shownCount } from "../../lib/pages.ts";

/** Tasks in one step of "Load more". */
export const PAGE = 24;

/** What people choose of the API's query. The address has it under the same names. */
type FilterName = Exclude<keyof TaskQuery, "email" | "limit" | "cursor">;

/** Which tasks a person wants to see, and in which order; empty is the default. */
export type BrowseFilters = Record<FilterName, string>;

/** What a browse address asks for. */
export type BrowseState = BrowseFilters & { shown: number };

type Filter = {
  /** Does it narrow the list, so that nothing found means that nothing matches? */
  narrows: boolean;
  /** A choice among these values, each as people read it; the first is the default. Without it, what is typed. */
  choice?: { label: string; options: readonly (readonly [value: string, text: string])[] };
  /** The value of the address, empty for none, as the API takes it; the same unless it says otherwise. */
  toApi?: (value: string) => string;
};

/** The filters of both browse pages, in the order in which the filter bar shows them. */
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

const NAMES = Object.keys(FILTERS) as FilterName[];
const filtersBy = (value: (name: FilterName) => string) =>
  Object.fromEntries(NAMES.map((name) => [name, value(name)])) as BrowseFilters;

export const NO_FILTERS = filtersBy(() => "");

/** The filters that are a choice, with what there is to choose. */
export const CHOICES = NAMES.flatMap((name) => {
  const { choice } = FILTERS[name];
  return choice ? [{ name, ...choice }] : [];
});

/** Reads an address. It may be typed or pasted, and hold anything: an unknown value counts as no filter. */
export function readBrowseState(params: URLSearchParams): BrowseState {
  const filters = filtersBy((name) => {
    const text = params.get(name) ?? "";
    const { choice } = FILTERS[name];
    if (choice) return choice.options.some(([value]) => value === text) ? text : "";
    return name === "search" ? searchable(text) : text;
  });
  const { minBudget, maxBudget } = budgetErrors(filters);
  if (minBudget) filters.minBudget = "";
  if (maxBudget) filters.maxBudget = "";
  return { ...filters, shown: shownCount(params, PAGE) };
}

type BudgetRange = Pick<BrowseFilters, "minBudget" | "maxBudget">;

/** What is wrong with a range of budgets, in the words of the API, by field. */
export function budgetErrors({ minBudget, maxBudget }: BudgetRange): Partial<BudgetRange> {
  const { error } = taskQuerySchema.safeParse({ minBudget, maxBudget });
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path[0], message]));
}

/** An amount as people type it, `$1,200` or `1 200`, as the API takes it. */
export function typedAmount(text: string): string {
  return text.replace(/[$,\s]/gu, "");
}

// Without what the API would refuse, such as invisible marks.
function searchable(text: string): string {
  return [...text].filter(isPlainLine).slice(0, TASK_LIMITS.title).join("").trim();
}

/** The address query for a state; defaults are left out. Changing a filter starts again at the first page. */
export function writeBrowseState(state: Partial<BrowseState>): URLSearchParams {
  const params = new URLSearchParams();
  for (const name of NAMES) if (state[name]) params.set(name, state[name]);
  if (state.shown && state.shown > PAGE) params.set("shown", String(state.shown));
  return params;
}

/** The filters as the API takes them. */
export function toTaskQuery(filters: BrowseFilters): BrowseFilters {
  return filtersBy((name) => FILTERS[name].toApi?.(filters[name]) ?? filters[name]);
}

/** The filters as a search is saved with them: those that are set, and no order. */
export function savedFilters(filters: BrowseFilters): SavedFilters {
  const { sort: _, ...saved } = toTaskQuery(filters);
  return Object.fromEntries(Object.entries(saved).filter(([, value]) => value !== ""));
}

/** The Atom feed of these tasks, at the API. */
export function feedAddress(filters: BrowseFilters): string {
  const asked = Object.entries(toTaskQuery(filters)).filter(([, value]) => value !== "");
  return `/tasks.atom?${new URLSearchParams(asked)}`;
}

/** True if words or a category, say, narrow the list (sorting does not). */
export function isFiltered(filters: BrowseFilters): boolean {
  return NAMES.some((name) => FILTERS[name].narrows && filters[name] !== "");
}

/** How many filters are not at their default, besides the search; a range of budgets is one. */
export function countChoices(filters: BrowseFilters): number {
  const chosen = NAMES.filter((name) => filters[name] !== "");
  const isRange = chosen.includes("minBudget") && chosen.includes("maxBudget");
  return chosen.length - Number(chosen.includes("search")) - Number(isRange);
}
