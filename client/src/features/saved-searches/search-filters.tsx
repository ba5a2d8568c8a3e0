import {
  type EmailFrequency,
  SAVED_SEARCH_LIMITS,
  type SavedFilters,
  type SavedSearch,
  taskFilters,
} from "@tasklane/server/contract";
import { firstCharacters, formatUsd } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { endpointQuery } from "../../lib/queries.tsx";
import { browseFilters } from "../tasks/task-filters.ts";

/** The filters of a search as a list of badges. */
export function FilterList({ filters }: { filters: SavedFilters }) {
  return (
    <ul aria-label="Filters" className="flex flex-wrap gap-2">
      {describeFilters(filters).map((text) => (
        <li
          key={text}
          dir="auto"
          className="badge h-auto max-w-full py-0.5 wrap-anywhere badge-neutral badge-soft"
        >
          {text}
        </li>
      ))}
    </ul>
  );
}

/** Describes each filter of a search in words; options as in Browse, where open tasks are the default. */
function describeFilters(filters: SavedFilters): string[] {
  const { search, minBudget, maxBudget } = filters;
  return [
    search ? `“${search}” in title or skills` : "",
    ...browseFilters.choices.map(({ name, choice: { options } }) => {
      const chosen = filters[name as keyof SavedFilters];
      return options.find(([value]) => value === chosen)?.[1] ?? "";
    }),
    minBudget && maxBudget
      ? `${formatUsd(Number(minBudget))} to ${formatUsd(Number(maxBudget))}`
      : minBudget
        ? `${formatUsd(Number(minBudget))} or more`
        : maxBudget
          ? `${formatUsd(Number(maxBudget))} or less`
          : "",
  ].filter((text) => text !== "");
}

/** A default name for a search. */
export function suggestName(filters: SavedFilters): string {
  const { search, category } = filters;
  const name = [search, category].filter(Boolean).join(", ") || describeFilters(filters).join(", ");
  return firstCharacters(name, SAVED_SEARCH_LIMITS.name).trim();
}

const FILTERS = Object.keys(taskFilters) as (keyof SavedFilters)[];

/** The URL of the dashboard's Browse page with these filters. */
export function browseAddress(filters: SavedFilters): string {
  const params = new URLSearchParams();
  for (const name of FILTERS) {
    const value = name === "state" ? !filters.state && "all" : filters[name];
    if (value) params.set(name, value);
  }
  return `${paths.dashBrowse}?${params}`;
}

/** The saved search with exactly these filters, if any. */
export function findSame(searches: readonly SavedSearch[], filters: SavedFilters): SavedSearch | undefined {
  return searches.find((one) => FILTERS.every((name) => (one[name] ?? "") === (filters[name] ?? "")));
}

/** The viewer's saved searches, newest first. */
export const savedSearchesQuery = endpointQuery(["saved-searches"], "GET /me/searches", {});

/** How often new tasks are emailed, as the options of a select. */
export const MAIL_OPTIONS = [
  ["at-once", "Immediately"],
  ["daily", "Once a day"],
  ["never", "Never"],
] as const satisfies [EmailFrequency, string][];
