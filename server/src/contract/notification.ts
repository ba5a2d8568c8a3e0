import * as z from "zod/mini";
import { atMost, documentId, taskParameter } from "./fields.ts";
import { REPORT_REASONS } from "./report.ts";
import { TASK_STATES } from "./task-state.ts";

/** What people choose together when they get emails about it; `other` has tasks, questions and reviews. */
export const MAIL_GROUPS = ["bids", "work", "payments", "messages", "other"] as const;
export type MailGroup = (typeof MAIL_GROUPS)[number];

/** The kinds of notifications, each with the group of its emails. Each names a task and links to it. */
export const MAIL_GROUP_OF = {
  invited: "bids",
  "new-bid": "bids",
  "bid-changed": "bids",
  "bid-withdrawn": "bids",
  shortlisted: "bids",
  awarded: "work",
  "task-awarded": "bids",
  declined: "bids",
  "change-proposed": "work",
  "change-accepted": "work",
  "change-refused": "work",
  "change-withdrawn": "work",
  "end-proposed": "work",
  "end-refused": "work",
  disputed: "work",
  "dispute-decided": "work",
  "ended-early": "work",
  "work-delivered": "work",
  "changes-requested": "work",
  "delivery-waiting": "work",
  "may-complete": "work",
  "completed-unanswered": "work",
  invoice: "payments",
  "payment-due": "payments",
  "milestone-accepted": "work",
  "payment-sent": "payments",
  "payment-received": "payments",
  "payment-missing": "payments",
  "payment-unconfirmed": "payments",
  "freelancer-left": "work",
  "task-changed": "other",
  "task-cancelled": "other",
  "task-reopened": "other",
  "task-completed": "other",
  "bids-undecided": "other",
  "task-closed": "other",
  "task-deleted": "other",
  "task-hidden": "other",
  "task-restored": "other",
  "deadline-near": "other",
  review: "other",
  "review-waiting": "other",
  "new-question": "other",
  "question-answered": "other",
  "new-answer": "other",
  "question-hidden": "other",
  "question-restored": "other",
  message: "messages",
  "search-match": "other",
} as const satisfies Record<string, MailGroup>;
export type NotificationKind = keyof typeof MAIL_GROUP_OF;
export const NOTIFICATION_KINDS = /* @__PURE__ */ Object.keys(MAIL_GROUP_OF) as NotificationKind[];

/** When emails of a group are sent: at once, together once a day, or never. */
export const MAIL_CHOICES = ["at-once", "daily", "never"] as const;
export type MailChoice = (typeof MAIL_CHOICES)[number];

const choice = z.enum(MAIL_CHOICES, { error: "Choose at-once, daily or never." });
export const mailChoicesSchema = z.object({
  bids: choice,
  work: choice,
  payments: choice,
  messages: choice,
  other: choice,
});
export type MailChoices = z.infer<typeof mailChoicesSchema>;

/**
 * One notification. `actor` is the name of the person who acted; `amount` a bid's, in USD; `reason` why an operator hid
 * a task or question; `text` what the actor wrote about it (operators, change requests, cancelled awards); `createdAt`
 * an ISO instant.
 */
export const notificationSchema = z.object({
  _id: z.string(),
  kind: z.enum(NOTIFICATION_KINDS),
  taskId: z.string(),
  taskTitle: z.string(),
  /** With `message`: the conversation. */
  conversationId: z.optional(z.string()),
  /** Is the recipient the task's client? Decides which page it links to. */
  asClient: z.boolean(),
  /** True if the recipient gets it because they saved the task. */
  saved: z.optional(z.boolean()),
  actor: z.optional(z.string()),
  /** The actor's photo; in lists, not in live events. */
  actorImage: z.optional(z.string()),
  amount: z.optional(z.number()),
  reason: z.optional(z.enum(REPORT_REASONS)),
  text: z.optional(z.string()),
  /** The name of the saved search that matched. */
  search: z.optional(z.string()),
  /** How often it happened, if it replaces unread notifications of the same actor doing the same to the same task. */
  count: z.optional(z.int().check(z.gte(2))),
  read: z.boolean(),
  createdAt: z.string(),
});
export type Notification = z.infer<typeof notificationSchema>;
export const notificationListSchema = z.array(notificationSchema);

/** The most notifications that one request can mark as read by id. */
export const MAX_READ_AT_ONCE = 100;

/** `POST /me/notifications/read`: marks these as read, or all if `ids` is absent. */
export const readNotificationsSchema = z.object({
  ids: z.optional(
    z
      .array(documentId("notification"))
      .check(atMost(MAX_READ_AT_ONCE, "Mark at most 100 notifications at once, or all.")),
  ),
});
export type ReadNotifications = z.infer<typeof readNotificationsSchema>;

/**
 * `event: task` of `GET /me/events` (text/event-stream): sent for the task in `?task=` at the beginning and on every
 * change; `null` once it is gone.
 *
 * Every `notification` event has the notification's id as event id. One with a `count` replaces earlier ones. A stream opened with `Last-Event-ID` first repeats
 * what came after that id, at least once each, so clients drop repeats by id. A stream opened without it begins with an
 * `unread` event that has an id, so that a client always has one to resume from.
 */
export const taskEventSchema = z.object({
  taskId: z.string(),
  bidsCount: z.number(),
  /** Increases with every change to any of the task's bids, and with every review. */
  bidsRevision: z.number(),
  /** Increases with every change to its questions, and when its client closes or reopens them. */
  questionsRevision: z.number(),
  state: z.enum(TASK_STATES),
  version: z.number(),
});
export type TaskEvent = z.infer<typeof taskEventSchema>;

/**
 * `event: unread`: the number of unread notifications (up to a thousand), and of conversations with unread messages (up
 * to a hundred). Sent at the beginning, after every change, and when changes may have been missed, so that clients
 * refetch what they show.
 */
export const unreadEventSchema = z.object({ unread: z.number(), conversations: z.number() });
export type UnreadEvent = z.infer<typeof unreadEventSchema>;

/** The query of `GET /me/events`: a task whose changes to send as well. */
export const eventsQuerySchema = z.object({ task: taskParameter() });
