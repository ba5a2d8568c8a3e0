import { conversationEventSchema, notificationSchema, unreadEventSchema } from "@tasklane/server/contract";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useAuth } from "../../auth/auth-context.tsx";
import { useApi } from "../../lib/api-context.tsx";
import { apiOrigin } from "../../lib/env.ts";
import { conversationNews, liveTasks, taskNews } from "../../lib/live.ts";
import { openStream, type StreamDeps } from "./event-stream.ts";
import { createNotificationStore, type NotificationStore } from "./notification-store.ts";

/** The signed-in person's notifications, kept up to date while anything shows them. */
export function useNotifications(uid: string) {
  const { getToken } = useAuth();
  const api = useApi();
  const connection = connectionOf(uid, { origin: apiOrigin, getToken });
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

/** How long trouble may last before it is worth a word, in ms. */
const TROUBLE_MS = 6_000;
/** How long the stream outlives the last who needs it: going from one layout to the other must not close it. In ms. */
const GRACE_MS = 1_500;

type Deps = { origin: string } & Pick<StreamDeps, "getToken">;

/** A person's notifications and the stream that feeds them. */
type Connection = {
  store: NotificationStore;
  /** Keeps the stream open until the returned function is called. */
  use(): () => void;
};

let current: { uid: string; connection: Connection } | undefined;

/** The connection of a signed-in person: one for the whole tab, whatever layouts come and go. */
function connectionOf(uid: string, deps: Deps): Connection {
  if (current?.uid !== uid) {
    conversationNews.reset();
    current = { uid, connection: createConnection(deps) };
  }
  return current.connection;
}

/** Opens the stream while somebody uses it and the page is visible, and hands on what it brings. */
function createConnection({ origin, getToken }: Deps): Connection {
  const store = createNotificationStore();
  let users = 0;
  let stop: (() => void) | undefined;

  const start = () => {
    let named = liveTasks.watched();
    let stream: ReturnType<typeof openStream> | undefined;
    let worry: number | undefined;

    const calm = () => {
      window.clearTimeout(worry);
      worry = undefined;
    };
    const open = () => {
      stream = openStream({
        getToken,
        url: () => `${origin}/me/events${named ? `?${new URLSearchParams({ task: named })}` : ""}`,
        onEvent: (name, data) => {
          if (name === "task" && named) liveTasks.deliver(named, data);
          if (name !== "task") take(store, name, data);
        },
        onState: (isOpen) => {
          if (isOpen) {
            calm();
            store.setTroubled(false);
          } else worry ??= window.setTimeout(() => store.setTroubled(true), TROUBLE_MS);
        },
      });
    };
    // A hidden page needs no news: when it is looked at again, the stream tells what it missed.
    const onVisibility = () => {
      if (document.hidden) {
        stream?.pause();
        calm();
      } else if (stream) stream.restart();
      else open();
    };
    const stopListening = liveTasks.subscribe(() => {
      if (named === liveTasks.watched()) return;
      named = liveTasks.watched();
      if (!document.hidden) stream?.restart();
    });
    document.addEventListener("visibilitychange", onVisibility);
    if (!document.hidden) open();
    return () => {
      calm();
      stopListening();
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
        }, GRACE_MS);
      };
    },
  };
}

function take(
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
