import { useQueryClient } from "@tanstack/react-query";
import type { Task } from "@tasklane/server/contract";
import { Calendar } from "lucide-react";
import type { ReactNode } from "react";
import { matchPath, useLocation } from "react-router-dom";
import { firstCharacters, formatDate, formatUsd } from "../../lib/format.ts";
import { paths, returnPath } from "../../lib/paths.ts";
import { PageMeta } from "../../ui/page-head.tsx";
import { Spinner } from "../../ui/state-panel.tsx";

/** A task's public fields, with the beginning of its description. */
export type TaskPreview = Pick<Task, "title" | "category" | "budget" | "deadline" | "state" | "description">;

/** The preview's key in the query cache. */
export const previewKey = (id: string) => ["tasks", "preview", id] as const;

export type Address = { pathname: string; search: string };

/** The id in a task details URL, or in the return path of a login or register URL. */
export function requestedTaskId({ pathname, search }: Address): string | undefined {
  const requested = pathname.startsWith("/auth/") ? returnPath(new URLSearchParams(search)) : pathname;
  const path = requested.split(/[?#]/, 1)[0] ?? "";
  return (matchPath(paths.task(":id"), path) ?? matchPath(paths.dashTask(":id"), path))?.params["id"];
}

/** Title and description of a task's page for search engines and link previews. */
export function TaskMeta({ task }: { task: Omit<TaskPreview, "state"> }) {
  const { title, category, budget, deadline, description } = task;
  const facts = `${category} · ${formatUsd(budget)} fixed price · until ${formatDate(deadline)}`;
  const text = firstCharacters(description.replace(/\s+/g, " "), 160).trim();
  return <PageMeta title={`${title} | Task Details`} description={`${facts}. ${text}`} />;
}

/**
 * A task's page until the session is known: its public fields if they came with the page, else a spinner. The server
 * renders this too: it knows whether the task exists, and adds what else is public (`below`).
 */
export function TaskPlaceholder({ below }: { below: (id: string) => ReactNode }) {
  const id = requestedTaskId(useLocation()) ?? "";
  const { data: task, error } = useQueryClient().getQueryState<TaskPreview>(previewKey(id)) ?? {};
  if (!task) {
    return (
      <>
        <PageMeta title={error ? "Error" : "Task Details"} missing={Boolean(error)} />
        <Spinner label="Loading the task" />
        {error && <noscript className="page block py-10">There is no task at this address.</noscript>}
      </>
    );
  }
  return (
    <div className="page space-y-6 py-6 sm:py-10">
      <TaskMeta task={task} />
      <article className="card card-body gap-4 sm:p-8">
        <h1 dir="auto" className="text-2xl font-semibold wrap-anywhere sm:text-4xl">
          {task.title}
        </h1>
        <PreviewFacts task={task} />
        <p dir="auto" className="line-clamp-3 wrap-anywhere">
          {task.description}
        </p>
      </article>
      {below(id)}
      <div className="noscript:hidden">
        <Spinner label="Loading the task" />
      </div>
    </div>
  );
}

/** Budget, deadline and category of a task in one line. */
export function PreviewFacts({ task }: { task: TaskPreview }) {
  return (
    <p className="mt-auto flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      <span className="text-xl font-semibold tabular-nums">{formatUsd(task.budget)}</span>
      <span className="quiet inline-flex items-center gap-1.5">
        <Calendar aria-hidden="true" className="size-4" />
        <span className="sr-only">Deadline </span>
        <time dateTime={task.deadline}>{formatDate(task.deadline)}</time>
      </span>
      <span className="badge badge-soft badge-primary">{task.category}</span>
    </p>
  );
}
