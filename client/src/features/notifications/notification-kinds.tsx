import {
  type Notification,
  type NotificationKind,
  REPORT_REASON_LABELS,
  REVIEW_LIMITS,
  UNDECIDED_DAYS,
} from "@tasklane/server/contract";
import {
  Ban,
  Banknote,
  Bookmark,
  CalendarClock,
  CircleCheck,
  CircleOff,
  CircleX,
  Eye,
  EyeOff,
  FilePenLine,
  Flag,
  HandCoins,
  Hourglass,
  type LucideIcon,
  MessageCircleQuestionMark,
  MessageCircleReply,
  MessageSquareText,
  MessageSquareWarning,
  PackageCheck,
  PackageOpen,
  PencilLine,
  ReceiptText,
  RotateCcw,
  Scale,
  SearchCheck,
  Star,
  Trash2,
  Trophy,
  Undo2,
  UserPlus,
  UserRoundCheck,
  UserRoundX,
} from "lucide-react";
import { Fragment, type ReactElement, type ReactNode } from "react";
import { formatUsd } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";

/** A sentence; for people who saved the task, for its client, and for others. */
type Sentence = string | { saved?: string; client?: string; other: string };

/**
 * Each kind's icon, its sentence, and the page to which it links for those whom it concerns, if that is not the task's.
 * In a sentence, names in braces stand for {@link partsOf} a notification; one without a value is left out.
 */
const KINDS: Record<
  NotificationKind,
  readonly [Icon: LucideIcon, sentence: Sentence, pathOf?: (taskId: string) => string]
> = {
  "new-bid": [HandCoins, "{actor} bid {price} on {task}.", paths.receivedBids],
  "bid-changed": [PencilLine, "{actor} changed their bid on {task}{newPrice}.", paths.receivedBids],
  "bid-withdrawn": [Undo2, "{actor} withdrew their bid on {task}.", paths.receivedBids],
  invited: [UserPlus, "{actor} invites you to bid on {task}."],
  shortlisted: [Bookmark, "Your bid on {task} was shortlisted."],
  awarded: [Trophy, "You were hired for {task}."],
  "task-awarded": [UserRoundCheck, "Somebody was hired for {task}, which you saved."],
  declined: [CircleX, "Your bid on {task} was not chosen."],
  "task-changed": [
    FilePenLine,
    {
      saved: "{task}, which you saved, was changed.",
      other: "{task} was changed. See whether your bid still fits.",
    },
  ],
  "task-reopened": [
    RotateCcw,
    { saved: "{task}, which you saved, is open again.", other: "{task} is open again." },
  ],
  "change-proposed": [
    FilePenLine,
    "{actor} proposes to change what you agreed on for {task}{quoteOrEnd}",
    paths.agreement,
  ],
  "change-accepted": [
    CircleCheck,
    "{actor} accepted your change to the agreement on {task}.",
    paths.agreement,
  ],
  "change-refused": [CircleX, "{actor} refused your change to the agreement on {task}.", paths.agreement],
  "change-withdrawn": [CircleOff, "{actor} withdrew their proposal for {task}.", paths.agreement],
  "end-proposed": [
    Flag,
    "{actor} proposes to end {task} early: the freelancer would get {price}.",
    paths.ending,
  ],
  "end-refused": [CircleX, "{actor} refused to end {task} early.", paths.ending],
  disputed: [Scale, "There is a dispute about {task}. State your case; an operator decides.", paths.ending],
  "dispute-decided": [
    Scale,
    "An operator has decided the dispute about {task}: the freelancer gets {price}.",
    paths.ending,
  ],
  "ended-early": [Flag, "{task} was ended early: the freelancer gets {price}.", paths.ending],
  "work-delivered": [PackageCheck, "{actor} delivered the work on {task}.", paths.delivery],
  "changes-requested": [
    MessageSquareWarning,
    "{actor} asked for changes to your work on {task}{quoteOrEnd}",
    paths.delivery,
  ],
  "delivery-waiting": [
    PackageOpen,
    "The work on {task} is waiting for you. Mark it as completed, or ask for changes.",
    paths.delivery,
  ],
  "may-complete": [
    CircleCheck,
    "Your client has not responded to your work on {task}. You can mark it as completed now.",
    paths.delivery,
  ],
  "completed-unanswered": [
    CircleCheck,
    "{actor} marked {task} as completed, as you had not responded to the delivery. You can review them now.",
    paths.writeReview,
  ],
  invoice: [ReceiptText, "{actor} sent you {invoice} for {task}.", paths.payment],
  "milestone-accepted": [
    CircleCheck,
    {
      client: "{actor} has marked {milestone} of {task} as accepted, as you did not respond.",
      other: "{actor} accepted {milestone} of {task}.",
    },
  ],
  "payment-due": [Banknote, "Work on {task} is accepted, and not marked as paid.", paths.payment],
  "payment-sent": [
    Banknote,
    "{actor} marked {task} as paid{quote}. Say whether it has arrived.",
    paths.payment,
  ],
  "payment-received": [CircleCheck, "{actor} confirmed your payment for {task}.", paths.payment],
  "payment-missing": [
    MessageSquareWarning,
    "{actor} has not received your payment for {task}{quoteOrEnd}",
    paths.payment,
  ],
  "payment-unconfirmed": [
    Banknote,
    "Has the payment for {task} arrived? Your client waits for your answer.",
    paths.payment,
  ],
  "freelancer-left": [
    UserRoundX,
    "The freelancer you hired for {task} has deleted their account. Mark the task as completed, or cancel it: then you can reopen it and hire somebody else.",
  ],
  "task-cancelled": [
    Ban,
    {
      saved: "{task}, which you saved, was cancelled by its client.",
      other: "{task} was cancelled by its client{quoteOrEnd}",
    },
  ],
  "task-completed": [
    CircleCheck,
    {
      saved: "{task}, which you saved, was completed.",
      other: "{task} was marked as completed. You can review your client now.",
    },
    paths.writeReview,
  ],
  "bids-undecided": [
    Hourglass,
    `The deadline of {task} has passed, and bids are waiting for your decision. It closes ${UNDECIDED_DAYS.closes} days after its deadline, at least ${UNDECIDED_DAYS.notice} days after this reminder.`,
    paths.receivedBids,
  ],
  "task-closed": [
    CircleOff,
    {
      saved: "{task}, which you saved, was closed: nobody was hired for it.",
      client: `{task} was closed: nobody was hired within ${UNDECIDED_DAYS.closes} days of its deadline. You can open it again.`,
      other: "{task} was closed: its client hired nobody.",
    },
  ],
  // There is no page of a deleted task, and the page of a hidden one is only for its client.
  "task-deleted": [
    Trash2,
    {
      saved: "{task}, which you saved, was deleted by its client.",
      other: "{task} was deleted by its client, and your bid with it.",
    },
    () => paths.myBids,
  ],
  "task-hidden": [
    EyeOff,
    {
      saved: "A task that you saved was hidden from the public by an operator.",
      other: "{task} was hidden from the public by an operator{why}",
    },
  ],
  "task-restored": [Eye, "{task} can be seen by everybody again."],
  "deadline-near": [
    CalendarClock,
    {
      saved: "The deadline of {task}, which you saved, is near.",
      client: "The deadline of {task} is near.",
      other: "The deadline of {task} is near. You have a bid on it.",
    },
  ],
  review: [Star, "{actor} left you a review for {task}."],
  "review-waiting": [
    Star,
    `{actor} has reviewed you for {task}. You will see it once you have written yours, or in ${REVIEW_LIMITS.hiddenDays} days.`,
    paths.writeReview,
  ],
  "new-question": [MessageCircleQuestionMark, "{actor} asked a question on {task}.", paths.questions],
  "question-answered": [MessageCircleReply, "{actor} answered your question on {task}.", paths.questions],
  "new-answer": [MessageCircleReply, "{actor} answered a question on {task}.", paths.questions],
  "question-hidden": [
    EyeOff,
    {
      client: "A question on {task} and your answer were hidden by an operator{why}",
      other: "Your question on {task} was hidden by an operator{why}",
    },
  ],
  "question-restored": [
    Eye,
    {
      client: "A question on {task} and your answer can be seen again.",
      other: "Your question on {task} can be seen again.",
    },
  ],
  message: [MessageSquareText, "{actor} wrote to you about {task}."],
  "search-match": [SearchCheck, "New task for your search {search}: {task}."],
};

/** The icon of a kind of notifications. */
export const iconOf = (kind: NotificationKind): LucideIcon => KINDS[kind][0];

/** The page that a notification links to: the conversation, what it is about, or otherwise the task. */
export function addressOf({ kind, saved, taskId, conversationId }: Notification): string {
  if (conversationId) return paths.conversation(conversationId);
  if (saved) return kind === "task-deleted" || kind === "task-hidden" ? paths.saved : paths.dashTask(taskId);
  const [, , pathOf = paths.dashTask] = KINDS[kind];
  return pathOf(taskId);
}

/** A notification as one sentence. Names and titles keep their own text direction. */
export function sentenceOf(notification: Notification): ReactElement {
  const { kind, saved, asClient } = notification;
  const [, sentence] = KINDS[kind];
  const texts = typeof sentence === "string" ? { other: sentence } : sentence;
  const text = (saved && texts.saved) || (asClient && texts.client) || texts.other;
  const parts = partsOf(notification);
  return (
    <>
      {text.split(/( ?\{\w+\})/).map((part, index) => {
        const [, space, name = ""] = /^( ?)\{(\w+)\}$/.exec(part) ?? [];
        if (!name) return part;
        return (
          parts[name] && (
            <Fragment key={index}>
              {space}
              {parts[name]}
            </Fragment>
          )
        );
      })}
    </>
  );
}

/** What can be inserted into a sentence. */
function partsOf({ taskTitle, actor = "Somebody", amount, reason, text, search }: Notification) {
  const price = amount === undefined ? undefined : formatUsd(amount);
  const quote = text && <>: {inQuotes(text)}</>;
  const parts: Record<string, ReactNode> = {
    actor: <bdi>{actor}</bdi>,
    task: inQuotes(taskTitle),
    search: inQuotes(search ?? ""),
    milestone: inQuotes(text ?? ""),
    invoice: <bdi>{text?.replace(/^\w/, (letter) => letter.toLowerCase()) ?? "an invoice"}</bdi>,
    price,
    newPrice: price && ` to ${price}`,
    quote,
    quoteOrEnd: quote || ".",
    why: (
      <>
        {reason && `: ${REPORT_REASON_LABELS[reason]}`}.{text && <> {inQuotes(text)}</>}
      </>
    ),
  };
  return parts;
}

/** Isolates the text's direction, so that an Arabic title does not affect the English around it. */
function inQuotes(text: string): ReactElement {
  return (
    <>
      “<bdi>{text}</bdi>”
    </>
  );
}
