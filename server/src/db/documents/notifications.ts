import * as z from "zod/mini";
import { notificationSchema } from "../../contract/index.ts";
import { count, instant, objectId, text, uid } from "../mongo-schema.ts";

/** The email for one notification. */
const mailDocument = z.object({
  attempts: count,
  /** When to send it, or to retry after a failure or a crash of the sender. Absent when nothing is left to do. */
  dueAt: z.optional(instant),
  sentAt: z.optional(instant),
  /** True if it failed too often to be retried. */
  failed: z.optional(z.boolean()),
  /** True while it waits for the recipient's daily email. */
  daily: z.optional(z.literal(true)),
});
export type MailDoc = z.infer<typeof mailDocument>;

/** A notification of one person. */
export const notificationDocument = z.extend(
  z.pick(notificationSchema, {
    kind: true,
    taskTitle: true,
    asClient: true,
    saved: true,
    actor: true,
    amount: true,
    reason: true,
    text: true,
    search: true,
    count: true,
  }),
  {
    _id: objectId,
    recipientId: uid,
    taskId: objectId,
    /** The saved search that `search` names. */
    searchId: z.optional(objectId),
    /** The actor's uid, to find their name when they delete their account; never sent to anybody. */
    actorId: z.optional(uid),
    /**
     * A unique index rejects a second notification with one of these keys for the same recipient. There are several if
     * it replaced earlier ones.
     */
    onceKeys: z.optional(z.array(text(300, 1))),
    /** The number of the invoice or the index of the milestone. */
    about: z.optional(count),
    conversationId: z.optional(objectId),
    /** True for an invitation that its recipient has declined. */
    declined: z.optional(z.literal(true)),
    /** Null until it is read. */
    readAt: z.nullable(instant),
    /** The recipient again, written with `readAt`, so that the change stream says whose unread count changes. */
    readBy: z.optional(uid),
    /** Present once sending has begun, or if it is not emailed by the recipient's general settings. */
    mail: z.optional(mailDocument),
    createdAt: instant,
  },
);
export type NotificationDoc = z.infer<typeof notificationDocument>;
