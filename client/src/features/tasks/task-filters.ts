import { CATEGORIES, isPlainLine, SORTS, TASK_LIMITS } from "@tasklane/server/contract";
import { shownIn } from "../../lib/pages.ts";

/** Tasks in one step of "Load more". */
export const PAGE = 24;

/** Which tasks a person wants to see; empty is the default. Only open tasks are listed unless `state` is `all`. */
export type BrowseFilters = { search: string; category: string; sort: string; state: string };

/** What a browse address asks for. A hand-typed address may hold anything: unknown values count as no filter. */
export type BrowseState = BrowseFilters & { shown: number };

/** Reads `?search=&category=&sort=&state=&shown=`. */
export function readBrowseState(params: URLSearchParams): BrowseState {
  const category = params.get("category") ?? "";
  const sort = params.get("sort") ?? "";
  return {
    search: searchable(params.get("search") ?? ""),
    category: CATEGORIES.some((known) => known === category) ? category : "",
    sort: SORTS.some((known) => known === sort) ? sort : "",
    state: params.get("state") === "all" ? "all" : "",
    shown: shownIn(params, PAGE),
  };
}

// What the API would refuse: an address can be typed, or pasted with invisible marks in it.
function searchable(text: string): string {
  return [...text].filter(isPlainLine).slice(0, TASK_LIMITS.title).join("").trim();
}

/** The address query for a state; defaults are left out. Changing a filter starts again at the first page. */
export function writeBrowseState(state: Partial<BrowseState>): URLSearchParams {
  const params = new URLSearchParams();
  for (const key of ["search", "category", "sort", "state"] as const) {
    if (state[key]) params.set(key, state[key]);
  }
  if (state.shown && state.shown > PAGE) params.set("shown", String(state.shown));
  return params;
}

/** True if words or a category narrow the list (sorting does not). */
export function isFiltered(state: BrowseFilters): boolean {
  return Boolean(state.search || state.category);
}

/** Is the second the same list as the first, with more of it shown? */
export function isMoreOf(
  { shown, ...before }: BrowseState,
  { shown: longer, ...after }: BrowseState,
): boolean {
  return longer > shown && writeBrowseState(before).toString() === writeBrowseState(after).toString();
}
