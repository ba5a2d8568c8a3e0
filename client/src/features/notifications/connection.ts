import { notificationSchema, unreadEventSchema } from "@tasklane/server/contract";
import { liveTasks, taskNews } from "../../lib/live.ts";
import { openStream, type StreamDeps } from "./event-stream.ts";
import { createInbox, type Inbox } from "./inbox.ts";

/** How long trouble may last before it is worth a word, in ms. */
const TROUBLE_MS = 6_000;
/** How long the stream outlives the last who needs it: going from one layout to the other must not close it. In ms. */
const GRACE_MS = 1_500;

type Deps = { origin: string } & Pick<StreamDeps, "getToken">;

/** A person's notifications and the stream that feeds them. */
export type Connection = {
  inbox: Inbox;
  /** Keeps the stream open until the answered function is called. */
  use(): () => void;
};

let current: { uid: string; connection: Connection } | undefined;

/** The connection of a signed-in person: one for the whole tab, whatever layouts come and go. */
export function connectionOf(uid: string, deps: Deps): Connection {
  if (current?.uid !== uid) current = { uid, connection: createConnection(deps) };
  return current.connection;
}

/** Opens the stream while somebody uses it and the page is visible, and hands on what it brings. */
function createConnection({ origin, getToken }: Deps): Connection {
  const inbox = createInbox();
  let users = 0;
  let stop: (() => void) | undefined;

  const start = () => {
    let named = liveTasks.wanted();
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
          if (name !== "task") take(inbox, name, data);
        },
        onState: (isOpen) => {
          if (isOpen) {
            calm();
            inbox.setTroubled(false);
          } else worry ??= window.setTimeout(() => inbox.setTroubled(true), TROUBLE_MS);
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
      if (named === liveTasks.wanted()) return;
      named = liveTasks.wanted();
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
    inbox,
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

function take(inbox: Inbox, name: "unread" | "notification", data: unknown): void {
  if (name === "unread") {
    const parsed = unreadEventSchema.safeParse(data);
    if (parsed.success) inbox.setUnread(parsed.data.unread);
    return;
  }
  const parsed = notificationSchema.safeParse(data);
  if (parsed.success && inbox.receive(parsed.data)) taskNews.tell(parsed.data.taskId);
}
