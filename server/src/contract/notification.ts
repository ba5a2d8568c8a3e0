import * as z from "zod/mini";
import { documentId, parameter } from "./fields.ts";
import { REPORT_REASONS } from "./report.ts";
import { TASK_STATES } from "./task-state.ts";

/** What people are told about; each names a task and leads to it. */
export const NOTIFICATION_KINDS = [
  "new-bid",
  "bid-changed",
  "bid-withdrawn",
  "shortlisted",
  "awarded",
  "task-awarded",
  "declined",
  "work-delivered",
  "changes-requested",
  "delivery-waiting",
  "may-complete",
  "completed-unanswered",
  "freelancer-left",
  "task-changed",
  "task-cancelled",
  "task-reopened",
  "task-completed",
  "bids-undecided",
  "task-closed",
  "task-deleted",
  "task-hidden",
  "task-restored",
  "deadline-near",
  "review",
  "new-question",
  "question-answered",
  "new-answer",
  "question-hidden",
  "question-restored",
  "message",
  "search-match",
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/**
 * One notification. `actor` is the name of who did it; `amount` in USD (of a bid); `reason` an operator's, of a hidden task or
 * question; `text` what they, or whoever asks for changes or cancels an award, wrote about it; `createdAt` an ISO instant.
 */
export const notificationSchema = z.object({
  _id: z.string(),
  kind: z.enum(NOTIFICATION_KINDS),
  taskId: z.string(),
  taskTitle: z.string(),
  /** Of unread messages: the conversation they are in. */
  conversationId: z.optional(z.string()),
  /** Is the receiver the client of that task? It decides which page it leads to. */
  asClient: z.boolean(),
  /** Is it told because the receiver saved the task? */
  saved: z.optional(z.boolean()),
  actor: z.optional(z.string()),
  /** The actor's photo. Lists have it, live events do not. */
  actorImage: z.optional(z.string()),
  amount: z.optional(z.number()),
  reason: z.optional(z.enum(REPORT_REASONS)),
  text: z.optional(z.string()),
  /** The name of the saved search that the task matches. */
  search: z.optional(z.string()),
  read: z.boolean(),
  createdAt: z.string(),
});
export type Notification = z.infer<typeof notificationSchema>;
export const notificationListSchema = z.array(notificationSchema);

/** So many notifications can be named to be marked as read. */
export const MAX_READ_AT_ONCE = 100;

/** `POST /me/notifications/read`: these, or all up to now. */
export const readNotificationsSchema = z.object({
  ids: z.optional(
    z
      .array(documentId("notification"))
      .check(z.maxLength(MAX_READ_AT_ONCE, "Mark at most 100 notifications at once, or all.")),
  ),
});
export type ReadNotifications = z.infer<typeof readNotificationsSchema>;

/**
 * Events of `GET /me/events` (text/event-stream), by name. Every `notification` carries its id as the event id, and a
 * stream that begins with `Last-Event-ID` first repeats what came after it (at least once each: sort out repeats by id).
 * A stream without it begins with an `unread` event that has an id, so that there is always one to go on from.
 */
export const taskEventSchema = z.object({
  taskId: z.string(),
  bidsCount: z.number(),
  /** Rises with every change of any of the task's bids. */
  bidsRevision: z.number(),
  /** Rises with every change of its questions, and when its client closes or opens them. */
  questionsRevision: z.number(),
  state: z.enum(TASK_STATES),
  version: z.number(),
});
/** The task named by `?task=`: once at the beginning, and on every change; `null` when it is gone. */
export type TaskEvent = z.infer<typeof taskEventSchema>;

/**
 * `event: unread`: how many notifications, and how many conversations (up to a hundred), hold something unread, at the
 * beginning, after every change, and when changes may have been missed: what is shown is to be read again.
 */
export const unreadEventSchema = z.object({ unread: z.number(), conversations: z.number() });
export type UnreadEvent = z.infer<typeof unreadEventSchema>;

/** The query of `GET /me/events`: the task to be told about besides. */
export const eventsQuerySchema = z.object({ task: parameter(z.pipe(lowerCased(), documentId("task"))) });

// @__NO_SIDE_EFFECTS__
function lowerCased() {
  return z.string({ error: "Name one task." }).check(z.toLowerCase());
}
