import * as z from "zod/mini";
import { atMost, documentId, taskParameter } from "./fields.ts";
import { REPORT_REASONS } from "./report.ts";
import { REVIEW_LIMITS } from "./review.ts";
import { TASK_STATES, UNDECIDED_DAYS } from "./task-state.ts";

/** What people choose together when they get emails about it; `other` has tasks, questions and reviews. */
export const MAIL_GROUPS = ["bids", "work", "payments", "messages", "other"] as const;
export type MailGroup = (typeof MAIL_GROUPS)[number];

/** A sentence; for people who saved the task, for its client, and for others. */
type Sentence = string | { saved?: string; client?: string; other: string };

/** What a name in braces stands for in a {@link Sentence}. */
export type SentencePart =
  | "actor"
  | "task"
  | "price"
  | "newPrice"
  | "search"
  | "milestone"
  | "invoice"
  /** What the actor wrote, after a colon. */
  | "quote"
  /** The same, or the full stop. */
  | "quoteOrEnd"
  /** An operator's reason and words, with the full stop. */
  | "why";

/** What it links to: bids or reviews that the recipient has received, their own bids, or a part of the task's page. */
type Page =
  | "bids"
  | "reviews"
  | "my-bids"
  | "questions"
  | "agreement"
  | "ending"
  | "delivery"
  | "review"
  | "payment";

type Kind = readonly [MailGroup, Sentence, Page?];

/**
 * The kinds of notifications, each with the group of its emails, its sentence, and what it links to for those whom it
 * concerns, if that is not the task.
 */
export const NOTIFICATIONS = {
  invited: ["bids", "{actor} invites you to bid on {task}."],
  "new-bid": ["bids", "{actor} bid {price} on {task}.", "bids"],
  "bid-changed": ["bids", "{actor} changed their bid on {task}{newPrice}.", "bids"],
  "bid-withdrawn": ["bids", "{actor} withdrew their bid on {task}.", "bids"],
  shortlisted: ["bids", "Your bid on {task} was shortlisted."],
  awarded: ["work", "You were hired for {task}."],
  "task-awarded": ["bids", "Somebody was hired for {task}, which you saved."],
  declined: ["bids", "Your bid on {task} was not chosen."],
  "change-proposed": [
    "work",
    "{actor} proposes to change what you agreed on for {task}{quoteOrEnd}",
    "agreement",
  ],
  "change-accepted": ["work", "{actor} accepted your change to the agreement on {task}.", "agreement"],
  "change-refused": ["work", "{actor} refused your change to the agreement on {task}.", "agreement"],
  "change-withdrawn": ["work", "{actor} withdrew their proposal for {task}.", "agreement"],
  "end-proposed": [
    "work",
    "{actor} proposes to end {task} early: the freelancer would get {price}{quoteOrEnd}",
    "ending",
  ],
  "end-withdrawn": ["work", "{actor} no longer proposes to end {task} early.", "ending"],
  "end-refused": ["work", "{actor} refused to end {task} early.", "ending"],
  disputed: ["work", "There is a dispute about {task}. State your case; an operator decides.", "ending"],
  "dispute-decided": [
    "work",
    "An operator has decided the dispute about {task}: the freelancer gets {price}{quoteOrEnd}",
    "ending",
  ],
  "ended-early": ["work", "{task} was ended early: the freelancer gets {price}.", "ending"],
  "work-delivered": ["work", "{actor} delivered the work on {task}.", "delivery"],
  "changes-requested": ["work", "{actor} asked for changes to your work on {task}{quoteOrEnd}", "delivery"],
  "delivery-waiting": [
    "work",
    "The work on {task} is waiting for you. Mark it as completed, or ask for changes.",
    "delivery",
  ],
  "may-complete": [
    "work",
    "Your work on {task} no longer waits for your client. You can mark it as completed now.",
    "delivery",
  ],
  "completed-unanswered": [
    "work",
    "{actor} marked {task} as completed, as you had not responded to the delivery. You can review them now.",
    "review",
  ],
  invoice: ["payments", "{actor} sent you {invoice} for {task}.", "payment"],
  "payment-due": ["payments", "Work on {task} is accepted, and its payment is outstanding.", "payment"],
  "milestone-accepted": [
    "work",
    {
      client: "{actor} has marked {milestone} of {task} as accepted, as you did not respond.",
      other: "{actor} accepted {milestone} of {task}.",
    },
  ],
  "payment-sent": [
    "payments",
    "{actor} marked {task} as paid{quote}. Say whether it has arrived.",
    "payment",
  ],
  "payment-received": ["payments", "{actor} confirmed your payment for {task}{quoteOrEnd}", "payment"],
  "payment-missing": ["payments", "{actor} has not received your payment for {task}{quoteOrEnd}", "payment"],
  "payment-unconfirmed": [
    "payments",
    "Has the payment for {task} arrived? Your client waits for your answer.",
    "payment",
  ],
  "freelancer-left": [
    "work",
    "The freelancer you hired for {task} has deleted their account. Mark the task as completed, or cancel it: then you can reopen it and hire somebody else. If you have accepted a milestone, end it early instead.",
  ],
  "task-changed": [
    "other",
    {
      saved: "{task}, which you saved, was changed.",
      other: "{task} was changed.",
    },
  ],
  "task-cancelled": [
    "other",
    {
      saved: "{task}, which you saved, was cancelled.",
      other: "{task} was cancelled by its client{quoteOrEnd}",
    },
  ],
  "task-reopened": [
    "other",
    { saved: "{task}, which you saved, is open again.", other: "{task} is open again." },
  ],
  "task-completed": [
    "other",
    {
      saved: "{task}, which you saved, was completed.",
      other: "{task} was marked as completed. You can review your client now.",
    },
    "review",
  ],
  "bids-undecided": [
    "other",
    `The deadline of {task} has passed, and bids are waiting for your decision. It closes ${UNDECIDED_DAYS.closes} days after its deadline, at least ${UNDECIDED_DAYS.notice} days after this reminder.`,
    "bids",
  ],
  "task-closed": [
    "other",
    {
      saved: "{task}, which you saved, was closed: nobody was hired for it.",
      client: `{task} was closed: nobody was hired within ${UNDECIDED_DAYS.closes} days of its deadline. You can open it again.`,
      other: "{task} was closed: its client hired nobody.",
    },
  ],
  "task-deleted": [
    "other",
    {
      saved: "{task}, which you saved, was deleted by its client.",
      other: "{task} was deleted by its client, and your bid with it.",
    },
    "my-bids",
  ],
  "task-hidden": [
    "other",
    {
      saved: "A task that you saved was hidden from the public by an operator.",
      other: "{task} was hidden from the public by an operator{why}",
    },
  ],
  "task-restored": ["other", "{task} can be seen by everybody again."],
  "deadline-near": [
    "other",
    {
      saved: "The deadline of {task}, which you saved, is near.",
      client: "The deadline of {task} is near.",
      other: "The deadline of {task} is near. You have a bid on it.",
    },
  ],
  review: ["other", "{actor} left you a review for {task}.", "reviews"],
  "review-waiting": [
    "other",
    `{actor} has reviewed you for {task}. You will see it once you have written yours, or in ${REVIEW_LIMITS.hiddenDays} days.`,
    "review",
  ],
  "new-question": ["other", "{actor} asked a question on {task}.", "questions"],
  "question-answered": ["other", "{actor} answered your question on {task}.", "questions"],
  "new-answer": ["other", "{actor} answered a question on {task}.", "questions"],
  "question-hidden": [
    "other",
    {
      client: "A question on {task} and your answer were hidden by an operator{why}",
      other: "Your question on {task} was hidden by an operator{why}",
    },
  ],
  "question-restored": [
    "other",
    {
      client: "A question on {task} and your answer can be seen again.",
      other: "Your question on {task} can be seen again.",
    },
  ],
  message: ["messages", "{actor} wrote to you about {task}."],
  "search-match": ["other", "New task for your search {search}: {task}."],
} as const satisfies Record<string, Kind>;
export type NotificationKind = keyof typeof NOTIFICATIONS;
export const NOTIFICATION_KINDS = /* @__PURE__ */ Object.keys(NOTIFICATIONS) as NotificationKind[];

type Linked = Pick<Notification, "kind" | "saved"> & {
  /** As text or as stored. */
  taskId: string | object;
  conversationId?: string | object | undefined;
};

/** The path of the page in the web app to which it links for this person. */
export function addressOf({ kind, saved, taskId, conversationId }: Linked, recipientId: string): string {
  if (conversationId) return `/dash/messages/${conversationId}`;
  const task = `/dash/taskdetails/${taskId}`;
  // What is gone cannot be opened.
  if (saved) return kind === "task-deleted" || kind === "task-hidden" ? "/dash/saved" : task;
  const [, , page]: Kind = NOTIFICATIONS[kind];
  if (page === "bids") return `/dash/bids/${taskId}`;
  if (page === "my-bids") return "/dash/mybids";
  if (page === "reviews") return `/people/${encodeURIComponent(recipientId)}#reviews`;
  return page ? `${task}#${page}` : task;
}

type Said = { kind: NotificationKind; saved?: boolean | undefined; asClient: boolean };

/**
 * A notification in words for its reader: texts and the parts between them. A part without a value is left out together
 * with the space before it. `first`: only the first sentence.
 */
export function sentenceOf<Part>(
  { kind, saved, asClient }: Said,
  parts: Partial<Record<SentencePart, Part>>,
  first = false,
): (string | Part)[] {
  const sentence: Sentence = NOTIFICATIONS[kind][1];
  const texts = typeof sentence === "string" ? { other: sentence } : sentence;
  const whole = (saved && texts.saved) || (asClient && texts.client) || texts.other;
  const text = first ? whole.replace(/(?<=[.?]) .*/, "") : whole;
  return text.split(/( ?\{\w+\})/).flatMap((piece) => {
    const [, space = "", name] = /^( ?)\{(\w+)\}$/.exec(piece) ?? [];
    if (!name) return piece;
    const part = parts[name as SentencePart];
    return part ? [space, part] : [];
  });
}

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

/** The most notifications that one request can mark as read by id. */
export const MAX_READ_AT_ONCE = 100;

/** `POST /me/notifications/read`: marks these as read, or all if `ids` is absent; with `upTo`, none that are newer. */
export const readNotificationsSchema = z.object({
  upTo: z.optional(documentId("notification")),
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
