import type { Task } from "@tasklane/server/contract";
import { ClipboardList, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { Link, type LoaderFunctionArgs } from "react-router-dom";
import { paths } from "../../../lib/paths.ts";
import { type FilteredList, FilteredResults, loadFiltered, useFilteredList } from "../../../ui/lists.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { SaveSearch } from "../../saved-searches/save-search.tsx";
import { type BrowseState, browseFilters, isFiltered, savedFilters } from "../task-filters.ts";
import { browseQuery } from "../task-queries.ts";

/** The tasks of a browse page, and the state of the URL that they belong to. */
type BrowseData = FilteredList<Task, BrowseState>;

/** Loads as many tasks as the URL's `shown` says. */
export function loader(args: LoaderFunctionArgs) {
  const state = browseFilters.read(new URL(args.request.url).searchParams);
  return loadFiltered(args, state, browseQuery(state));
}

/** The loader's state with the tasks from the query cache. */
export const useBrowseData = () => useFilteredList<Task, BrowseState>(browseQuery);

const kindOf = (state: BrowseState) => (state.state === "all" ? "task" : "open task");

const COLUMNS =
  "@2xl:grid-cols-3 @3xl:grid-cols-4 @6xl:grid-cols-[9.5rem_10.5rem_8rem_minmax(0,1fr)_8rem_9rem_10.5rem]";

/** A list of tasks, below its filters, which can be saved as a search. */
export function BrowseResults({ list, children }: { list: BrowseData; children: ReactNode }) {
  const { state } = list;
  const saved = savedFilters(state);
  const canSave = !state.error && Object.keys(saved).some((name) => name !== "state");
  return (
    <FilteredResults
      set={browseFilters}
      list={list}
      what="task"
      counted={isFiltered(state) ? `matching ${kindOf(state)}` : kindOf(state)}
      columns={COLUMNS}
      action={canSave && <SaveSearch filters={saved} />}
      empty={<NothingFound {...state} />}
    >
      {children}
    </FilteredResults>
  );
}

/** Nothing matches, or there are no tasks yet. */
function NothingFound(state: BrowseState) {
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
                to={{ search: browseFilters.write({ ...state, state: "all" }).toString() }}
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
      link={{ to: paths.addTask, text: "Post a task" }}
    >
      {state.state === "all"
        ? "Be the first: post a task with a budget and a deadline."
        : "Post one with a budget and a deadline, or look at all tasks, including those already taken."}
    </StatePanel>
  );
}
