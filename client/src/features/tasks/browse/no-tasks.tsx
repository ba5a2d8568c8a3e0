import { ClipboardList, CloudOff, SearchX } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../../../lib/paths.ts";
import { RetryButton } from "../../../ui/retry-button.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { isFiltered } from "../task-filters.ts";
import type { BrowseData } from "./data.ts";

/** Tells "it failed", "nothing matches" and "there is nothing yet" apart, each with a way on. */
export function NoTasks({ state, failure }: BrowseData) {
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
          <Link to={{ search: "" }} className="btn btn-primary">
            Show all tasks
          </Link>
        }
      >
        {state.search ? `No task has “${state.search}” in its title` : "There is no task"}
        {state.category && ` in ${state.category}`}. Try other words or another category.
      </StatePanel>
    );
  }
  return (
    <StatePanel
      icon={<ClipboardList className="size-7" />}
      title="No tasks yet"
      action={
        <Link to={paths.addTask} className="btn btn-primary">
          Post a task
        </Link>
      }
    >
      Be the first: post a task with a budget and a deadline.
    </StatePanel>
  );
}
