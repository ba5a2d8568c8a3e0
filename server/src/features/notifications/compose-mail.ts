import {
  DELIVERY_LIMITS,
  REPORT_REASON_LABELS,
  REVIEW_LIMITS,
  UNDECIDED_DAYS,
} from "../../contract/index.ts";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
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

function sentence(notification: NotificationDoc): string {
  const { kind, asClient, saved, taskTitle, actor, amount } = notification;
  const title = `“${quoted(taskTitle, MAX_TITLE)}”`;
  const who = quoted(actor ?? "Somebody", MAX_NAME);
  const bid = amount === undefined ? "bid" : `bid of ${USD.format(amount)}`;
  switch (kind) {
    case "new-bid":
      return `New ${bid} from ${who} on ${title}`;
    case "bid-changed":
      return `${who} changed their bid on ${title}`;
    case "bid-withdrawn":
      return `${who} withdrew their bid on ${title}`;
    case "invited":
      return `${who} invites you to bid on ${title}`;
    case "shortlisted":
      return `Your bid on ${title} was shortlisted`;
    case "awarded":
      return `You were hired for ${title}`;
    case "task-awarded":
      return `Somebody was hired for ${title}, a task you saved`;
    case "declined":
      return `Your bid on ${title} was not chosen`;
    case "work-delivered":
      return `${who} delivered the work on ${title}`;
    case "changes-requested":
      return `${who} asked for changes to your work on ${title}`;
    case "delivery-waiting":
      return `The work on ${title} is waiting for you: mark it as completed, or ask for changes`;
    case "may-complete":
      return `Your client has not responded to your work on ${title}: you can mark it as completed now`;
    case "completed-unanswered":
      return `${who} marked ${title} as completed, as you had not responded to the delivery`;
    case "freelancer-left":
      return `The freelancer you hired for ${title} has deleted their account: mark the task as completed, or cancel and reopen it`;
    case "task-changed":
      return saved ? `A task you saved was changed: ${title}` : `The task ${title} was changed`;
    case "task-cancelled":
      return saved ? `A task you saved was cancelled: ${title}` : `The task ${title} was cancelled`;
    case "task-reopened":
      return saved ? `A task you saved is open again: ${title}` : `The task ${title} is open again`;
    case "task-completed":
      return saved ? `A task you saved is completed: ${title}` : `The task ${title} is completed`;
    case "bids-undecided":
      return `The deadline of your task ${title} has passed, and bids are waiting for your decision`;
    case "task-closed":
      if (saved) return `A task you saved was closed: ${title}`;
      return asClient
        ? `Your task ${title} was closed: nobody was hired within ${UNDECIDED_DAYS.closes} days of its deadline`
        : `The task ${title} was closed: its client did not decide on its bids`;
    case "task-deleted":
      return saved ? `A task you saved was deleted: ${title}` : `The task ${title} was deleted`;
    case "task-hidden":
      return saved
        ? "A task you saved was hidden by an operator"
        : `Your task ${title} was hidden by an operator`;
    case "task-restored":
      return saved ? `A task you saved is visible again: ${title}` : `Your task ${title} is visible again`;
    case "deadline-near":
      if (saved) return `The deadline of a task you saved is near: ${title}`;
      return `The deadline of ${asClient ? "your task" : "the task"} ${title} is near`;
    case "change-proposed":
      return `${who} proposes to change what you agreed on for ${title}`;
    case "change-accepted":
      return `${who} accepted your change to the agreement on ${title}`;
    case "change-refused":
      return `${who} refused your change to the agreement on ${title}`;
    case "change-withdrawn":
      return `${who} withdrew their proposal for ${title}`;
    case "invoice":
      return `${who} sent you an invoice or a credit note for ${title}`;
    case "end-proposed":
      return `${who} proposes to end ${title} early`;
    case "end-refused":
      return `${who} refused to end ${title} early`;
    case "disputed":
      return `There is a dispute about ${title}`;
    case "dispute-decided":
      return `An operator has decided the dispute about ${title}`;
    case "ended-early":
      return `The task ${title} was ended early`;
    case "milestone-accepted":
      return `A milestone of ${title} is accepted`;
    case "payment-due":
      return `Work on your task ${title} is accepted, and not marked as paid`;
    case "payment-sent":
      return `${who} has marked ${title} as paid`;
    case "payment-received":
      return `${who} has confirmed your payment for ${title}`;
    case "payment-missing":
      return `${who} has not received your payment for ${title}`;
    case "payment-unconfirmed":
      return `Has the payment for ${title} arrived?`;
    case "review":
      return `${who} reviewed you for ${title}`;
    case "review-waiting":
      return `${who} reviewed you for ${title}. You will see it once you have written yours, or in ${REVIEW_LIMITS.hiddenDays} days`;
    case "new-question":
      return `${who} asked a question on ${title}`;
    case "question-answered":
      return `Your question on ${title} was answered`;
    case "new-answer":
      return `There is a new answer on ${title}`;
    case "question-hidden":
      return asClient
        ? `A question on your task ${title} was hidden by an operator`
        : `Your question on ${title} was hidden by an operator`;
    case "question-restored":
      return asClient
        ? `A question on your task ${title} can be seen again`
        : `Your question on ${title} can be seen again`;
    case "message":
      return `${who} wrote to you about ${title}`;
    case "search-match":
      // Emailed with others, see `send-digests.ts`.
      return `New task for your saved searches: ${title}`;
  }
}

/** A paragraph with the reason given, or with what happens next. */
function explanation({ kind, reason, text }: NotificationDoc): string[] {
  const { closes, notice } = UNDECIDED_DAYS;
  if (kind === "bids-undecided")
    return [`It closes ${closes} days after its deadline, at least ${notice} days after this reminder.`];
  const quote = text && `“${quoted(text, DELIVERY_LIMITS.reason)}”`;
  if (reason) return [`Reason: ${REPORT_REASON_LABELS[reason]}.${quote ? ` ${quote}` : ""}`];
  return quote ? [quote] : [];
}

export const USD = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

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
