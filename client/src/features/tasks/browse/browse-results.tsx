import { useInfiniteQuery } from "@tanstack/react-query";
import type { Task } from "@tasklane/server/contract";
import { ClipboardList, CloudOff, SearchX } from "lucide-react";
import { Link, type LoaderFunctionArgs, useLoaderData } from "react-router-dom";
import { loadList } from "../../../lib/api-context.tsx";
import { firstItems, type ShownItems } from "../../../lib/pages.ts";
import { paths } from "../../../lib/paths.ts";
import { ApiProblem } from "../../../lib/problem.ts";
import { ListCount, LoadMoreLink } from "../../../ui/load-more.tsx";
import { RetryButton } from "../../../ui/retry-buttons.tsx";
import { Spinner, StatePanel } from "../../../ui/state-panel.tsx";
import {
  type BrowseState,
  isFiltered,
  PAGE_SIZE,
  readBrowseState,
  writeBrowseState,
} from "../task-filters.ts";
import { browseQuery } from "../task-queries.ts";

/** `failure` says why the list, or the next page of it, did not load; the filters stay usable. */
type Loaded = { state: BrowseState; failure?: string };

/** The tasks of a browse page, and the state of the URL that they belong to. */
export type BrowseData = ShownItems<Task> &
  Loaded & {
    /** Nothing is cached: the session changed, or a write invalidated the list. */
    isPending: boolean;
  };

/** Loads as many tasks as the URL's `shown` says. */
export async function loader(args: LoaderFunctionArgs): Promise<Loaded> {
  const state = readBrowseState(new URL(args.request.url).searchParams);
  if (state.error) return { state, failure: state.error };
  try {
    return { state, ...(await loadList(args, browseQuery(state), state.shown)) };
  } catch (error) {
    if (error instanceof ApiProblem) return { state, failure: error.message };
    throw error;
  }
}

/** The loader's state with the tasks from the query cache. */
export function useBrowseData(): BrowseData {
  const loaded = useLoaderData<Loaded>();
  const { data, isPending } = useInfiniteQuery({
    ...browseQuery(loaded.state),
    enabled: !loaded.state.error,
  });
  return { ...loaded, ...firstItems(data ?? { pages: [] }, loaded.state.shown), isPending };
}

const kindOf = (state: BrowseState) => (state.state === "all" ? "task" : "open task");

/** How many tasks match. */
export function ResultLine({ items, total, hasMore, state, failure, isPending }: BrowseData) {
  if (items.length === 0 && (failure || isPending)) return null;
  const what = isFiltered(state) ? `matching ${kindOf(state)}` : kindOf(state);
  return <ListCount what={what} shown={items.length} total={total} hasMore={hasMore} />;
}

/** Shown instead of an empty list: loading failed, still loading, nothing matches, or there are no tasks yet. */
export function NoTasks({ state, failure, isPending }: BrowseData) {
  if (failure) {
    return (
      <StatePanel
        tone="error"
        icon={<CloudOff />}
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
        icon={<SearchX />}
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
        {state.search
          ? `No ${kindOf(state)} has “${state.search}” in its title`
          : `There is no ${kindOf(state)}`}
        {state.category && ` in ${state.category}`}
        {(state.minBudget || state.maxBudget) && " with such a budget"}. Try other words or other filters.
      </StatePanel>
    );
  }
  return (
    <StatePanel
      icon={<ClipboardList />}
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
