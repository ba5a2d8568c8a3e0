import { ClipboardList, CloudOff, SearchX } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../../../lib/paths.ts";
import { RetryButton } from "../../../ui/retry-button.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { isFiltered, PAGE, writeBrowseState } from "../task-filters.ts";
import type { BrowseData } from "./browse-data.ts";

/** Tells "it failed", "nothing matches" and "there is nothing yet" apart, each with a way on. */
export function NoTasks({ state, failure }: BrowseData) {
  const kind = state.state === "all" ? "task" : "open task";
  if (failure) {
    return (
      <StatePanel
        tone="error"
        icon={<CloudOff className="size-7" />}
        title="The tasks did not load"
        action={<RetryButton />}
      >
        {failure}
      </StatePanel>
    );
  }
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
                to={{ search: writeBrowseState({ ...state, state: "all", shown: PAGE }).toString() }}
                className="btn btn-outline"
              >
                Look among past tasks too
              </Link>
            )}
          </div>
        }
      >
        {state.search ? `No ${kind} has “${state.search}” in its title` : `There is no ${kind}`}
        {state.category && ` in ${state.category}`}. Try other words or another category.
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
        : "Post one with a budget and a deadline, or look at all tasks, also those that are taken."}
    </StatePanel>
  );
}
