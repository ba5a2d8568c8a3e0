import type { Task } from "@tasklane/server/contract";
import { ClipboardList, SearchX } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Link, type LoaderFunctionArgs } from "react-router-dom";
import { apiOrigin } from "../../../lib/env.ts";
import { paths } from "../../../lib/paths.ts";
import { useAsList } from "../../../ui/last-list.ts";
import {
  type FilteredList,
  FilteredResults,
  loadFiltered,
  useFilteredList,
  useListUpdate,
} from "../../../ui/lists.tsx";
import { PageHeading } from "../../../ui/page-head.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { SaveSearch } from "../../saved-searches/save-search.tsx";
import { TaskCard } from "../task-card.tsx";
import { type BrowseState, browseFilters, feedUrl, isFiltered, savedFilters } from "../task-filters.ts";
import { browseQuery } from "../task-queries.ts";

/** Time for new cards to be laid out with their images and fonts, in ms. */
const LAYOUT_MS = 500;

/** The public Browse page: tasks as cards. */
export function Component() {
  useAsList("Browse Tasks");
  const data = useBrowseData();
  const list = useRef<HTMLUListElement>(null);
  const last = data.items.at(-1)?._id;
  // Off-screen cards skip rendering (`data-laid-out` in styles.css), but only after one layout, so that the browser
  // remembers their height and restores the scroll position. Cards on the screen are left out because they would flash.
  useEffect(() => {
    const timer = window.setTimeout(() => {
      // All are measured before any is changed: otherwise each would be laid out anew.
      const isBelow = (card: Element) => card.getBoundingClientRect().top > window.innerHeight;
      const below = [...(list.current?.children ?? [])].filter(isBelow);
      for (const card of below) card.setAttribute("data-laid-out", "");
    }, LAYOUT_MS);
    return () => window.clearTimeout(timer);
  }, [last]);
  const stale = useListUpdate();
  return (
    <div className="page space-y-5 py-6 sm:py-10">
      <PageHeading
        title="Browse Tasks"
        description="Browse fixed-price freelance tasks by category, title and deadline."
        feed={apiOrigin + feedUrl(data.state)}
      >
        Fixed-price work from clients who have named their budget and their deadline.
      </PageHeading>
      <BrowseResults list={data}>
        <ul
          ref={list}
          aria-busy={stale}
          className={`grid grid-cols-1 gap-5 transition-opacity md:grid-cols-2 lg:grid-cols-3 ${stale ? "opacity-60" : ""}`}
        >
          {data.items.map((task) => (
            <li key={task._id} className="browse-card grid grid-cols-1">
              <TaskCard task={task} action="See more" heading="h2" />
            </li>
          ))}
        </ul>
      </BrowseResults>
    </div>
  );
}

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
    // The text below does not name these filters: tasks with the words may exist.
    const isNarrower = state.posted || state.maxBids || state.clientRating;
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
        {state.search && !isNarrower
          ? `No ${kindOf(state)} has “${state.search}” in its title, skills or description`
          : `There is no matching ${kindOf(state)}`}
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
