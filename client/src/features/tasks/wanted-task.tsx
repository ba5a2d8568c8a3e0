import { useQuery } from "@tanstack/react-query";
import { CalendarDays, CloudOff, FileQuestion } from "lucide-react";
import type { ReactNode } from "react";
import { Link, matchPath, useLocation } from "react-router-dom";
import { type ApiServices, useApi } from "../../lib/api-context.tsx";
import { formatDate, formatUsd } from "../../lib/format.ts";
import { paths, returnPath } from "../../lib/paths.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { PageMeta } from "../../ui/page-head.tsx";
import { Spinner } from "../../ui/state-panel.tsx";
import { type TaskPreview, taskPreviewQuery } from "./task-queries.ts";
import { TaskStateMark } from "./task-state-mark.tsx";

type Address = { pathname: string; search: string };

/** The id of the task whose details are at an address, or at the one that login leads back to. */
export function wantedTaskId({ pathname, search }: Address): string | undefined {
  const wanted = pathname.startsWith("/auth/") ? returnPath(new URLSearchParams(search)) : pathname;
  const path = wanted.split(/[?#]/, 1)[0] ?? "";
  return (matchPath(paths.task(":id"), path) ?? matchPath(paths.dashTask(":id"), path))?.params["id"];
}

/** Loads the preview of the task that the address is about. Undefined where it is about none. */
export function prefetchWantedTask({ api, queryClient }: ApiServices, address: Address) {
  const id = wantedTaskId(address);
  return id === undefined ? undefined : queryClient.prefetchQuery(taskPreviewQuery(api, id));
}

/** What search engines and link previews say of a task. */
export function TaskMeta({ task }: { task: Pick<TaskPreview, Exclude<keyof TaskPreview, "state">> }) {
  const { title, category, budget, deadline, description } = task;
  const facts = `${category} · ${formatUsd(budget)} fixed price · until ${formatDate(deadline)}`;
  const text = description.replace(/\s+/g, " ").slice(0, 160).trim();
  return <PageMeta title={`${title} | Task Details`} description={`${facts}. ${text}`} />;
}

/**
 * The page of a task until it is known who is there: what every list says of it. A server that renders this knows whether
 * there is such a task.
 */
export function TaskPlaceholder() {
  const id = wantedTaskId(useLocation()) ?? "";
  const { data: task, error } = useQuery({ ...taskPreviewQuery(useApi(), id), enabled: false });
  if (!task) {
    const missing = isGone(error);
    return (
      <>
        <PageMeta title={missing ? "Error" : "Task Details"} missing={missing} />
        <Spinner label="Loading the task" />
        {missing && <noscript className="page block py-10">There is no task at this address.</noscript>}
      </>
    );
  }
  return (
    <div className="page space-y-6 py-6 sm:py-10">
      <TaskMeta task={task} />
      <article className="card card-body gap-4 sm:p-8">
        <p className="eyebrow grow-0">{task.category}</p>
        <h1 dir="auto" className="text-2xl font-semibold wrap-anywhere sm:text-4xl">
          {task.title}
        </h1>
        <PreviewFacts task={task} />
        <p dir="auto" className="line-clamp-3 wrap-anywhere">
          {task.description}
        </p>
      </article>
      <Spinner label="Loading the task" />
    </div>
  );
}

/** Above the forms of login and register: the task that somebody came for, so that a shared link is worth it. */
export function WantedTask() {
  const id = wantedTaskId(useLocation());
  return id === undefined ? null : <Preview key={id} id={id} />;
}

function Preview({ id }: { id: string }) {
  const { data: task, error, isFetching, refetch } = useQuery(taskPreviewQuery(useApi(), id));
  if (task) {
    return (
      <Frame>
        <p className="quiet text-sm">The task you came for</p>
        <p dir="auto" className="line-clamp-2 font-semibold wrap-anywhere">
          {task.title}
        </p>
        <p dir="auto" className="quiet line-clamp-2 text-sm wrap-anywhere">
          {task.description}
        </p>
        <PreviewFacts task={task} />
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
        {gone ? "Log in, or look for another one." : "Check your connection. You can log in all the same."}
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

/** As high in every state, so that the form below does not move. */
function Frame({ children }: { children: ReactNode }) {
  return (
    <section
      aria-label="The task you came for"
      className="flex min-h-40 flex-col gap-2 rounded-box border border-base-300 bg-base-200 p-4"
    >
      {children}
    </section>
  );
}

function PreviewFacts({ task }: { task: TaskPreview }) {
  return (
    <p className="mt-auto flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      <span className="text-xl font-semibold tabular-nums">{formatUsd(task.budget)}</span>
      <span className="quiet inline-flex items-center gap-1.5">
        <CalendarDays aria-hidden="true" className="size-4" />
        <span className="sr-only">Deadline </span>
        <time dateTime={task.deadline}>{formatDate(task.deadline)}</time>
      </span>
      <span className="badge badge-soft badge-primary">{task.category}</span>
      {task.state !== "open" && <TaskStateMark task={task} />}
    </p>
  );
}

function isGone(error: Error | null): boolean {
  return error instanceof ApiProblem && [400, 404].includes(error.status);
}
