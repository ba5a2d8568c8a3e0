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
  /** Name of who did it. */
  actor?: string | undefined;
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
    ...(actor !== undefined && { actor }),
    ...(amount !== undefined && { amount }),
    readAt: null,
    createdAt: now,
  };
}
