import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import {
  type ConversationEvent,
  publicState,
  type TaskEvent,
  taskState,
  type UnreadEvent,
} from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import { WITHOUT_KEYS } from "../../db/documents/tasks.ts";
import { canSee, isSideOf, type TaskSides } from "../../domain/task-conditions.ts";
import type { EventStream } from "../../http/event-stream.ts";
import { type NotificationStore, presentNotification } from "./store.ts";

/** A reader, and what they follow. */
export type LiveRequest = {
  user: User;
  /** Identifies the network address they come from. */
  address: string;
  /** @throws {TokenRejected} if their session has ended. */
  verify: () => Promise<void>;
  taskId?: string | undefined;
  /** The last event the reader saw, if it saw one. */
  lastEventId?: ObjectId | undefined;
};

export type LiveStream = ReturnType<typeof liveStream>;

/**
 * Documents may become visible out of the order of their ids, which are made before the transaction commits (at most a
 * minute, MongoDB's limit) and by clocks that differ. So resending starts this much earlier.
 */
const OVERLAP_S = 75;
const BATCH = 100;
/** Notifications that may wait while earlier ones are being resent. */
const MAX_WAITING = 500;

/** One reader's stream: sends what this reader may see, and no state twice in a row. */
export function liveStream(
  out: EventStream,
  { user, address, verify, taskId, lastEventId }: LiveRequest,
  store: Pick<NotificationStore, "after">,
) {
  /** Everything up to this id was sent, except late commits, which the overlap covers. */
  let lastId = lastEventId ?? new ObjectId();
  // Gives a new reader an id to resume from before there is any notification.
  let firstId = lastEventId === undefined ? lastId.toHexString() : undefined;
  let waiting: NotificationDoc[] = [];
  let isResending = false;
  let again = false;
  const sent = new Map<string, string>();

  function send(doc: NotificationDoc): void {
    out.send("notification", presentNotification(doc), doc._id.toHexString());
    if (doc._id.getTimestamp() >= lastId.getTimestamp()) lastId = doc._id;
  }

  /** Sends a state unless it equals the last one sent. */
  function sendState(event: string, state: unknown, id?: string): void {
    const text = JSON.stringify(state);
    if (sent.get(event) === text) return;
    sent.set(event, text);
    out.send(event, state, id);
  }

  /** Sends the waiting notifications, once the stream has begun and nothing older is being resent. */
  function flush(): void {
    if (firstId !== undefined || isResending) return;
    for (const doc of waiting.splice(0)) send(doc);
  }

  async function resend(resent: Set<string>): Promise<void> {
    let id = ObjectId.createFromTime(Math.max(0, lastId.getTimestamp().getTime() / 1000 - OVERLAP_S));
    for (;;) {
      const batch = await store.after(user.uid, { id, limit: BATCH });
      for (const doc of batch) {
        if (!resent.has(doc._id.toHexString())) send(doc);
        resent.add(doc._id.toHexString());
      }
      const last = batch.at(-1);
      if (!last || batch.length < BATCH || !out.isOpen) return;
      id = last._id;
      await out.drained();
    }
  }

  return {
    uid: user.uid,
    address,
    verify,
    taskId,
    close: out.close,
    sendHeartbeat: out.beat,

    sendNotification(doc: NotificationDoc): void {
      if (waiting.push(doc) > MAX_WAITING) out.close();
      else flush();
    },

    /** Forgets which states were sent, so that they are sent again and open pages reload what they missed. */
    forget(): void {
      sent.clear();
    },

    /** A new reader's first event; notifications wait for it. */
    sendUnread(unread: UnreadEvent): void {
      sendState("unread", unread, firstId);
      firstId = undefined;
      flush();
    },

    sendTask(task: LiveTask | null): void {
      sendState("task", task && canSee(task, user) ? (eventFor(task, user.uid) satisfies TaskEvent) : null);
    },

    sendConversation(event: ConversationEvent): void {
      out.send("conversation", event);
    },

    /**
     * Resends what came after the last event, oldest first. New notifications wait: a reader that disconnects halfway
     * resumes from the last event it saw, and must not have seen a later one.
     */
    async catchUp(): Promise<void> {
      again = true;
      if (isResending) return;
      isResending = true;
      const resent = new Set<string>();
      while (again && out.isOpen) {
        again = false;
        await resend(resent);
      }
      isResending = false;
      waiting = waiting.filter(({ _id }) => !resent.has(_id.toHexString()));
      flush();
    },
  };
}

/** A task's event, with what decides which followers may see it. */
export type LiveTask = TaskSides & { hidden: boolean; event: TaskEvent };

function eventFor(task: LiveTask, uid: string): TaskEvent {
  const { event } = task;
  return isSideOf(task, uid) ? event : { ...event, state: publicState(event.state) };
}

/** Reads a task for its followers; null if it was deleted. */
export function liveTaskReader({ tasks }: Database, now: () => Date) {
  return async (id: string): Promise<LiveTask | null> => {
    const task = await tasks.findOne({ _id: new ObjectId(id) }, { projection: WITHOUT_KEYS });
    if (!task) return null;
    const { ownerId, award, hidden, bidsCount, bidsRevision, questionsRevision, state, deadline, revision } =
      task;
    return {
      ownerId,
      award,
      hidden,
      event: {
        taskId: id,
        bidsCount,
        bidsRevision,
        questionsRevision,
        state: taskState({ state, deadline }, now()),
        version: revision,
      },
    };
  };
}
