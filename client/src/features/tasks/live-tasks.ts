import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { calendarDate, type Task, type TaskEvent } from "@tasklane/server/contract";
import { useEffect, useRef } from "react";
import { useTaskNews, useWatchedTask } from "../../lib/live.ts";
import { markStale } from "../../lib/query-client.ts";
import { stateNow, useNow } from "../../ui/now.tsx";
import { receivedBidsKey } from "../bids/bid-queries.ts";
import { questionsKey } from "../questions/question-list.tsx";
import { myTasksQuery, taskPartKey, taskQuery } from "./task-queries.ts";

/** Keeps an open task up to date, with its bids and questions: sets the bid count, and refetches whatever else has changed. */
export function useLiveTask(task: Task): void {
  const queryClient = useQueryClient();
  const { _id: id, viewer } = task;
  const { queryKey } = taskQuery(id);
  const previous = useRef<TaskEvent | null>(null);

  useWatchedTask(id, (event) => {
    const before = previous.current;
    previous.current = event;
    const bidsChanged = before?.bidsRevision !== event?.bidsRevision;
    const questionsChanged = before?.questionsRevision !== event?.questionsRevision;
    if (event) {
      const { bidsCount } = event;
      queryClient.setQueryData(queryKey, (old) => old && { ...old, bidsCount });
      putOwnTask(queryClient, { ...task, bidsCount });
      // Either may also have changed before the first event. A bid may have other files now.
      const hasBids = queryClient.getQueryCache().findAll({ queryKey: receivedBidsKey(id) }).length > 0;
      if (bidsChanged && hasBids)
        for (const key of [receivedBidsKey(id), taskPartKey("files", id)]) void markStale(queryClient, key);
      if (questionsChanged) void markStale(queryClient, questionsKey(id));
    }
    // The event does not say which bid changed. It may be the viewer's own, just shortlisted; or it was a review, with
    // which the viewer's own is shown. And the client may have closed the questions.
    const viewerMayBeConcerned =
      before !== null && (questionsChanged || (bidsChanged && (viewer?.hasBid || viewer?.hasReviewed)));
    if (!hasChanged(task, event) && !viewerMayBeConcerned) return;
    void queryClient.invalidateQueries({ queryKey });
    if (isListed(queryClient, id)) void queryClient.invalidateQueries({ queryKey: MY_TASKS_KEY });
  });
  // How many bids and addresses are left is counted by day.
  const day = calendarDate(useNow());
  const shownDay = useRef(day);
  useEffect(() => {
    if (day === shownDay.current) return;
    shownDay.current = day;
    if (viewer) void queryClient.invalidateQueries({ queryKey });
  });
  // Hiding or an invitation, for example, does not change what events tell.
  useTaskNews((ids) => {
    if (ids.has(id)) void queryClient.invalidateQueries({ queryKey });
  });
}

/** Whether the task was changed, deleted or awarded elsewhere. */
function hasChanged(task: Task, event: TaskEvent | null): boolean {
  return !event || event.state !== stateNow(task) || event.version !== task.version;
}

const MY_TASKS_KEY = myTasksQuery("").queryKey;

const isListed = (queryClient: QueryClient, id: string) =>
  queryClient.getQueryData(MY_TASKS_KEY)?.some(({ _id }) => _id === id) === true;

/**
 * Keeps My Posted Tasks up to date while it is looked at. Refetches only the tasks that notifications name: the whole list
 * can be large.
 */
export function useLiveOwnTasks(): void {
  const queryClient = useQueryClient();
  const refresh = async (id: string) => {
    // If this fails, the row stays as it is until the next notification or visit.
    const task = await queryClient.fetchQuery({ ...taskQuery(id), staleTime: 0 }).catch(() => null);
    if (task) putOwnTask(queryClient, task);
  };
  useTaskNews((ids) => {
    for (const id of ids) if (isListed(queryClient, id)) void refresh(id);
  });
}

/** Puts a task's newer version into the cached list of own tasks, if it is one of them. */
function putOwnTask(queryClient: QueryClient, task: Task): void {
  if (!isListed(queryClient, task._id)) return;
  const isOutdated = queryClient.getQueryState(MY_TASKS_KEY)?.isInvalidated;
  queryClient.setQueryData(MY_TASKS_KEY, (tasks) =>
    tasks?.map((existing) => (existing._id === task._id ? task : existing)),
  );
  // Setting data counts as a refetch, but the other rows are still to be refetched, for example after a 429.
  if (isOutdated) void queryClient.invalidateQueries({ queryKey: MY_TASKS_KEY }, { cancelRefetch: false });
}
