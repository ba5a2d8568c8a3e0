import { useQueryClient } from "@tanstack/react-query";
import type { Task, TaskEvent } from "@tasklane/server/contract";
import { useRef } from "react";
import { useApi } from "../../lib/api-context.tsx";
import { useLiveTask, useTaskNews } from "../../lib/live.ts";
import { stateNow } from "../../lib/state-now.ts";
import { myTasksQuery, taskQuery } from "./task-queries.ts";

/** Keeps the task of an open details page up to date: its bid count at once; what else changed is read again. */
export function useLiveDetails(task: Task): void {
  const queryClient = useQueryClient();
  const { queryKey } = taskQuery(useApi(), task._id);
  const previous = useRef<TaskEvent | null>(null);

  useLiveTask(task._id, (event) => {
    const before = previous.current;
    previous.current = event;
    if (event) queryClient.setQueryData(queryKey, (old) => old && { ...old, bidsCount: event.bidsCount });
    // Which bid changed is not told: it may be the own one that was shortlisted.
    const ownMayHave = task.viewer?.hasBid && before !== null && before.bidsRevision !== event?.bidsRevision;
    // Its client may have closed the questions.
    const questionsMayHave = before !== null && before.questionsRevision !== event?.questionsRevision;
    if (hasChanged(task, event) || ownMayHave || questionsMayHave)
      void queryClient.invalidateQueries({ queryKey });
  });
}

/** Was it changed, deleted or awarded elsewhere? */
export function hasChanged(task: Task, event: TaskEvent | null): boolean {
  return !event || event.state !== stateNow(task) || event.version !== task.version;
}

/** Keeps My Posted Tasks up to date: a task that a notification names is read again, on its own, for lists are large and limited. */
export function useLiveOwnTasks(email: string): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const { queryKey } = myTasksQuery(api, email);

  const refresh = async (id: string) => {
    // What cannot be read now stays as it is; the next news, or the next look at the page, reads it again.
    const task = await queryClient.fetchQuery({ ...taskQuery(api, id), staleTime: 0 }).catch(() => null);
    if (task) queryClient.setQueryData(queryKey, (tasks) => tasks && replaceTask(tasks, task));
  };
  useTaskNews((ids) => {
    for (const id of ids) if (isListed(queryClient.getQueryData(queryKey), id)) void refresh(id);
  });
}

function isListed(tasks: Task[] | undefined, id: string): boolean {
  return tasks?.some(({ _id }) => _id === id) ?? false;
}

/** The tasks with this one in its place. */
export function replaceTask(tasks: Task[], task: Task): Task[] {
  return tasks.map((one) => (one._id === task._id ? task : one));
}
