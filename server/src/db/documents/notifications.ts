import * as z from "zod/mini";
import { notificationSchema } from "../../contract/index.ts";
import { count, instant, objectId, text, uid } from "../mongo-schema.ts";

/** The sending of one notification by email. */
const mailDocument = z.object({
  attempts: count,
  /** When it may be tried again: the sender failed, or is given up for dead. Missing when there is nothing left to do. */
  dueAt: z.optional(instant),
  sentAt: z.optional(instant),
  /** Did it fail so often that it is not tried any more? */
  failed: z.optional(z.boolean()),
  /** Does it wait for the recipient's daily email? */
  daily: z.optional(z.boolean()),
});
export type MailDoc = z.infer<typeof mailDocument>;

/** One thing one person is told. */
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
  }),
  {
    _id: objectId,
    recipientId: uid,
    taskId: objectId,
    /** The saved search that `search` names. */
    searchId: z.optional(objectId),
    /** The actor's uid, to find their name again; never sent to anybody. */
    actorId: z.optional(uid),
    /** What somebody is told only once has a key; another one to them with the same key is refused by its index. */
    onceKey: z.optional(text(300, 1)),
    conversationId: z.optional(objectId),
    /** Null until it was read. */
    readAt: z.nullable(instant),
    /** The recipient once more, written together with `readAt`: so the change stream tells whose count it changes. */
    readBy: z.optional(uid),
    /** There once somebody began to send it. */
    mail: z.optional(mailDocument),
    createdAt: instant,
  },
);
export type NotificationDoc = z.infer<typeof notificationDocument>;

/**
 * What those who bid on a task, or saved it, are to be told of a decision, until all of them were; written in the transaction of the
 * decision.
 */
export const announcementDocument = z.extend(
  z.pick(notificationDocument, { taskId: true, taskTitle: true, kind: true, actor: true, actorId: true }),
  {
    _id: objectId,
    /** The task's revision when it was decided: announcements of one task are told in this order. */
    version: count,
    /** When the newest bid of that moment was placed: later ones are not told. */
    until: instant,
    /** Bids whose freelancers are not told. */
    except: z.array(objectId),
    /** Was the task deleted, so that its bids go too? */
    removesBids: z.boolean(),
    /** Who is being told: bidders come first, so that who also saved the task is told once, as a bidder. */
    audience: z.enum(["bidders", "watchers"]),
    /** Of those, people up to this uid were told; empty before the first. */
    after: text(128),
    /** When the next batch may be told, or, while an instance is at it, when that one is given up for dead. */
    dueAt: instant,
    createdAt: instant,
  },
);
export type AnnouncementDoc = z.infer<typeof announcementDocument>;
