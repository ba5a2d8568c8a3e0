import type { SavedFilters } from "@tasklane/server/contract";
import { describeFilters } from "./saved-search-queries.ts";

/** What a search looks for, filter by filter. */
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
