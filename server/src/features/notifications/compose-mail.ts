import {
  DELIVERY_LIMITS,
  type NotificationKind,
  REPORT_REASON_LABELS,
  REVIEW_LIMITS,
  UNDECIDED_DAYS,
} from "../../contract/index.ts";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import { USD } from "../../domain/format.ts";
import type { Reader } from "./mail-store.ts";
import type { Mail } from "./smtp-mailer.ts";

export type MailLinks = {
  webUrl: string;
  /** Unsubscribes a person from all notification emails. */
  unsubscribeUrl: (person: string, key: string) => string;
  /** Unsubscribes a person from the emails of one saved search, or of all. */
  searchUnsubscribeUrl: (person: string, key: string, search?: string) => string;
};

/**
 * Composes the email for one notification. Other people's titles and names in it are shortened and contain nothing that
 * a mail program would turn into a link.
 */
export function composeMail(notification: NotificationDoc, reader: Reader, links: MailLinks): Mail {
  const text = sentence(notification);
  return mailTo(reader, {
    id: notification._id.toHexString(),
    subject: text,
    content: [`${text}.`, ...explanation(notification), `${links.webUrl}${pathTo(notification)}`],
    why: "You get this email because you asked for notifications by email. To unsubscribe:",
    unsubscribe: links.unsubscribeUrl(reader._id, reader.unsubscribeKey),
  });
}

/** Composes one email for a day's notifications. */
export function composeDaily(
  notifications: readonly NotificationDoc[],
  reader: Reader,
  links: MailLinks,
): Mail {
  return mailTo(reader, {
    id: `day-${notifications[0]?._id.toHexString()}`,
    subject: `${notifications.length} notifications of the last day`,
    content: notifications.map((each) => `${sentence(each)}.\n${links.webUrl}${pathTo(each)}`),
    why: "You get this email because you asked for notifications by email once a day. To unsubscribe:",
    unsubscribe: links.unsubscribeUrl(reader._id, reader.unsubscribeKey),
  });
}

type MailParts = { id: string; subject: string; content: string[]; why: string; unsubscribe: string };

/** A plain-text email that can be unsubscribed from with one click (RFC 8058). */
export function mailTo(reader: Reader, { id, subject, content, why, unsubscribe }: MailParts): Mail {
  const name = quoted(reader.name, MAX_NAME);
  return {
    id,
    to: { name, address: reader.email },
    subject,
    text: [`Hello ${name},`, ...content, `${why}\n${unsubscribe}`].join("\n\n"),
    headers: {
      "List-Unsubscribe": `<${unsubscribe}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      // Suppresses out-of-office replies.
      "Auto-Submitted": "auto-generated",
    },
  };
}

/** A sentence; for people who saved the task, for its client, and for others. */
type Sentence = string | { saved?: string; client?: string; other: string };

function sentence({ kind, asClient, saved, taskTitle, actor, amount }: NotificationDoc): string {
  const chosen: Sentence = SENTENCES[kind];
  const { saved: toSaver, client, other } = typeof chosen === "string" ? { other: chosen } : chosen;
  const parts: Record<string, string> = {
    title: `“${quoted(taskTitle, MAX_TITLE)}”`,
    who: quoted(actor ?? "Somebody", MAX_NAME),
    bid: amount === undefined ? "bid" : `bid of ${USD.format(amount)}`,
  };
  const text = (saved && toSaver) || (asClient && client) || other;
  return text.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? "");
}

/** The subject of each email, which is its first sentence, too. */
const SENTENCES: Record<NotificationKind, Sentence> = {
  "new-bid": "New {bid} from {who} on {title}",
  "bid-changed": "{who} changed their bid on {title}",
  "bid-withdrawn": "{who} withdrew their bid on {title}",
  invited: "{who} invites you to bid on {title}",
  shortlisted: "Your bid on {title} was shortlisted",
  awarded: "You were hired for {title}",
  "task-awarded": "Somebody was hired for {title}, a task you saved",
  declined: "Your bid on {title} was not chosen",
  "work-delivered": "{who} delivered the work on {title}",
  "changes-requested": "{who} asked for changes to your work on {title}",
  "delivery-waiting": "The work on {title} is waiting for you: mark it as completed, or ask for changes",
  "may-complete": "Your client has not responded to your work on {title}: you can mark it as completed now",
  "completed-unanswered": "{who} marked {title} as completed, as you had not responded to the delivery",
  "freelancer-left":
    "The freelancer you hired for {title} has deleted their account: mark the task as completed, or cancel and reopen it",
  "task-changed": { saved: "A task you saved was changed: {title}", other: "The task {title} was changed" },
  "task-cancelled": {
    saved: "A task you saved was cancelled: {title}",
    other: "The task {title} was cancelled",
  },
  "task-reopened": {
    saved: "A task you saved is open again: {title}",
    other: "The task {title} is open again",
  },
  "task-completed": {
    saved: "A task you saved is completed: {title}",
    other: "The task {title} is completed",
  },
  "bids-undecided": "The deadline of your task {title} has passed, and bids are waiting for your decision",
  "task-closed": {
    saved: "A task you saved was closed: {title}",
    client: `Your task {title} was closed: nobody was hired within ${UNDECIDED_DAYS.closes} days of its deadline`,
    other: "The task {title} was closed: its client did not decide on its bids",
  },
  "task-deleted": { saved: "A task you saved was deleted: {title}", other: "The task {title} was deleted" },
  "task-hidden": {
    saved: "A task you saved was hidden by an operator",
    other: "Your task {title} was hidden by an operator",
  },
  "task-restored": {
    saved: "A task you saved is visible again: {title}",
    other: "Your task {title} is visible again",
  },
  "deadline-near": {
    saved: "The deadline of a task you saved is near: {title}",
    client: "The deadline of your task {title} is near",
    other: "The deadline of the task {title} is near",
  },
  "change-proposed": "{who} proposes to change what you agreed on for {title}",
  "change-accepted": "{who} accepted your change to the agreement on {title}",
  "change-refused": "{who} refused your change to the agreement on {title}",
  "change-withdrawn": "{who} withdrew their proposal for {title}",
  invoice: "{who} sent you an invoice or a credit note for {title}",
  "end-proposed": "{who} proposes to end {title} early",
  "end-refused": "{who} refused to end {title} early",
  disputed: "There is a dispute about {title}",
  "dispute-decided": "An operator has decided the dispute about {title}",
  "ended-early": "The task {title} was ended early",
  "milestone-accepted": "A milestone of {title} is accepted",
  "payment-due": "Work on your task {title} is accepted, and not marked as paid",
  "payment-sent": "{who} has marked {title} as paid",
  "payment-received": "{who} has confirmed your payment for {title}",
  "payment-missing": "{who} has not received your payment for {title}",
  "payment-unconfirmed": "Has the payment for {title} arrived?",
  review: "{who} reviewed you for {title}",
  "review-waiting": `{who} reviewed you for {title}. You will see it once you have written yours, or in ${REVIEW_LIMITS.hiddenDays} days`,
  "new-question": "{who} asked a question on {title}",
  "question-answered": "Your question on {title} was answered",
  "new-answer": "There is a new answer on {title}",
  "question-hidden": {
    client: "A question on your task {title} was hidden by an operator",
    other: "Your question on {title} was hidden by an operator",
  },
  "question-restored": {
    client: "A question on your task {title} can be seen again",
    other: "Your question on {title} can be seen again",
  },
  message: "{who} wrote to you about {title}",
  // Emailed with others, see `send-digests.ts`.
  "search-match": "New task for your saved searches: {title}",
};

/** A paragraph with the reason given, or with what happens next. */
function explanation({ kind, reason, text }: NotificationDoc): string[] {
  const { closes, notice } = UNDECIDED_DAYS;
  if (kind === "bids-undecided")
    return [`It closes ${closes} days after its deadline, at least ${notice} days after this reminder.`];
  const quote = text && `“${quoted(text, DELIVERY_LIMITS.reason)}”`;
  if (reason) return [`Reason: ${REPORT_REASON_LABELS[reason]}.${quote ? ` ${quote}` : ""}`];
  return quote ? [quote] : [];
}

function pathTo({ kind, saved, taskId, conversationId }: NotificationDoc): string {
  if (conversationId) return `/dash/messages/${conversationId.toHexString()}`;
  // The task's own page can no longer be opened.
  if (saved && (kind === "task-deleted" || kind === "task-hidden")) return "/dash/saved";
  if (kind === "task-deleted") return "/dash/mybids";
  if (kind === "bids-undecided") return `/dash/bids/${taskId.toHexString()}`;
  return `/taskdetails/${taskId.toHexString()}`;
}

export const MAX_TITLE = 80;
const MAX_NAME = 40;
// Control characters, line separators, and invisible or direction-changing characters, except those that join emoji.
const INVISIBLE = /(?:(?!\u200C|\u200D|\uFE0F)[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])+/gu;
const ADDRESS = /(?:\b[a-z][a-z\d+.-]*:\/\/|\bwww\.)\S*/giu;
// Mail programs also turn bare domains into links, so "evil.example" becomes "evil example".
const DOMAIN_DOT = /(?<=[\p{L}\p{N}\p{M}])[.\u3002\uFF0E\uFF61](?=\p{L}{2})/gu;

/** Makes another person's text safe to quote in an email, on one line of at most `max` characters. */
export function quoted(text: string, max: number): string {
  const plain = text.replace(INVISIBLE, " ").replace(ADDRESS, "[link]").replace(DOMAIN_DOT, " ");
  const words = plain.replace(/\s+/gu, " ").trim();
  const characters = [...words];
  return characters.length <= max
    ? words
    : `${characters
        .slice(0, max - 1)
        .join("")
        .trimEnd()}…`;
}
