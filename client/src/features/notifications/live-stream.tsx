import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type Notification, notificationSchema, unreadEventSchema } from "@tasklane/server/contract";
import { useEffect, useEffectEvent, useState } from "react";
import { useNavigate } from "react-router-dom";
import { useAuth } from "../../auth/session.tsx";
import { apiOrigin } from "../../lib/env.ts";
import { liveTasks, setLive, taskNews } from "../../lib/live.ts";
import { paths } from "../../lib/paths.ts";
import { markStale } from "../../lib/query-client.ts";
import { notify } from "../../ui/notify.tsx";
import { openStream, type StreamDeps } from "./event-stream.ts";
import { wordsOf } from "./notification-kinds.tsx";
import { NOTIFICATIONS_KEY } from "./notification-list.tsx";

/** How long the connection may be down before the person is told, in ms. */
const DOWN_AFTER_MS = 6_000;

/**
 * The event stream of the person `uid`, who is signed in: it keeps the query cache up to date, and announces new
 * notifications. One for the whole tab.
 */
export function LiveStream({ uid }: { uid: string }) {
  const { getToken } = useAuth();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [announced, setAnnounced] = useState<readonly Notification[]>([]);

  const onEvent = useEffectEvent((name: string, data: unknown) => {
    const notification = receive(queryClient, name, data);
    // When the stream reconnects, for example after a reload, those of the last minute arrive again.
    if (!notification || notification.read || !isFirstTime(uid, notification._id)) return;
    // The toast announces it.
    if (notification.kind === "awarded")
      return notify.success(wordsOf(notification), { topic: `awarded-${notification._id}` });
    // Several may arrive at once.
    setAnnounced((before) => [...before, notification].slice(-MAX_ANNOUNCED_AT_ONCE));
  });
  const onRefused = useEffectEvent(() => {
    // The dashboard's requests are refused too, and its error page says why.
    void queryClient.invalidateQueries({ refetchType: "none" });
    void navigate(paths.dashboard);
  });
  useEffect(
    () =>
      connect({
        getToken,
        onEvent: (name, data) => onEvent(name, data),
        onDown: (isDown) => setLive(queryClient, () => ({ isDown })),
        onRefused: () => onRefused(),
      }),
    [getToken, queryClient],
  );

  return (
    // Not atomic, so that only what is added is read.
    <div role="status" aria-atomic="false" className="sr-only">
      {announced.map((notification) => (
        <p key={notification._id}>{wordsOf(notification)}</p>
      ))}
    </div>
  );
}

const MAX_ANNOUNCED_AT_ONCE = 5;

/** Writes an event into the query cache. Returns the notification if it is one. */
export function receive(queryClient: QueryClient, name: string, data: unknown): Notification | undefined {
  if (name === "unread") {
    const counts = unreadEventSchema.safeParse(data).data;
    if (counts) setLive(queryClient, () => counts);
  }
  if (name === "unread" || name === "conversation") void markStale(queryClient, ["conversations"]);
  // Some may have been read in another tab.
  if (name === "unread" || name === "notification") void markStale(queryClient, NOTIFICATIONS_KEY);
  if (name !== "notification") return undefined;
  const notification = notificationSchema.safeParse(data).data;
  if (!notification) return undefined;
  taskNews.publish(notification.taskId);
  return notification;
}

type Listeners = Pick<StreamDeps, "getToken" | "onEvent" | "onRefused"> & {
  onDown(isDown: boolean): void;
};

/** Keeps the stream open while the page is visible. Returns a function that closes it. */
function connect({ getToken, onEvent, onDown, onRefused }: Listeners): () => void {
  let taskId = liveTasks.watched();
  let stream: ReturnType<typeof openStream> | undefined;
  let downTimer: number | undefined;
  // The stream goes on trying, but the person is told once.
  let isRefusalTold = false;

  const stopTimer = () => {
    window.clearTimeout(downTimer);
    downTimer = undefined;
  };
  const open = () => {
    stream = openStream({
      getToken,
      url: () => `${apiOrigin}/me/events${taskId ? `?${new URLSearchParams({ task: taskId })}` : ""}`,
      onEvent: (name, data) => {
        if (name !== "task") onEvent(name, data);
        else if (taskId) liveTasks.deliver(taskId, data);
      },
      onState: (isOpen) => {
        if (!isOpen) {
          downTimer ??= window.setTimeout(() => onDown(true), DOWN_AFTER_MS);
          return;
        }
        stopTimer();
        onDown(false);
        isRefusalTold = false;
      },
      onRefused: () => {
        if (!isRefusalTold) onRefused();
        isRefusalTold = true;
      },
    });
  };
  // Pauses while the page is hidden. When it is visible again, the stream sends the missed events.
  const onVisibility = () => {
    if (document.hidden) {
      stream?.pause();
      stopTimer();
    } else if (stream) stream.restart();
    else open();
  };
  const unsubscribe = liveTasks.subscribe(() => {
    if (taskId === liveTasks.watched()) return;
    taskId = liveTasks.watched();
    if (!document.hidden) stream?.restart();
  });
  document.addEventListener("visibilitychange", onVisibility);
  if (!document.hidden) open();
  return () => {
    stopTimer();
    unsubscribe();
    document.removeEventListener("visibilitychange", onVisibility);
    stream?.pause();
  };
}

/** How many ids of announced notifications are kept per tab. */
const MAX_ANNOUNCED = 50;

/** The ids of those announced since the page was loaded, in case storage is blocked. */
const announcedHere = new Set<string>();

function isFirstTime(uid: string, id: string): boolean {
  if (announcedHere.has(id)) return false;
  announcedHere.add(id);
  const key = `tasklane.announced.${uid}`;
  try {
    const announced = (sessionStorage.getItem(key) ?? "").split(",");
    if (announced.includes(id)) return false;
    sessionStorage.setItem(key, [id, ...announced].slice(0, MAX_ANNOUNCED).join(","));
  } catch {
    // Without storage it may be announced again after a reload.
  }
  return true;
}
