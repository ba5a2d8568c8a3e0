import { type ConversationEvent, type TaskEvent, taskEventSchema } from "@tasklane/server/contract";
import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from "react";

type Watcher = { taskId: string; onEvent: (event: TaskEvent | null) => void };

const watchers: Watcher[] = [];
const listeners = new Set<() => void>();
let latest: { taskId: string; event: TaskEvent | null } | null = null;

/**
 * Connects the tab's event stream with the pages that show a task. The stream subscribes to the `watched` task and
 * delivers its events; without a stream (a visitor, a hidden page) nothing is delivered.
 */
export const liveTasks = {
  /** The id of the task that is being watched, or null. */
  watched: (): string | null => watchers.at(-1)?.taskId ?? null,
  /** Calls back whenever `watched` may have changed. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Passes on an event about this task, or null if the task is gone. Ignores data that does not match the contract. */
  deliver(taskId: string, data: unknown): void {
    const parsed = taskEventSchema.safeParse(data);
    if (data !== null && !parsed.success) return;
    latest = { taskId, event: parsed.success ? parsed.data : null };
    for (const watcher of [...watchers]) if (watcher.taskId === taskId) watcher.onEvent(latest.event);
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

/** An update about conversations: the number of unread ones, or a change of one. */
export type ConversationNews = { unread: number } | ConversationEvent;

const conversationListeners = new Set<(news: ConversationNews) => void>();
let unreadConversations: number | null = null;

/** Passes updates about conversations from the event stream to the tab's pages. */
export const conversationNews = {
  publish(news: ConversationNews): void {
    if ("unread" in news) unreadConversations = news.unread;
    for (const listener of [...conversationListeners]) listener(news);
  },
  /** Returns an unsubscribe function. */
  subscribe(listener: (news: ConversationNews) => void): () => void {
    conversationListeners.add(listener);
    return () => conversationListeners.delete(listener);
  },
  /** The number of unread conversations; null until the stream has reported it. */
  unread: (): number | null => unreadConversations,
  /** For when the session changes: the number belongs to the previous person. */
  reset(): void {
    unreadConversations = null;
  },
};

/** The number of unread conversations; null until the stream has reported it. */
export function useUnreadConversations(): number | null {
  const { subscribe, unread } = conversationNews;
  return useSyncExternalStore(subscribe, unread, unread);
}

/**
 * Calls `onChange` with the task's live state whenever the stream connects and on every change; with null once the task
 * is gone. Watches nothing if `taskId` is null. Only one task is watched at a time: that of the last caller.
 */
export function useLiveTask(taskId: string | null, onChange: (event: TaskEvent | null) => void): void {
  const onEvent = useEffectEvent(onChange);
  // A layout effect, since events that arrive between render and paint would be missed.
  useLayoutEffect(() => {
    if (taskId === null) return;
    const watcher: Watcher = { taskId, onEvent: (event) => onEvent(event) };
    const isAlreadyWatched = liveTasks.watched() === taskId;
    watchers.push(watcher);
    // The stream reports the initial state only once, so later watchers receive the latest event.
    if (isAlreadyWatched && latest?.taskId === taskId) watcher.onEvent(latest.event);
    else latest = null;
    for (const listener of listeners) listener();
    return () => {
      watchers.splice(watchers.indexOf(watcher), 1);
      for (const listener of listeners) listener();
    };
  }, [taskId]);
}
