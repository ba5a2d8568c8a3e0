import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { Task, TaskEvent } from "@tasklane/server/contract";
import { useRef } from "react";
import { useLiveTask, useTaskNews } from "../../lib/live.ts";
import { stateNow } from "../../ui/now.tsx";
import { myTasksQuery, taskQuery } from "./task-queries.ts";

/**
 * Keeps an open task up to date: sets the bid count, and refetches the task if anything else has changed.
 * @param onBids is given a number that rises whenever one of its bids changes.
 */
export function useLiveDetails(task: Task, onBids?: (revision: number) => void): void {
  const queryClient = useQueryClient();
  const { queryKey } = taskQuery(task._id);
  const previous = useRef<TaskEvent | null>(null);

  useLiveTask(task._id, (event) => {
    const before = previous.current;
    previous.current = event;
    if (event) {
      onBids?.(event.bidsRevision);
      queryClient.setQueryData(queryKey, (old) => old && { ...old, bidsCount: event.bidsCount });
    }
    // The event does not say which bid changed. It may be the viewer's own, just shortlisted; or it was a review, with
    // which the viewer's own is shown.
    const ownMayHaveChanged =
      (task.viewer?.hasBid || task.viewer?.hasReviewed) &&
      before !== null &&
      before.bidsRevision !== event?.bidsRevision;
    // The client may have closed the questions.
    const questionsChanged = before !== null && before.questionsRevision !== event?.questionsRevision;
    if (hasChanged(task, event) || ownMayHaveChanged || questionsChanged)
      void queryClient.invalidateQueries({ queryKey });
  });
}

/** Whether the task was changed, deleted or awarded elsewhere. */
export function hasChanged(task: Task, event: TaskEvent | null): boolean {
  return !event || event.state !== stateNow(task) || event.version !== task.version;
}

/** Keeps My Posted Tasks up to date. Refetches only the tasks that notifications name: the whole list can be large. */
export function useLiveOwnTasks(email: string): void {
  const queryClient = useQueryClient();
  const { queryKey } = myTasksQuery(email);

  const refresh = async (id: string) => {
    // If this fails, the row stays as it is until the next notification or visit.
    const task = await queryClient.fetchQuery({ ...taskQuery(id), staleTime: 0 }).catch(() => null);
    if (task) putOwnTask(queryClient, queryKey, task);
  };
  useTaskNews((ids) => {
    for (const { _id } of queryClient.getQueryData(queryKey) ?? []) if (ids.has(_id)) void refresh(_id);
  });
}

/** Puts a task's newer version into the cached list of own tasks. */
export function putOwnTask(
  queryClient: QueryClient,
  queryKey: ReturnType<typeof myTasksQuery>["queryKey"],
  task: Task,
): void {
  const isOutdated = queryClient.getQueryState(queryKey)?.isInvalidated;
  queryClient.setQueryData(queryKey, (tasks) =>
    tasks?.map((existing) => (existing._id === task._id ? task : existing)),
  );
  // Setting data counts as a refetch, but the other rows are still to be refetched, for example after a 429.
  if (isOutdated) void queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
}
