import { useQuery } from "@tanstack/react-query";
import { CloudOff, FileQuestion } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router-dom";
import { type ApiServices, useApi } from "../../lib/api-context.tsx";
import { paths } from "../../lib/paths.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { type Address, PreviewFacts, requestedTaskId } from "./task-placeholder.tsx";
import { taskPreviewQuery } from "./task-queries.ts";
import { TaskStateBadge } from "./task-state-badge.tsx";

/** Loads the preview of the task that the URL asks for. Returns undefined if it asks for none. */
export function prefetchRequestedTask({ api, queryClient }: ApiServices, address: Address) {
  const id = requestedTaskId(address);
  return id === undefined ? undefined : queryClient.prefetchQuery(taskPreviewQuery(api, id));
}

/** Shown above the login and register forms: the task that a visitor followed a link to. */
export function RequestedTask() {
  const id = requestedTaskId(useLocation());
  return id === undefined ? null : <Preview key={id} id={id} />;
}

function Preview({ id }: { id: string }) {
  const { data: task, error, isFetching, refetch } = useQuery(taskPreviewQuery(useApi(), id));
  if (task) {
    return (
      <Frame>
        <p className="quiet text-sm">The task you came for</p>
        <p dir="auto" className="line-clamp-2 font-semibold text-balance wrap-anywhere">
          {task.title}
        </p>
        <p dir="auto" className="quiet line-clamp-2 text-sm wrap-anywhere">
          {task.description}
        </p>
        <div className="mt-auto flex flex-wrap items-center justify-between gap-2">
          <PreviewFacts task={task} />
          {task.state !== "open" && <TaskStateBadge task={task} />}
        </div>
      </Frame>
    );
  }
  if (!error || isFetching) {
    return (
      <Frame>
        <div role="status" aria-label="Loading the task" className="space-y-3">
          <div className="skeleton h-4 w-1/2" />
          <div className="skeleton h-5 w-5/6" />
          <div className="skeleton h-10" />
        </div>
      </Frame>
    );
  }
  const gone = isGone(error);
  return (
    <Frame>
      <p className="flex items-center gap-2 font-semibold">
        {gone ? <FileQuestion aria-hidden="true" /> : <CloudOff aria-hidden="true" />}
        {gone ? "This task is no longer available" : "The task did not load"}
      </p>
      <p className="quiet text-sm">
        {gone ? "Log in, or look for another one." : "Check your connection. You can still log in."}
      </p>
      {gone ? (
        <Link to={paths.browse} className="btn self-start btn-outline btn-sm">
          Browse Tasks
        </Link>
      ) : (
        <button type="button" className="btn self-start btn-outline btn-sm" onClick={() => void refetch()}>
          Try again
        </button>
      )}
    </Frame>
  );
}

/** Has the same height in every state, even with a two-line title, so that the form below does not move. */
function Frame({ children }: { children: ReactNode }) {
  return (
    <section
      aria-label="The task you came for"
      className="flex min-h-46 flex-col gap-2 rounded-box border border-base-300 bg-base-200 p-4"
    >
      {children}
    </section>
  );
}

function isGone(error: Error | null): boolean {
  return error instanceof ApiProblem && [400, 404].includes(error.status);
}
