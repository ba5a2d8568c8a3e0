import { plural } from "../../../lib/format.ts";
import { isFiltered } from "../task-filters.ts";
import type { BrowseData } from "./browse-data.ts";

/** How many tasks there are, announced when a search changes it. */
export function ResultLine({ tasks, total, next, state, failure }: BrowseData) {
  if (failure) return null;
  const known = total ?? (next ? null : tasks.length);
  const kind = state.state === "all" ? "task" : "open task";
  const what = isFiltered(state) ? `matching ${kind}` : kind;
  const text = known === null ? `Showing ${tasks.length} ${kind}s` : plural(known, what);
  return (
    <p role="status" className="quiet text-sm">
      {text}
      {known !== null && known > tasks.length && `, showing ${tasks.length}`}
    </p>
  );
}
