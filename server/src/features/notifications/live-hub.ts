import type { Logger } from "pino";
import { TokenRejected } from "../../auth/token-verifier.ts";
import { type ConversationEvent, calendarDate } from "../../contract/index.ts";
import type { Change, ChangeFeed } from "../../db/change-feed.ts";
import type { EventStream } from "../../http/event-stream.ts";
import { coalesce } from "./coalesce.ts";
import { type LiveRequest, type LiveStream, type LiveTask, liveStream } from "./live-stream.ts";
import type { NotificationStore } from "./store.ts";

/** The queries on conversations that the hub needs. */
type LiveConversations = {
  countUnread(uid: string): Promise<number>;
  live(id: string): Promise<{ memberIds: readonly string[]; event: ConversationEvent } | null>;
};

type Deps = {
  changes: Pick<ChangeFeed, "onChange" | "isLive">;
  store: Pick<NotificationStore, "after" | "countUnread">;
  conversations: LiveConversations;
  readTask: (id: string) => Promise<LiveTask | null>;
  now: () => Date;
  log: Pick<Logger, "warn">;
  timing?: Partial<typeof TIMING>;
};

const TIMING = { heartbeatMs: 20_000, waitMs: 50, verifyMs: 60_000 };
/** Open streams per instance. Hidden tabs have none; one address may be a whole office. */
const MAX_STREAMS = { person: 6, address: 60 } as const;
const CONCURRENCY = 20;

/**
 * Sends live events to this instance's readers: one change stream with the writes of all instances, dispatched in
 * memory by recipient and by task. State is read once for all its followers, and once per burst of changes. A stream
 * whose state cannot be read is closed, and its reader reconnects and catches up. Sessions are verified every minute,
 * and immediately if the account was deleted or suspended; a stream whose session has ended is closed.
 */
export function liveHub({ changes, store, conversations, readTask, now, log, timing }: Deps) {
  const { heartbeatMs, waitMs, verifyMs } = { ...TIMING, ...timing };
  const byPerson = new Map<string, Set<LiveStream>>();
  const byTask = new Map<string, Set<LiveStream>>();
  const byAddress = new Map<string, Set<LiveStream>>();

  /** Reads the state of a key and sends it to the key's followers, if there are any. */
  function createNotifier<T>(
    followers: Map<string, Set<LiveStream>>,
    read: (key: string) => Promise<T>,
    send: (stream: LiveStream, found: T) => void,
  ) {
    const work = async (key: string) => {
      if (!followers.has(key)) return;
      try {
        const found = await read(key);
        for (const stream of followers.get(key) ?? []) send(stream, found);
      } catch (error) {
        log.warn({ err: error }, "event streams end, their state cannot be read");
        for (const stream of followers.get(key) ?? []) stream.close();
      }
    };
    return coalesce(work, { waitMs });
  }
  const countUnread = async (uid: string) => {
    const [unread, count] = await Promise.all([store.countUnread(uid), conversations.countUnread(uid)]);
    return { unread, conversations: count };
  };
  const sendUnread = createNotifier(byPerson, countUnread, (stream, unread) => stream.sendUnread(unread));
  const sendTask = createNotifier(byTask, readTask, (stream, task) => stream.sendTask(task));

  /** Changes do not say who the members are, so the conversation has to be read first. */
  const sendConversation = coalesce(
    async (id) => {
      if (byPerson.size === 0) return;
      const found = await conversations.live(id).catch((error: unknown) => {
        log.warn({ err: error }, "event streams end, a conversation cannot be read");
        for (const streams of byPerson.values()) for (const stream of streams) stream.close();
      });
      for (const uid of found?.memberIds ?? []) {
        for (const stream of byPerson.get(uid) ?? []) if (found) stream.sendConversation(found.event);
        void sendUnread(uid);
      }
    },
    { waitMs },
  );

  async function catchUp(stream: LiveStream): Promise<void> {
    await stream.catchUp().catch((error: unknown) => {
      log.warn({ err: error }, "an event stream ends, what it missed cannot be read");
      stream.close();
    });
  }

  /** Does the work for every stream, a few of them at a time. */
  async function forEachStream(work: (stream: LiveStream) => Promise<unknown>[]): Promise<void> {
    const streams = [...byPerson.values()].flatMap((ofOne) => [...ofOne]);
    while (streams.length > 0) await Promise.all(streams.splice(0, CONCURRENCY).flatMap(work));
  }

  /** Conversation events are not resent: when the unread counts arrive, pages reload conversations. */
  const catchAllUp = () =>
    forEachStream((stream) => {
      stream.forget();
      return [catchUp(stream), ...sendState(stream)];
    });

  async function closeIfSessionEnded(stream: LiveStream): Promise<void> {
    await stream.verify().catch((error: unknown) => {
      // An outage of the provider or the database says nothing about the session.
      if (error instanceof TokenRejected) stream.close();
    });
  }

  function sendState({ uid, taskId }: LiveStream): Promise<void>[] {
    return [sendUnread(uid), ...(taskId === undefined ? [] : [sendTask(taskId)])];
  }

  function dispatch(change: Change | undefined): void {
    if (!change) {
      // While the feed is down, so may be the database; the feed reports again when it is live.
      if (changes.isLive()) void catchAllUp();
    } else if (change.collection === "tasks") {
      if (byTask.has(change.id)) void sendTask(change.id);
    } else if (change.collection === "conversations") {
      void sendConversation(change.id);
    } else if (change.collection === "deletions" || change.collection === "suspensions") {
      for (const stream of byPerson.get(change.uid) ?? []) void closeIfSessionEnded(stream);
    } else if (change.operation === "read") {
      void sendUnread(change.recipientId);
    } else {
      const { notification } = change;
      for (const stream of byPerson.get(notification.recipientId) ?? [])
        stream.sendNotification(notification);
      void sendUnread(notification.recipientId);
    }
  }

  let today = calendarDate(now());
  function sendHeartbeats(): void {
    for (const streams of byPerson.values()) for (const stream of streams) stream.sendHeartbeat();
    // Tasks expire at midnight without a write.
    const date = calendarDate(now());
    if (date !== today) for (const taskId of byTask.keys()) void sendTask(taskId);
    today = date;
  }

  let closed = false;
  const unsubscribe = changes.onChange(dispatch);
  const heartbeats = setInterval(sendHeartbeats, heartbeatMs).unref();
  let verifying = false;
  const verification = setInterval(async () => {
    if (verifying) return;
    verifying = true;
    await forEachStream((stream) => [closeIfSessionEnded(stream)]);
    verifying = false;
  }, verifyMs).unref();

  return {
    /** Whether this person and this address may open one more stream. */
    hasRoom({ user, address }: Pick<LiveRequest, "user" | "address">): boolean {
      const open = { person: byPerson.get(user.uid)?.size ?? 0, address: byAddress.get(address)?.size ?? 0 };
      return open.person < MAX_STREAMS.person && open.address < MAX_STREAMS.address;
    },

    /** Sends the events that the request asks for until the stream is closed or the reader's token expires. */
    open(out: EventStream, request: LiveRequest): void {
      const { user, address, taskId } = request;
      const stream = liveStream(out, request, store);
      // Subscribed before the first state is read, so that no write in between is missed.
      add(byPerson, user.uid, stream);
      add(byAddress, address, stream);
      if (taskId !== undefined) add(byTask, taskId, stream);
      const expiry = setTimeout(
        out.close,
        Math.max(0, user.tokenExpiresAt.getTime() - now().getTime()),
      ).unref();
      out.onClose(() => {
        clearTimeout(expiry);
        remove(byPerson, user.uid, stream);
        remove(byAddress, address, stream);
        if (taskId !== undefined) remove(byTask, taskId, stream);
      });
      for (const sending of sendState(stream)) void sending;
      if (request.lastEventId) void catchUp(stream);
    },

    isOpen: () => !closed,

    /** Closes all streams. Their readers reconnect, to another instance or to this one after its restart. */
    close(): void {
      closed = true;
      unsubscribe();
      clearInterval(heartbeats);
      clearInterval(verification);
      for (const streams of byPerson.values()) for (const stream of streams) stream.close();
    },
  };
}

function add(to: Map<string, Set<LiveStream>>, key: string, stream: LiveStream): void {
  const streams = to.get(key);
  if (streams) streams.add(stream);
  else to.set(key, new Set([stream]));
}

function remove(from: Map<string, Set<LiveStream>>, key: string, stream: LiveStream): void {
  const streams = from.get(key);
  if (streams?.delete(stream) && streams.size === 0) from.delete(key);
}
