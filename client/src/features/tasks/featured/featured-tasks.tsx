import type { Task } from "@tasklane/server/contract";
import { CloudOff, Sprout } from "lucide-react";
import { Suspense } from "react";
import { Await, Link, useAsyncError, useAsyncValue } from "react-router-dom";
import { paths } from "../../../lib/paths.ts";
import { problemText } from "../../../lib/problem.ts";
import { RetryButton } from "../../../ui/retry-button.tsx";
import { Spinner, StatePanel } from "../../../ui/state-panel.tsx";
import { TaskCard } from "../task-card.tsx";

/** The grid of Featured Job Tasks: a spinner until loaded, and a way to try again where the product only logged. */
export function FeaturedTasks({ featured }: { featured: Promise<Task[]> | Task[] }) {
  return (
    <Suspense fallback={<Spinner label="Loading featured tasks" />}>
      <Await resolve={featured} errorElement={<Failed />}>
        <Grid />
      </Await>
    </Suspense>
  );
}

function Grid() {
  const tasks = useAsyncValue() as Task[];
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
    <ul className="grid grid-cols-1 gap-5 md:grid-cols-2 lg:grid-cols-3">
      {tasks.map((task) => (
        <li key={task._id} className="grid grid-cols-1">
          <TaskCard task={task} more="View Job" heading="h3" />
        </li>
      ))}
    </ul>
  );
}

function Failed() {
  return (
    <StatePanel
      tone="error"
      icon={<CloudOff className="size-7" />}
      title="The featured tasks did not load"
      action={<RetryButton />}
    >
      {problemText(useAsyncError())}
    </StatePanel>
  );
}
