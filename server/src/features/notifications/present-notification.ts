import type { Notification } from "../../contract/index.ts";
import type { NotificationDoc } from "../../db/documents.ts";

/** A notification as its receiver sees it: without uids, keys, and how far its e-mail is. */
export function presentNotification(doc: NotificationDoc): Notification {
  const { _id, kind, taskId, taskTitle, asClient, actor, amount, readAt, createdAt } = doc;
  return {
    _id: _id.toHexString(),
    kind,
    taskId: taskId.toHexString(),
    taskTitle,
    asClient,
    ...(actor !== undefined && { actor }),
    ...(amount !== undefined && { amount }),
    read: readAt !== null,
    createdAt: createdAt.toISOString(),
  };
}
