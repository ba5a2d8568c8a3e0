import type { BidDoc } from "../../../src/db/documents/bids.ts";
import type { NotificationDoc } from "../../../src/db/documents/notifications.ts";
import type { ReviewDoc, TaskDoc, TimelineDoc } from "../../../src/db/documents/tasks.ts";
import { daysBefore, idOf } from "./ids-and-dates.ts";

/** Notifications newer than this are unread. */
const UNREAD_DAYS = 3;
/** No notifications are created for older events. */
const MAX_AGE_DAYS = 30;

/** The notifications about a task's recent events. */
export function notificationDocs(
  task: TaskDoc,
  bids: BidDoc[],
  reviews: ReviewDoc[],
  steps: TimelineDoc[],
  today: Date,
): NotificationDoc[] {
  const { award, ownerId } = task;
  type Event = Pick<
    NotificationDoc,
    "kind" | "recipientId" | "actorId" | "actor" | "amount" | "text" | "createdAt"
  >;
  const byClient = { actorId: ownerId, actor: task.name };
  const events: Event[] = [
    ...bids.map(({ bidderId: actorId, bidderName: actor, createdAt, amount = 0 }) => {
      return { kind: "new-bid" as const, recipientId: ownerId, actorId, actor, createdAt, amount };
    }),
    ...(award ? bids : []).map(({ _id, bidderId: recipientId, amount = 0 }) => {
      const createdAt = award?.at as Date;
      return award?.bidId.equals(_id)
        ? { kind: "awarded" as const, recipientId, ...byClient, createdAt, amount }
        : { kind: "declined" as const, recipientId, ...byClient, createdAt };
    }),
    ...steps.flatMap(({ kind, reason, at: createdAt }): Event[] => {
      if (!award) return [];
      const { freelancerId, name } = award;
      if (kind === "delivered")
        return [
          { kind: "work-delivered", recipientId: ownerId, actorId: freelancerId, actor: name, createdAt },
        ];
      if (kind !== "changes-requested") return [];
      return [{ kind, recipientId: freelancerId, ...byClient, ...(reason && { text: reason }), createdAt }];
    }),
    ...reviews.map(({ subjectId: recipientId, authorId: actorId, authorName: actor, createdAt }) => {
      return { kind: "review" as const, recipientId, actorId, actor, createdAt };
    }),
  ];
  return events
    .filter(({ createdAt }) => createdAt > daysBefore(today, MAX_AGE_DAYS))
    .map((event) => {
      const { kind, recipientId, actorId, createdAt } = event;
      const isUnread = createdAt > daysBefore(today, UNREAD_DAYS);
      return {
        _id: idOf(`notification:${task._id}:${kind}:${recipientId}:${actorId}`),
        ...event,
        taskId: task._id,
        taskTitle: task.title,
        asClient: recipientId === ownerId,
        readAt: isUnread ? null : createdAt,
        ...(!isUnread && { readBy: recipientId }),
      };
    });
}
