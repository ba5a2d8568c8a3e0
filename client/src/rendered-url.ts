import { peopleFilters } from "./features/people/people-queries.ts";
import { browseFilters } from "./features/tasks/task-filters.ts";
import type { FilterSet } from "./lib/filters.ts";
import { MAX_RENDERED } from "./lib/page-data.ts";
import { paths, returnPath, withReturnPath } from "./lib/paths.ts";

/**
 * The URL that a page is rendered and cached for: with the parameters that it reads, within bounds, and no others, so
 * that a visitor cannot have the same page rendered over and over, or one that takes long.
 */
export function renderedUrl(url: string): string {
  const { pathname, searchParams } = new URL(url, "http://app.invalid");
  if (pathname.startsWith("/auth/")) return withReturnPath(pathname, returnPath(searchParams));
  if (/^\/people\/?$/i.test(pathname)) return paths.people + filterQuery(peopleFilters);
  if (/^\/browsetask\/?$/i.test(pathname)) return paths.browse + filterQuery(browseFilters);
  return pathname;

  function filterQuery<N extends string>(set: FilterSet<N>): string {
    const state = set.read(searchParams);
    const query = set.write(state, Math.min(state.shown, MAX_RENDERED)).toString();
    return query && `?${query}`;
  }
}
