import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { formatTimeLeft, formatUsd } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { useNow } from "../../ui/use-now.ts";
import { featuredTasksQuery } from "../tasks/task-queries.ts";

const SHOWN = 3;

/** A search, and the first of the featured tasks in one line each. */
export function LiveNow() {
  const { data: tasks = [] } = useQuery(featuredTasksQuery);
  const now = useNow();
  return (
    <section aria-label="Find a task" className="border-b border-base-300 bg-base-100">
      <div className="page grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-1 py-3 md:py-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:items-center">
        {/* biome-ignore lint/a11y/useSemanticElements: Enter submits a form, which a search element cannot do. */}
        <form action={paths.browse} role="search" className="flex gap-2">
          <input
            type="search"
            name="search"
            aria-label="Search tasks"
            placeholder="What can you do? Try “logo”"
            className="input input-lg w-0 min-w-0 flex-1"
          />
          <button type="submit" className="btn btn-lg btn-primary max-sm:px-4">
            Search
          </button>
        </form>
        <ul className="min-h-32 divide-y divide-base-300">
          {tasks.slice(0, SHOWN).map((task) => (
            <li key={task._id} className="relative flex items-center gap-3 py-2.5">
              <Link
                to={paths.task(task._id)}
                dir="auto"
                className="link-hover link line-clamp-1 min-w-0 grow font-medium after:absolute after:inset-0"
              >
                {task.title}
              </Link>
              <span className="quiet shrink-0 text-sm max-sm:hidden">
                {formatTimeLeft(task.deadline, now)}
              </span>
              <span className="max-w-1/2 shrink-0 font-semibold wrap-anywhere tabular-nums">
                {formatUsd(task.budget)}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
