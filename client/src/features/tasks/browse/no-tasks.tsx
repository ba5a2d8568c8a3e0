import { ClipboardList, CloudOff, SearchX } from "lucide-react";
import { Link, useRevalidator } from "react-router-dom";
import { paths } from "../../../lib/paths.ts";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { isFiltered } from "../task-filters.ts";
import type { BrowseData } from "./data.ts";

/** Tells "it failed", "nothing matches" and "there is nothing yet" apart, each with a way on. */
export function NoTasks({ state, failure }: BrowseData) {
  if (failure) return <Failed text={failure} />;
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

function Failed({ text }: { text: string }) {
  const { revalidate, state } = useRevalidator();
  const busy = state === "loading";
  return (
    <StatePanel
      tone="error"
      icon={<CloudOff className="size-7" />}
      title="The tasks did not load"
      action={
        <button
          type="button"
          className="btn btn-primary"
          aria-disabled={busy || undefined}
          onClick={() => revalidate()}
        >
          {busy ? "Trying…" : "Try again"}
        </button>
      }
    >
      {text}
    </StatePanel>
  );
}
