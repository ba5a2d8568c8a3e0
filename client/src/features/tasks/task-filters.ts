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

type Filter = {
  /** Whether it narrows the list, so that an empty list means "nothing matches". */
  narrows: boolean;
  choice?: Choice;
  /** Converts the URL's value (empty for none) to the API's; by default they are the same. */
  toApi?: (value: string) => string;
};

/** The filters of both browse pages. */
const FILTERS: Record<FilterName, Filter> = {
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
  clientRating: {
    narrows: true,
    choice: {
      label: "Client’s rating",
      options: [["", "Any rating"], ...MIN_RATINGS.map((stars) => [stars, `Rated ${stars} and up`] as const)],
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

export const browseFilters = filterSet({
  filters: FILTERS,
  search: { label: "Search by title", placeholder: "Title or skill", maxLength: TASK_LIMITS.title },
  range: { legend: "Budget", what: "budget", lowest: "minBudget", highest: "maxBudget" },
  pageSize: 24,
});

/** The filters as query parameters of the API. */
export function toTaskQuery(filters: BrowseFilters): BrowseFilters {
  return browseFilters.map((name) =>
    name === "search" ? filters.search : (FILTERS[name].toApi?.(filters[name]) ?? filters[name]),
  );
}

/** Not stored in a saved search: every new task meets them. */
const UNSAVED: Record<Exclude<FilterName, keyof SavedFilters>, true> = {
  posted: true,
  maxBids: true,
  sort: true,
};

/** The filters to store in a saved search: those that are set. */
export function savedFilters(filters: BrowseFilters): SavedFilters {
  const set = Object.entries(toTaskQuery(filters)).filter(([, value]) => value !== "");
  return Object.fromEntries(set.filter(([name]) => !(name in UNSAVED)));
}

/** The API path of these tasks' Atom feed. */
export function feedUrl(filters: BrowseFilters): string {
  const params = Object.entries(toTaskQuery(filters)).filter(([, value]) => value !== "");
  return `/tasks.atom?${new URLSearchParams(params)}`;
}

/** Whether any filter narrows the list; the sort order does not. */
export function isFiltered(filters: BrowseFilters): boolean {
  return browseFilters.names.some(
    (name) => (name === "search" || FILTERS[name].narrows) && filters[name] !== "",
  );
}
