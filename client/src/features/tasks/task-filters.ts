import { CATEGORIES, isPlainLine, SORTS, TASK_LIMITS } from "@tasklane/server/contract";
import type { TaskFilters } from "./tasks-api.ts";

/** Tasks in one step of "Load more". */
export const PAGE = 24;
const MOST_SHOWN = 2400;

/** What a browse address asks for. A hand-typed address may hold anything: unknown values count as no filter. */
export type BrowseState = Required<TaskFilters> & { shown: number };

/** Reads `?search=&category=&sort=&shown=`. */
export function readBrowseState(params: URLSearchParams): BrowseState {
  const category = params.get("category") ?? "";
  const sort = params.get("sort") ?? "";
  const shown = Number(params.get("shown"));
  return {
    search: searchable(params.get("search") ?? ""),
    category: CATEGORIES.some((known) => known === category) ? category : "",
    sort: SORTS.some((known) => known === sort) ? sort : "",
    shown: Number.isInteger(shown) && shown > PAGE ? Math.min(shown, MOST_SHOWN) : PAGE,
  };
}

// What the API would refuse: an address can be typed, or pasted with invisible marks in it.
function searchable(text: string): string {
  return [...text].filter(isPlainLine).slice(0, TASK_LIMITS.title).join("").trim();
}

/** The address query for a state; defaults are left out. Changing a filter starts again at the first page. */
export function writeBrowseState(state: Partial<BrowseState>): URLSearchParams {
  const params = new URLSearchParams();
  for (const key of ["search", "category", "sort"] as const) {
    if (state[key]) params.set(key, state[key]);
  }
  if (state.shown && state.shown > PAGE) params.set("shown", String(state.shown));
  return params;
}

/** True if any filter narrows the list (sorting does not). */
export function isFiltered(state: TaskFilters): boolean {
  return Boolean(state.search || state.category);
}
