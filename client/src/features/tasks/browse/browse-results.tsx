import { ClipboardList, CloudOff, SearchX } from "lucide-react";
import { Link } from "react-router-dom";
import { plural } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { LoadMoreLink } from "../../../ui/load-more.tsx";
import { RetryButton } from "../../../ui/retry-buttons.tsx";
import { Spinner, StatePanel } from "../../../ui/state-panel.tsx";
import { isFiltered, PAGE_SIZE, writeBrowseState } from "../task-filters.ts";
import type { BrowseData } from "./browse-data.ts";

/** How many tasks match; screen readers announce changes. */
export function ResultLine({ items, total, hasMore, state, failure, isPending }: BrowseData) {
  if (items.length === 0 && (failure || isPending)) return null;
  const known = total ?? (hasMore ? null : items.length);
  const kind = state.state === "all" ? "task" : "open task";
  const what = isFiltered(state) ? `matching ${kind}` : kind;
  return (
    <p role="status" className="quiet text-sm tabular-nums">
      {known === null && "Showing "}
      {plural(known ?? items.length, what)}
      {known !== null && known > items.length && `, showing ${items.length}`}
    </p>
  );
}

/** Shown instead of an empty list: loading failed, still loading, nothing matches, or there are no tasks yet. */
export function NoTasks({ state, failure, isPending }: BrowseData) {
  const kind = state.state === "all" ? "task" : "open task";
  if (failure) {
    return (
      <StatePanel
        tone="error"
        icon={<CloudOff className="size-7" />}
        title={state.error ? "Check the budget filter" : "The tasks did not load"}
        action={!state.error && <RetryButton />}
      >
        {failure}
      </StatePanel>
    );
  }
  if (isPending) return <Spinner label="Loading tasks" />;
  if (isFiltered(state)) {
    return (
      <StatePanel
        icon={<SearchX className="size-7" />}
        title="Nothing matches"
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <Link to={{ search: "" }} className="btn btn-primary">
              Show all tasks
            </Link>
            {state.state !== "all" && (
              <Link
                to={{ search: writeBrowseState({ ...state, state: "all", shown: PAGE_SIZE }).toString() }}
                className="btn btn-outline"
              >
                Include closed tasks
              </Link>
            )}
          </div>
        }
      >
        {state.search ? `No ${kind} has “${state.search}” in its title` : `There is no ${kind}`}
        {state.category && ` in ${state.category}`}
        {(state.minBudget || state.maxBudget) && " with such a budget"}. Try other words or other filters.
      </StatePanel>
    );
  }
  return (
    <StatePanel
      icon={<ClipboardList className="size-7" />}
      title={state.state === "all" ? "No tasks yet" : "No open tasks right now"}
      action={
        <Link to={paths.addTask} className="btn btn-primary">
          Post a task
        </Link>
      }
    >
      {state.state === "all"
        ? "Be the first: post a task with a budget and a deadline."
        : "Post one with a budget and a deadline, or look at all tasks, including those already taken."}
    </StatePanel>
  );
}

/** "Load more" below the list. */
export function MoreTasks({ items, hasMore, state, failure }: BrowseData) {
  return (
    <LoadMoreLink
      what="tasks"
      shown={state.shown}
      count={items.length}
      pageSize={PAGE_SIZE}
      hasMore={hasMore}
      hint="Search or choose a category to find others."
      failure={failure}
    />
  );
}
