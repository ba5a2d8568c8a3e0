import { type QueryClient, skipToken, useQuery } from "@tanstack/react-query";
import { type Me, type TaskEvent, taskEventSchema } from "@tasklane/server/contract";
import { useEffectEvent, useLayoutEffect } from "react";

type Watcher = { taskId: string; onEvent: (event: TaskEvent | null) => void };

let watcher: Watcher | undefined;
const listeners = new Set<() => void>();

function watch(next: Watcher | undefined): void {
  watcher = next;
  for (const listener of listeners) listener();
}

/**
 * Connects the tab's event stream with the page that shows a task. The stream subscribes to the `watched` task and
 * delivers its events; without a stream (a visitor, a hidden page) nothing is delivered.
 */
export const liveTasks = {
  /** The id of the task that is being watched, or null. */
  watched: (): string | null => watcher?.taskId ?? null,
  /** Calls back whenever `watched` may have changed. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Passes on an event about this task, or null if the task is gone. Ignores data that does not match the contract. */
  deliver(taskId: string, data: unknown): void {
    const parsed = taskEventSchema.safeParse(data);
    if (watcher?.taskId === taskId && (parsed.success || data === null)) watcher.onEvent(parsed.data ?? null);
  },
};

const newsListeners = new Set<(taskId: string) => void>();

/** Passes the task ids of incoming notifications to the tab's pages. */
export const taskNews = {
  publish(taskId: string): void {
    for (const listener of [...newsListeners]) listener(taskId);
  },
  /** Returns an unsubscribe function. */
  subscribe(listener: (taskId: string) => void): () => void {
    newsListeners.add(listener);
    return () => newsListeners.delete(listener);
  },
};

/** How long notifications are batched, in ms: one action often causes several. */
const NEWS_BATCH_MS = 300;

/** Calls `onNews` with the ids of tasks that new notifications are about. */
export function useTaskNews(onNews: (taskIds: ReadonlySet<string>) => void): void {
  const onBatch = useEffectEvent(onNews);
  // A layout effect, since notifications that arrive between render and paint would be missed.
  useLayoutEffect(() => {
    let taskIds = new Set<string>();
    let timer: number | undefined;
    const unsubscribe = taskNews.subscribe((taskId) => {
      taskIds.add(taskId);
      timer ??= window.setTimeout(() => {
        const batch = taskIds;
        taskIds = new Set();
        timer = undefined;
        onBatch(batch);
      }, NEWS_BATCH_MS);
    });
    return () => {
      unsubscribe();
      window.clearTimeout(timer);
    };
  }, []);
}

/** What the event stream has told last. */
export type Live = {
  /** The number of unread notifications; null until it is known. */
  unread: number | null;
  /** The number of unread conversations; null until it is known. */
  conversations: number | null;
  /** Whether the stream has been down for several seconds. */
  isDown: boolean;
};

const NOTHING_YET: Live = { unread: null, conversations: null, isDown: false };
const LIVE_KEY = ["live"];

/** What the stream has told last, kept up to date. */
export function useLive(): Live {
  return useQuery<Live>({ queryKey: LIVE_KEY, queryFn: skipToken }).data ?? NOTHING_YET;
}

/** Changes what {@link useLive} returns, and the counts in `GET /me`. */
export function setLive(queryClient: QueryClient, change: (live: Live) => Partial<Live>): void {
  const before = queryClient.getQueryData<Live>(LIVE_KEY) ?? NOTHING_YET;
  const live = { ...before, ...change(before) };
  queryClient.setQueryData(LIVE_KEY, live);
  queryClient.setQueryData<Me>(
    ["me"],
    (me) =>
      me && {
        ...me,
        unread: live.unread ?? me.unread,
        unreadConversations: live.conversations ?? me.unreadConversations,
      },
  );
}

/**
 * Calls `onChange` with the task's live state whenever the stream connects and on every change; with null once the task
 * is gone.
 */
export function useWatchedTask(taskId: string, onChange: (event: TaskEvent | null) => void): void {
  const onEvent = useEffectEvent(onChange);
  // A layout effect, since events that arrive between render and paint would be missed.
  useLayoutEffect(() => {
    watch({ taskId, onEvent: (event) => onEvent(event) });
    return () => watch(undefined);
  }, [taskId]);
}
