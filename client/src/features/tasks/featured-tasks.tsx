import { useQuery } from "@tanstack/react-query";
import { CloudOff, Sprout } from "lucide-react";
import { Link, type LoaderFunctionArgs } from "react-router-dom";
import { servicesOf } from "../../lib/api-context.tsx";
import { paths } from "../../lib/paths.ts";
import { problemText } from "../../lib/problem.ts";
import { RetryButton } from "../../ui/retry-buttons.tsx";
import { Spinner, StatePanel } from "../../ui/state-panel.tsx";
import { TaskCard } from "./task-card.tsx";
import { featuredTasksQuery } from "./task-queries.ts";

/** Starts loading the featured tasks without delaying the page. */
export function loader(args: LoaderFunctionArgs): null {
  const { queryClient } = servicesOf(args);
  void queryClient.prefetchQuery(featuredTasksQuery);
  return null;
}

/** The grid of Featured Job Tasks, with a spinner until it has loaded and a retry button if that fails. */
export function FeaturedTasks() {
  const { data: tasks, error } = useQuery(featuredTasksQuery);
  if (!tasks) return error ? <Failed error={error} /> : <Spinner label="Loading featured tasks" />;
  if (tasks.length === 0) {
    return (
      <StatePanel
        icon={<Sprout className="size-7" />}
        title="No open tasks right now"
        action={
          <Link to={paths.addTask} className="btn btn-primary">
            Post a task
          </Link>
        }
      >
        Be the first to post one today.
      </StatePanel>
    );
  }
  return (
    // On phones a row to swipe: the edge of the next card shows, and the padding leaves room for the cards' shadows.
    <ul className="-mx-(--gutter) -my-2 flex snap-x snap-mandatory scroll-px-(--gutter) gap-4 overflow-x-auto px-(--gutter) py-2 md:m-0 md:grid md:grid-cols-2 md:gap-5 md:overflow-visible md:p-0 lg:grid-cols-3">
      {tasks.map((task) => (
        <li key={task._id} className="grid w-[85%] shrink-0 snap-start grid-cols-1 md:w-auto">
          <TaskCard task={task} action="View Job" heading="h3" />
        </li>
      ))}
    </ul>
  );
}

function Failed({ error }: { error: Error }) {
  return (
    <StatePanel
      tone="error"
      icon={<CloudOff className="size-7" />}
      title="The featured tasks did not load"
      action={<RetryButton />}
    >
      {problemText(error)}
    </StatePanel>
  );
}
