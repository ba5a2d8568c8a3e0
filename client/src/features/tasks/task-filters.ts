import {
  CATEGORIES,
  MIN_RATINGS,
  type SavedFilters,
  type Sort,
  TASK_LIMITS,
  type TaskQuery,
} from "@tasklane/server/contract";
import { type Choice, type FilterState, type FilterValues, filterSet } from "../../lib/filters.ts";

/** The parameters of the API's query that people choose, besides the search. The URL uses the same names. */
type FilterName = Exclude<keyof TaskQuery, "search" | "client" | "email" | "limit" | "cursor">;

/** Which tasks to show, and in which order. */
export type BrowseFilters = FilterValues<FilterName>;

/** The state in a browse page's URL. */
export type BrowseState = FilterState<FilterName>;

/** The filters of both browse pages. */
const FILTERS: Record<FilterName, Choice | null> = {
  category: {
    label: "Category",
    options: [["", "All categories"], ...CATEGORIES.map((category) => [category, category] as const)],
  },
  minBudget: null,
  maxBudget: null,
  state: {
    label: "Show",
    options: [
      ["", "Open tasks"],
      ["all", "All tasks"],
    ],
  },
  posted: {
    label: "Posted",
    options: [
      ["", "Any time"],
      ["1", "Since yesterday"],
      ["7", "In the last 7 days"],
      ["30", "In the last 30 days"],
    ],
  },
  maxBids: {
    label: "Bids so far",
    options: [
      ["", "Any number"],
      ["0", "None"],
      ["5", "At most 5"],
    ],
  },
  clientRating: {
    label: "Client’s rating",
    options: [["", "Any rating"], ...MIN_RATINGS.map((stars) => [stars, `Rated ${stars} and up`] as const)],
  },
  sort: {
    label: "Sort by date or budget",
    options: [
      ["", "Newest posted"],
      ["oldest" satisfies Sort, "Oldest posted"],
      ["asc" satisfies Sort, "Deadline: soonest"],
      ["desc" satisfies Sort, "Deadline: latest"],
      ["budget-desc" satisfies Sort, "Budget: highest"],
      ["budget-asc" satisfies Sort, "Budget: lowest"],
    ],
    inSearch: [
      ["", "Best match"],
      ["newest" satisfies Sort, "Newest posted"],
    ],
  },
};

export const browseFilters = filterSet({
  filters: FILTERS,
  search: {
    label: "Search by title, skill or description",
    placeholder: "Search tasks",
    maxLength: TASK_LIMITS.title,
  },
  range: { legend: "Budget", what: "budget", lowest: "minBudget", highest: "maxBudget" },
  pageSize: 24,
});

/** The filters as query parameters of the API, which lists all tasks by default, and not only open ones. */
export function toTaskQuery(filters: BrowseFilters): BrowseFilters {
  const state = filters.state === "all" ? "" : "open";
  return { ...browseFilters.map((name) => filters[name]), state };
}

/** The parameters of that query which are not empty. */
const parametersOf = (filters: BrowseFilters) =>
  Object.entries(toTaskQuery(filters)).filter(([, value]) => value !== "");

/** Not stored in a saved search: every new task meets them. */
const UNSAVED: Record<Exclude<FilterName, keyof SavedFilters>, true> = {
  posted: true,
  maxBids: true,
  sort: true,
};

/** The filters to store in a saved search: those that are set. */
export function savedFilters(filters: BrowseFilters): SavedFilters {
  return Object.fromEntries(parametersOf(filters).filter(([name]) => !(name in UNSAVED)));
}

/** The API path of these tasks' Atom feed, newest first: in another order, new tasks might not be among its entries. */
export function feedUrl(filters: BrowseFilters): string {
  return `/tasks.atom?${new URLSearchParams(parametersOf({ ...filters, sort: "" }))}`;
}

/** Whether any filter narrows the list, so that an empty list means "nothing matches". */
export function isFiltered(filters: BrowseFilters): boolean {
  return browseFilters.names.some((name) => name !== "state" && name !== "sort" && filters[name] !== "");
}
