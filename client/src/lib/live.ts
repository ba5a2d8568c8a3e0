import { type ConversationEvent, type TaskEvent, taskEventSchema } from "@tasklane/server/contract";
import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from "react";

type Watcher = { taskId: string; hear: (event: TaskEvent | null) => void };

const watchers: Watcher[] = [];
const listeners = new Set<() => void>();
let latest: { taskId: string; event: TaskEvent | null } | null = null;

/**
 * Where the tab's one stream of events and the pages that show a task meet. The stream asks `wanted` which task to name
 * and delivers what it hears; without a stream (a visitor, a hidden page) nothing is ever delivered.
 */
export const liveTasks = {
  /** The task that the page on top watches, or null. */
  wanted: (): string | null => watchers.at(-1)?.taskId ?? null,
  /** Calls back whenever `wanted` may have changed; returns an unsubscribe function. */
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Hands on an event of the stream that named this task; what the contract does not describe is ignored. */
  deliver(taskId: string, data: unknown): void {
    const parsed = taskEventSchema.safeParse(data);
    if (data !== null && !parsed.success) return;
    latest = { taskId, event: parsed.success ? parsed.data : null };
    for (const watcher of [...watchers]) if (watcher.taskId === taskId) watcher.hear(latest.event);
  },
};

const newsListeners = new Set<(taskId: string) => void>();

/** Where the notifications that arrive tell the tab's pages which task they are about. */
export const taskNews = {
  tell(taskId: string): void {
    for (const listener of [...newsListeners]) listener(taskId);
  },
  /** Returns an unsubscribe function. */
  subscribe(listener: (taskId: string) => void): () => void {
    newsListeners.add(listener);
    return () => newsListeners.delete(listener);
  },
};

/** How long news are gathered before a page takes them in, in ms: several are often of one act. */
const NEWS_BATCH_MS = 300;

/** Calls `onNews` with the tasks that notifications were about since the last time. */
export function useTaskNews(onNews: (taskIds: ReadonlySet<string>) => void): void {
  const hear = useEffectEvent(onNews);
  // With the page, not after the browser has painted it: news in between would be missed.
  useLayoutEffect(() => {
    let named = new Set<string>();
    let timer: number | undefined;
    const unsubscribe = taskNews.subscribe((taskId) => {
      named.add(taskId);
      timer ??= window.setTimeout(() => {
        const since = named;
        named = new Set();
        timer = undefined;
        hear(since);
      }, NEWS_BATCH_MS);
    });
    return () => {
      unsubscribe();
      window.clearTimeout(timer);
    };
  }, []);
}

/** What the stream tells of conversations: how many hold something unread, or which one has changed. */
export type ConversationNews = { unread: number } | ConversationEvent;

const conversationListeners = new Set<(news: ConversationNews) => void>();
let unreadConversations: number | null = null;

/** Where the stream hands on what concerns conversations. */
export const conversationNews = {
  tell(news: ConversationNews): void {
    if ("unread" in news) unreadConversations = news.unread;
    for (const listener of [...conversationListeners]) listener(news);
  },
  /** Returns an unsubscribe function. */
  subscribe(listener: (news: ConversationNews) => void): () => void {
    conversationListeners.add(listener);
    return () => conversationListeners.delete(listener);
  },
  /** How many conversations hold something unread; null until the stream has told. */
  unread: (): number | null => unreadConversations,
  /** What was told was another person's. */
  forget(): void {
    unreadConversations = null;
  },
};

/** How many conversations hold something unread; null until the stream has told. */
export function useUnreadConversations(): number | null {
  const { subscribe, unread } = conversationNews;
  return useSyncExternalStore(subscribe, unread, unread);
}

/**
 * Calls `onChange` with the task's live state, once when the stream begins (and begins again after an interruption) and
 * on every change; null when it is gone. Nothing is watched while `taskId` is null. One task at a time: the last to ask.
 */
export function useLiveTask(taskId: string | null, onChange: (event: TaskEvent | null) => void): void {
  const hear = useEffectEvent(onChange);
  // With the page, not after the browser has painted it: events in between would be missed.
  useLayoutEffect(() => {
    if (taskId === null) return;
    const watcher: Watcher = { taskId, hear: (event) => hear(event) };
    const joins = liveTasks.wanted() === taskId;
    watchers.push(watcher);
    // The stream says how a task stands once only: who joins later is told what it said.
    if (joins && latest?.taskId === taskId) watcher.hear(latest.event);
    else latest = null;
    for (const listener of listeners) listener();
    return () => {
      watchers.splice(watchers.indexOf(watcher), 1);
      for (const listener of listeners) listener();
    };
  }, [taskId]);
}
