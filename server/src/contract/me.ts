import * as z from "zod/mini";
import { download, endpoints, list, ok } from "./endpoint.ts";
import { oneOf, pageQuerySchema, parameter, trueOrFalse } from "./fields.ts";
import {
  eventsQuerySchema,
  mailChoicesSchema,
  NOTIFICATION_KINDS,
  notificationSchema,
  readNotificationsSchema,
} from "./notification.ts";
import { paymentTotalsSchema } from "./payment.ts";
import { ownProfileSchema, profileDraftSchema } from "./profile.ts";
import { recommendationSchema } from "./task.ts";
import { TASK_STATES, type TaskState } from "./task-state.ts";

/** `GET /me`. */
export const meSchema = z.object({
  id: z.string(),
  isOperator: z.boolean(),
  /** Unread notifications, counted up to a thousand. */
  unread: z.number(),
  /** Conversations with unread messages, counted up to a hundred. */
  unreadConversations: z.number(),
  /** Does this person want notifications by email? */
  emailNotices: z.boolean(),
  /** When, by what they are about. */
  mailChoices: mailChoicesSchema,
  /** May the directory of people list this person? It does once they have written a profile. */
  inDirectory: z.boolean(),
  /** Can this installation send email at all? */
  emailAvailable: z.boolean(),
  /** For operators: the number of open reports. */
  openReports: z.optional(z.number()),
  /** For operators: the number of open items in their queue. */
  openItems: z.optional(z.number()),
});
export type Me = z.infer<typeof meSchema>;

// @__NO_SIDE_EFFECTS__
function someChoices() {
  const error = "Choose for bids, work, payments, messages or other.";
  return z.partial(z.strictObject(mailChoicesSchema.shape, { error }));
}

/** `PATCH /me`: changes the settings, and of the choices those, that are given. */
export const settingsSchema = z.object({
  emailNotices: z.optional(trueOrFalse()),
  mailChoices: z.optional(someChoices()),
  inDirectory: z.optional(trueOrFalse()),
});
export type SettingsChange = z.infer<typeof settingsSchema>;

const count = z.number();
const countByState = {
  open: count,
  awarded: count,
  delivered: count,
  completed: count,
  cancelled: count,
  expired: count,
} satisfies Record<TaskState, typeof count>;
const document = z.looseObject({});

/** The most items to show of each kind. One more is listed if there are more. */
export const MAX_WAITING = 5;

/**
 * One task to act on, in the order of the kinds: disputes in which they have not stated their case, delivered work to accept, questions to answer, received bids to decide
 * on, proposals to end a task early or to change an agreement, work they were hired to deliver, work of theirs they may mark as completed, their own tasks whose deadline is
 * within a week (awarded ones also after it), completed tasks to pay, payments to confirm, reviews to write, and invitations to bid. `name` is the other side's; `deadline` is the
 * agreed date once somebody is hired; `bids` is the number of undecided ones, `questions` the number of unanswered
 * ones, counted up to a hundred.
 */
export const waitingSchema = z.object({
  kind: z.enum([
    "dispute",
    "accept",
    "answer",
    "decide",
    "ending",
    "change",
    "deliver",
    "complete",
    "deadline",
    "pay",
    "confirm",
    "review",
    "invited",
  ]),
  taskId: z.string(),
  title: z.string(),
  state: z.enum(TASK_STATES),
  deadline: z.string(),
  name: z.optional(z.string()),
  bids: z.optional(z.number()),
  questions: z.optional(z.number()),
  /** With `deliver`: the client has asked for changes. */
  sentBack: z.optional(z.boolean()),
});
export type Waiting = z.infer<typeof waitingSchema>;

/**
 * `GET /me/overview`. Days are calendar dates in UTC, months are `YYYY-MM`; oldest first, without gaps. `agreed` is the
 * sum in USD that the caller was hired for in that month, and `completed` the completed part of it.
 */
export const overviewSchema = z.object({
  totalTasks: z.number(),
  myTasks: z.number(),
  bidsByDay: z.array(z.object({ date: z.string(), received: z.number(), placed: z.number() })),
  tasksByState: z.object(countByState),
  earnings: z.array(z.object({ month: z.string(), agreed: z.number(), completed: z.number() })),
  /** The jobs that the caller was hired for in these months and that are not completed. */
  activeJobs: z.number(),
  payments: paymentTotalsSchema,
  /** Does the caller have a bid on a task that still exists? */
  hasBids: z.boolean(),
  waiting: z.array(waitingSchema),
});
export type Overview = z.infer<typeof overviewSchema>;

/** What becomes of tasks that nobody was ever hired for, if their client deletes the account; without it they are deleted. */
export const deletionQuerySchema = z.object({
  tasks: parameter(oneOf(["delete", "keep"], "Choose what becomes of your tasks:")),
});

/** `GET /me/export`: everything the product holds about the caller. */
export const exportSchema = z.object({
  exportedAt: z.string(),
  person: document,
  tasks: z.array(document),
  bids: z.array(document),
  /** The caller's notes about bids on their tasks. */
  notes: z.array(document),
  reviewsWritten: z.array(document),
  reviewsReceived: z.array(document),
  reports: z.array(document),
  questions: z.array(document),
  answers: z.array(document),
  savedTasks: z.array(document),
  conversations: z.array(document),
  messages: z.array(document),
  timeline: z.array(document),
  agreements: z.array(document),
  disputes: z.array(document),
  invoices: z.array(document),
  /** Their content is in `GET /me/files.zip`. */
  files: z.array(document),
  savedSearches: z.array(document),
  /**
   * The caller's items in the operators' queue, and the operators' actions that concerned the caller, except those on
   * reports.
   */
  operatorQueue: z.array(document),
  operatorActs: z.array(document),
  /** The caller's own actions as an operator. */
  actsAsOperator: z.array(document),
  notifications: z.array(z.looseObject({ kind: z.enum(NOTIFICATION_KINDS), createdAt: z.string() })),
});

/** Parameters of an unsubscribe link. A missing or repeated one counts as empty, which matches nobody's key. */

export const unsubscribeQuerySchema = z.object({
  person: z.catch(z.string(), ""),
  key: z.catch(z.string(), ""),
});

export const myEndpoints = /* @__PURE__ */ endpoints("Me", {
  readMe: {
    method: "GET",
    path: "/me",
    summary: "The caller's account and settings",
    access: "signed-in",
    responses: [ok(meSchema)],
  },
  changeSettings: {
    method: "PATCH",
    path: "/me",
    summary: "Change the caller's settings",
    access: "signed-in",
    body: settingsSchema,
    responses: [ok(meSchema)],
  },
  readOwnProfile: {
    method: "GET",
    path: "/me/profile",
    summary: "The caller's own profile",
    access: "signed-in",
    responses: [ok(ownProfileSchema)],
  },
  saveProfile: {
    method: "PUT",
    path: "/me/profile",
    summary: "Save the caller's profile",
    description: "All of it is public. Name and photo come from the token.",
    access: "signed-in",
    body: profileDraftSchema,
    accepts: ["If-Match"],
    responses: [ok(ownProfileSchema)],
  },
  deleteAccount: {
    method: "DELETE",
    path: "/me",
    summary: "Delete what the product holds about the caller",
    description:
      "The login must be at most five minutes old. All sessions of the account end. Tasks that nobody was ever hired " +
      "for are deleted, or stay without the caller's name.",
    access: "signed-in",
    query: deletionQuerySchema,
    errors: ["log-in-again"],
  },
  listNotifications: {
    method: "GET",
    path: "/me/notifications",
    summary: "Notifications, newest first",
    access: "signed-in",
    query: pageQuerySchema,
    responses: [list(notificationSchema, "Link", "X-Unread-Count")],
  },
  readNotifications: {
    method: "POST",
    path: "/me/notifications/read",
    summary: "Mark notifications as read",
    access: "signed-in",
    body: readNotificationsSchema,
    bodyIsOptional: true,
  },
  followEvents: {
    method: "GET",
    path: "/me/events",
    summary: "Live updates for the caller",
    description:
      "Server-sent events `notification`, `conversation`, `unread` and, for the task named by `task`, `task`. " +
      "`Last-Event-ID` resumes a stream. It ends with the session. More than six streams per person or sixty per IP " +
      "address are refused with 429.",
    access: "signed-in",
    query: eventsQuerySchema,
    accepts: ["Last-Event-ID"],
    streamed: true,
    responses: [{ status: 200, type: "text/event-stream" }],
  },
  readOverview: {
    method: "GET",
    path: "/me/overview",
    summary: "Statistics for the dashboard",
    access: "signed-in",
    responses: [ok(overviewSchema)],
  },
  recommendTasks: {
    method: "GET",
    path: "/me/recommendations",
    summary: "Up to five open tasks that fit the caller",
    description:
      "Among the newest two hundred, those of others that name one of the caller's skills or are in a category of their earlier bids, the best first.",
    access: "signed-in",
    responses: [list(recommendationSchema)],
  },
  exportData: {
    method: "GET",
    path: "/me/export",
    summary: "Everything the product holds about the caller",
    access: "signed-in",
    streamed: true,
    responses: [ok(exportSchema, "Content-Disposition")],
  },
  tasksAsCsv: {
    method: "GET",
    path: "/me/tasks.csv",
    summary: "The caller's tasks as CSV",
    access: "signed-in",
    streamed: true,
    responses: [download("text/csv")],
  },
  bidsAsCsv: {
    method: "GET",
    path: "/me/bids.csv",
    summary: "The caller's bids as CSV",
    access: "signed-in",
    streamed: true,
    responses: [download("text/csv")],
  },
  showUnsubscribe: {
    method: "GET",
    path: "/me/unsubscribe",
    summary: "The unsubscribe page",
    description: "Opening it changes nothing; its button unsubscribes.",
    access: "anyone",
    responses: [{ status: 200, type: "text/html" }],
  },
  unsubscribe: {
    method: "POST",
    path: "/me/unsubscribe",
    summary: "Unsubscribe from emails",
    description: "The link's secret key replaces a login (RFC 8058).",
    access: "anyone",
    query: unsubscribeQuerySchema,
    responses: [
      { status: 200, type: "text/html" },
      { status: 404, type: "text/html", when: "The link is no longer valid" },
    ],
  },
});
