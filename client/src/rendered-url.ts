import { DIRECTORY_PAGE_SIZE, directoryFilters } from "./features/people/people-queries.ts";
import { PAGE_SIZE, readBrowseState, writeBrowseState } from "./features/tasks/task-filters.ts";
import { shownCount } from "./lib/pages.ts";
import { paths, returnPath, withReturnPath } from "./lib/paths.ts";

/** The most tasks that the server renders; the browser loads the rest of a longer list. */
const MAX_RENDERED = 4 * PAGE_SIZE;

/**
 * The URL that a page is rendered and cached for: with the parameters that it reads, within bounds, and no others, so
 * that a visitor cannot have the same page rendered over and over, or one that takes long.
 */
export function renderedUrl(url: string, maxShown: number = MAX_RENDERED): string {
  const { pathname, searchParams } = new URL(url, "http://app.invalid");
  if (pathname.startsWith("/auth/")) return withReturnPath(pathname, returnPath(searchParams));
  if (/^\/people\/?$/i.test(pathname)) {
    const { search, language } = directoryFilters(searchParams);
    const shown = Math.min(shownCount(searchParams, DIRECTORY_PAGE_SIZE), maxShown);
    const query = new URLSearchParams({
      ...(search && { search }),
      ...(language && { language }),
      ...(shown > DIRECTORY_PAGE_SIZE && { shown: String(shown) }),
    }).toString();
    return query ? `${paths.people}?${query}` : paths.people;
  }
  if (!/^\/browsetask\/?$/i.test(pathname)) return pathname;
  const state = readBrowseState(searchParams);
  const query = writeBrowseState({ ...state, shown: Math.min(state.shown, maxShown) }).toString();
  return query ? `${paths.browse}?${query}` : paths.browse;
}
