import { type ClientSession, type Collection, ObjectId } from "mongodb";
import type { NotificationKind } from "../contract/index.ts";
import type { NotificationDoc } from "./collections.ts";

/** What somebody is to be told, about which task, and as what they are told it. */
export type Notice = {
  recipientId: string;
  kind: NotificationKind;
  task: { _id: ObjectId; title: string };
  /** Is the receiver the client of the task? */
  asClient: boolean;
  /**
   * Who did it: a `User`, or anything with their uid and name. The uid is kept beside the name (and never answered), so
   * that the name can be taken out when they delete their account.
   */
  actor?: { uid: string; name: string } | string | undefined;
  /** USD */
  amount?: number | undefined;
  onceKey?: string;
};

/**
 * Writes notices into people's notifications. In the transaction of what they tell of: nobody is told of what did not
 * happen, and nothing happens that nobody is told of. Live delivery and e-mail follow from the stored notification.
 */
export async function notify(
  notifications: Collection<NotificationDoc>,
  notices: readonly Notice[],
  { session, now }: { session?: ClientSession; now: Date },
): Promise<void> {
  if (notices.length === 0) return;
  await notifications.insertMany(
    notices.map((notice) => notificationOf(notice, now)),
    { ...(session && { session }), ordered: false },
  );
}

function notificationOf({ task, actor, amount, ...notice }: Notice, now: Date): NotificationDoc {
  return {
    _id: new ObjectId(),
    ...notice,
    taskId: task._id,
    taskTitle: task.title,
    ...(typeof actor === "string" && { actor }),
    ...(typeof actor === "object" && { actor: actor.name, actorId: actor.uid }),
    ...(amount !== undefined && { amount }),
    readAt: null,
    createdAt: now,
  };
}
