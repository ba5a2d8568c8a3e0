import type { Logger } from "pino";
import { TokenRejected } from "../../auth/token-verifier.ts";
import { calendarDate } from "../../contract/index.ts";
import type { Change, ChangeFeed } from "../../db/change-feed.ts";
import type { EventStream } from "../../http/event-stream.ts";
import { coalescing } from "./coalesce.ts";
import { type LiveRequest, type LiveStream, type LiveTask, liveStream } from "./live-stream.ts";
import type { NotificationStore } from "./notification-store.ts";

export type LiveHub = ReturnType<typeof liveHub>;

type Deps = {
  changes: Pick<ChangeFeed, "onChange" | "isLive">;
  store: Pick<NotificationStore, "after" | "countUnread">;
  readTask: (id: string) => Promise<LiveTask | null>;
  now: () => Date;
  log: Pick<Logger, "warn">;
  timing?: Partial<typeof TIMING>;
};

const TIMING = { beatMs: 20_000, waitMs: 50, verifyMs: 60_000 };
/** Open streams on one instance. Hidden tabs have none; an address may be an office. */
const MOST = { person: 6, address: 60 } as const;
const TOGETHER = 20;

/**
 * Tells the readers of this instance what any instance writes: one change stream, read once, handed on in memory by
 * recipient and by task. What is counted or read for it is read once for all who want it, once for a burst of changes.
 * A stream whose reading fails ends: its reader comes back, and is told what it missed. One whose session is over ends
 * too, at once if its account was deleted; every minute each session is verified.
 */
export function liveHub({ changes, store, readTask, now, log, timing }: Deps) {
  const { beatMs, waitMs, verifyMs } = { ...TIMING, ...timing };
  const byPerson = new Map<string, Set<LiveStream>>();
  const byTask = new Map<string, Set<LiveStream>>();
  const byAddress = new Map<string, Set<LiveStream>>();

  /** What those who follow the key are told. Nothing is read for nobody. */
  function telling<T>(
    followers: Map<string, Set<LiveStream>>,
    read: (key: string) => Promise<T>,
    tell: (stream: LiveStream, found: T) => void,
  ) {
    const work = async (key: string) => {
      if (!followers.has(key)) return;
      try {
        const found = await read(key);
        for (const stream of followers.get(key) ?? []) tell(stream, found);
      } catch (error) {
        log.warn({ err: error }, "event streams end, their state cannot be read");
        for (const stream of followers.get(key) ?? []) stream.close();
      }
    };
    return coalescing(work, { waitMs });
  }
  const tellUnread = telling(byPerson, store.countUnread, (stream, unread) => stream.tellUnread(unread));
  const tellTask = telling(byTask, readTask, (stream, task) => stream.tellTask(task));

  async function catchUp(stream: LiveStream): Promise<void> {
    await stream.catchUp().catch((error: unknown) => {
      log.warn({ err: error }, "an event stream ends, what it missed cannot be read");
      stream.close();
    });
  }

  /** Does something for every stream, for some of them at a time. */
  async function forAll(work: (stream: LiveStream) => Promise<unknown>[]): Promise<void> {
    const streams = [...byPerson.values()].flatMap((ofOne) => [...ofOne]);
    while (streams.length > 0) await Promise.all(streams.splice(0, TOGETHER).flatMap(work));
  }

  const catchAllUp = () => forAll((stream) => [catchUp(stream), ...tellState(stream)]);

  async function endIfOver(stream: LiveStream): Promise<void> {
    await stream.verify().catch((error: unknown) => {
      // A provider or database that does not answer says nothing about the session.
      if (error instanceof TokenRejected) stream.close();
    });
  }

  function tellState({ uid, taskId }: LiveStream): Promise<void>[] {
    return [tellUnread(uid), ...(taskId === undefined ? [] : [tellTask(taskId)])];
  }

  function hear(change: Change | undefined): void {
    if (!change) {
      // While the feed is broken the database may be too: it says so once more when it hears again.
      if (changes.isLive()) void catchAllUp();
    } else if (change.collection === "tasks") {
      if (byTask.has(change.id)) void tellTask(change.id);
    } else if (change.collection === "closures") {
      for (const stream of byPerson.get(change.uid) ?? []) void endIfOver(stream);
    } else if (change.operation === "read") {
      void tellUnread(change.recipientId);
    } else {
      const { notification } = change;
      for (const stream of byPerson.get(notification.recipientId) ?? []) stream.tell(notification);
      void tellUnread(notification.recipientId);
    }
  }

  let today = calendarDate(now());
  function beat(): void {
    for (const streams of byPerson.values()) for (const stream of streams) stream.beat();
    // At midnight tasks expire, and nothing is written.
    const date = calendarDate(now());
    if (date !== today) for (const taskId of byTask.keys()) void tellTask(taskId);
    today = date;
  }

  let closed = false;
  const deafen = changes.onChange(hear);
  const beating = setInterval(beat, beatMs).unref();
  let verifying = false;
  const verification = setInterval(async () => {
    if (verifying) return;
    verifying = true;
    await forAll((stream) => [endIfOver(stream)]);
    verifying = false;
  }, verifyMs).unref();

  return {
    /** Is there room for one more stream of this person, and of this address? */
    hasRoom({ user, address }: Pick<LiveRequest, "user" | "address">): boolean {
      const open = { person: byPerson.get(user.uid)?.size ?? 0, address: byAddress.get(address)?.size ?? 0 };
      return open.person < MOST.person && open.address < MOST.address;
    },

    /** Follows what the request asks for until the stream is closed, or the reader's session is over. */
    open(out: EventStream, request: LiveRequest): void {
      const { user, address, taskId } = request;
      const stream = liveStream(out, request, store);
      // Heard from now on: what is written while the beginning is read is not lost.
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
      for (const telling of tellState(stream)) void telling;
      if (request.lastEventId) void catchUp(stream);
    },

    /** How many streams are open. */
    count: () => [...byPerson.values()].reduce((sum, streams) => sum + streams.size, 0),

    /** False once it was closed. */
    isOpen: () => !closed,

    /** Ends all streams: their readers come back, to another instance or the next start of this one. */
    close(): void {
      closed = true;
      deafen();
      clearInterval(beating);
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
