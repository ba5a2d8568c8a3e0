import { useQueryClient } from "@tanstack/react-query";
import { conversationEventSchema, notificationSchema, unreadEventSchema } from "@tasklane/server/contract";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useNavigate } from "react-router-dom";
import { useAuth } from "../../auth/session.tsx";
import { useApi } from "../../lib/api-context.tsx";
import { apiOrigin } from "../../lib/env.ts";
import { conversationNews, liveTasks, taskNews } from "../../lib/live.ts";
import { paths } from "../../lib/paths.ts";
import { openStream, type StreamDeps } from "./event-stream.ts";
import { createNotificationStore, type NotificationStore } from "./notification-store.ts";

/** The signed-in user's notifications, updated live while any component uses this hook. */
export function useNotifications(uid: string) {
  const { getToken } = useAuth();
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const onRefused = () => {
    // The dashboard's requests are refused too, and its error page says why.
    void queryClient.invalidateQueries({ refetchType: "none" });
    void navigate(paths.dashboard);
  };
  const connection = connectionOf(uid, { origin: apiOrigin, getToken, onRefused });
  const { store } = connection;
  const state = useSyncExternalStore(store.subscribe, store.getState);

  useEffect(() => connection.use(), [connection]);

  const actions = useMemo(
    () => ({
      load: () => store.load(api),
      retry: () => store.retry(api),
      loadMore: () => store.loadMore(api),
      markRead: (ids?: readonly string[]) => store.markRead(api, ids),
    }),
    [store, api],
  );
  return { ...state, ...actions };
}

/** How long the connection may be down before the user is notified, in ms. */
const DISCONNECTED_AFTER_MS = 6_000;
/** How long the stream stays open after its last user, so that switching layouts does not close it, in ms. */
const CLOSE_DELAY_MS = 1_500;

type Deps = { origin: string } & Pick<StreamDeps, "getToken" | "onRefused">;

/** A user's notifications and the stream that updates them. */
type Connection = {
  store: NotificationStore;
  /** Keeps the stream open until the returned function is called. */
  use(): () => void;
};

let current: { uid: string; connection: Connection } | undefined;

/** The connection of the signed-in user, one per tab. */
function connectionOf(uid: string, deps: Deps): Connection {
  if (current?.uid !== uid) {
    conversationNews.reset();
    current = { uid, connection: createConnection(deps) };
  }
  return current.connection;
}

/** Opens the stream while it is used and the page is visible, and distributes its events. */
function createConnection({ origin, getToken, onRefused }: Deps): Connection {
  const store = createNotificationStore();
  let users = 0;
  // The stream goes on trying, but the person is told once.
  let isRefusalTold = false;
  let stop: (() => void) | undefined;

  const start = () => {
    let taskId = liveTasks.watched();
    let stream: ReturnType<typeof openStream> | undefined;
    let disconnectTimer: number | undefined;

    const stopDisconnectTimer = () => {
      window.clearTimeout(disconnectTimer);
      disconnectTimer = undefined;
    };
    const open = () => {
      stream = openStream({
        getToken,
        url: () => `${origin}/me/events${taskId ? `?${new URLSearchParams({ task: taskId })}` : ""}`,
        onEvent: (name, data) => {
          // A former user's stream stays open for a moment.
          if (current?.connection.store !== store) return;
          if (name === "task" && taskId) liveTasks.deliver(taskId, data);
          if (name !== "task") handleEvent(store, name, data);
        },
        onState: (isOpen) => {
          if (isOpen) {
            stopDisconnectTimer();
            store.setDisconnected(false);
            isRefusalTold = false;
          } else
            disconnectTimer ??= window.setTimeout(() => store.setDisconnected(true), DISCONNECTED_AFTER_MS);
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
        stopDisconnectTimer();
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
      stopDisconnectTimer();
      unsubscribe();
      document.removeEventListener("visibilitychange", onVisibility);
      stream?.pause();
    };
  };

  return {
    store,
    use() {
      users += 1;
      stop ??= start();
      return () => {
        users -= 1;
        window.setTimeout(() => {
          if (users > 0) return;
          stop?.();
          stop = undefined;
        }, CLOSE_DELAY_MS);
      };
    },
  };
}

function handleEvent(
  store: NotificationStore,
  name: "unread" | "notification" | "conversation",
  data: unknown,
): void {
  if (name === "unread") {
    const parsed = unreadEventSchema.safeParse(data);
    if (!parsed.success) return;
    store.setUnread(parsed.data.unread);
    conversationNews.publish({ unread: parsed.data.conversations });
    return;
  }
  if (name === "conversation") {
    const parsed = conversationEventSchema.safeParse(data);
    if (parsed.success) conversationNews.publish(parsed.data);
    return;
  }
  const parsed = notificationSchema.safeParse(data);
  if (parsed.success && store.receive(parsed.data)) taskNews.publish(parsed.data.taskId);
}
