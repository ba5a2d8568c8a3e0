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
import { Fragment, type ReactElement } from "react";
import { Link } from "react-router-dom";
import { formatTime, formatUsd } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { When } from "../../ui/when.tsx";

const ICONS: Record<NotificationKind, LucideIcon> = {
  "new-bid": HandCoins,
  "bid-changed": PencilLine,
  "bid-withdrawn": Undo2,
  invited: UserPlus,
  shortlisted: Bookmark,
  awarded: Trophy,
  "task-awarded": UserRoundCheck,
  declined: CircleX,
  "change-proposed": FilePenLine,
  "change-accepted": CircleCheck,
  "change-refused": CircleX,
  "change-withdrawn": CircleOff,
  "end-proposed": Flag,
  "end-refused": CircleX,
  disputed: Scale,
  "dispute-decided": Scale,
  "ended-early": Flag,
  "work-delivered": PackageCheck,
  "changes-requested": MessageSquareWarning,
  "delivery-waiting": PackageOpen,
  "may-complete": CircleCheck,
  "completed-unanswered": CircleCheck,
  invoice: ReceiptText,
  "milestone-accepted": CircleCheck,
  "payment-due": Banknote,
  "payment-sent": Banknote,
  "payment-received": CircleCheck,
  "payment-missing": MessageSquareWarning,
  "payment-unconfirmed": Banknote,
  "freelancer-left": UserRoundX,
  "task-changed": FilePenLine,
  "task-cancelled": Ban,
  "task-reopened": RotateCcw,
  "task-completed": CircleCheck,
  "bids-undecided": Hourglass,
  "task-closed": CircleOff,
  "task-deleted": Trash2,
  "task-hidden": EyeOff,
  "task-restored": Eye,
  "deadline-near": CalendarClock,
  review: Star,
  "review-waiting": Star,
  "new-question": MessageCircleQuestionMark,
  "question-answered": MessageCircleReply,
  "new-answer": MessageCircleReply,
  "question-hidden": EyeOff,
  "question-restored": Eye,
  message: MessageSquareText,
  "search-match": SearchCheck,
};

type Props = {
  notification: Notification;
  /** Shows a relative time today, and the time of day on other days, whose heading shows the date. */
  isToday: boolean;
  onFollow: () => void;
};

/** One line, as a link: who did what, when and how often. Unread lines are bold and labelled as unread. */
export function NotificationItem({ notification, isToday, onFollow }: Props) {
  const { kind, actor, actorImage, createdAt, read, count } = notification;
  return (
    <li>
      <Link
        to={addressOf(notification)}
        onClick={onFollow}
        className="flex items-start gap-4 rounded-field px-2 py-3 hover:bg-base-200"
      >
        <ActorIcon Icon={ICONS[kind]} name={actor} image={actorImage} />
        <span className="min-w-0 grow space-y-0.5">
          <span className={`block text-sm wrap-anywhere ${read ? "" : "font-semibold"}`}>
            {!read && <span className="sr-only">Unread: </span>}
            {sentenceOf(notification)}
          </span>
          <span className="quiet block text-xs tabular-nums">
            {isToday ? <When at={createdAt} /> : <time dateTime={createdAt}>{formatTime(createdAt)}</time>}
            {count && ` · ${count} times`}
          </span>
        </span>
        {!read && (
          <span
            aria-hidden="true"
            className="mt-1.5 size-2.5 shrink-0 rounded-full border border-primary bg-primary"
          />
        )}
      </Link>
    </li>
  );
}

type ActorIconProps = { Icon: LucideIcon; name: string | undefined; image: string | undefined };

/** The actor's avatar with a small icon of the kind, or the icon alone if there is no actor. */
function ActorIcon({ Icon, name, image }: ActorIconProps) {
  if (!name)
    return (
      <span className="grid size-9 shrink-0 place-items-center rounded-full bg-base-200 text-primary">
        <Icon className="size-5" />
      </span>
    );
  return (
    <span className="relative shrink-0">
      <Avatar name={name} src={image} size="sm" />
      <span className="absolute -right-2 -bottom-2 grid size-5 place-items-center rounded-full border border-base-300 bg-base-100 text-primary">
        <Icon className="size-3" />
      </span>
    </span>
  );
}

const QUESTION_NEWS: readonly NotificationKind[] = ["new-question", "question-answered", "new-answer"];
const BID_NEWS: readonly NotificationKind[] = ["new-bid", "bid-changed", "bid-withdrawn", "bids-undecided"];
const ENDING_NEWS: readonly NotificationKind[] = [
  ...(["end-proposed", "end-refused", "disputed", "dispute-decided", "ended-early"] as const),
];
const DELIVERY_NEWS: readonly NotificationKind[] = [
  "work-delivered",
  "changes-requested",
  "delivery-waiting",
  "may-complete",
];

/** A notification as one sentence. Names and titles keep their own text direction. */
export function sentenceOf(notification: Notification): ReactElement {
  const {
    kind,
    taskTitle,
    actor = "Somebody",
    amount,
    asClient,
    saved,
    reason,
    text,
    search = "",
  } = notification;
  const price = amount === undefined ? "" : formatUsd(amount);
  const quote = text ? isolated`: “${text}”` : undefined;
  const why = `${reason ? `: ${REPORT_REASON_LABELS[reason]}` : ""}.${text ? ` “${text}”` : ""}`;
  const sentences: Record<NotificationKind, () => ReactElement> = {
    "new-bid": () => isolated`${actor} bid ${price && `${price} `}on “${taskTitle}”.`,
    "bid-changed": () => isolated`${actor} changed their bid on “${taskTitle}”${price && ` to ${price}`}.`,
    "bid-withdrawn": () => isolated`${actor} withdrew their bid on “${taskTitle}”.`,
    invited: () => isolated`${actor} invites you to bid on “${taskTitle}”.`,
    shortlisted: () => isolated`Your bid on “${taskTitle}” was shortlisted.`,
    awarded: () => isolated`You were hired for “${taskTitle}”.`,
    "task-awarded": () => isolated`Somebody was hired for “${taskTitle}”, which you saved.`,
    declined: () => isolated`Your bid on “${taskTitle}” was not chosen.`,
    "task-changed": () =>
      saved
        ? isolated`“${taskTitle}”, which you saved, was changed.`
        : isolated`“${taskTitle}” was changed. See whether your bid still fits.`,
    "task-reopened": () =>
      saved
        ? isolated`“${taskTitle}”, which you saved, is open again.`
        : isolated`“${taskTitle}” is open again.`,
    "change-proposed": () =>
      isolated`${actor} proposes to change what you agreed on for “${taskTitle}”${quote ?? PERIOD}`,
    "change-accepted": () => isolated`${actor} accepted your change to the agreement on “${taskTitle}”.`,
    "change-refused": () => isolated`${actor} refused your change to the agreement on “${taskTitle}”.`,
    "change-withdrawn": () => isolated`${actor} withdrew their proposal for “${taskTitle}”.`,
    "end-proposed": () =>
      isolated`${actor} proposes to end “${taskTitle}” early: the freelancer would get ${price}.`,
    "end-refused": () => isolated`${actor} refused to end “${taskTitle}” early.`,
    disputed: () => isolated`There is a dispute about “${taskTitle}”. State your case; an operator decides.`,
    "dispute-decided": () =>
      isolated`An operator has decided the dispute about “${taskTitle}”: the freelancer gets ${price}.`,
    "ended-early": () => isolated`“${taskTitle}” was ended early: the freelancer gets ${price}.`,
    "work-delivered": () => isolated`${actor} delivered the work on “${taskTitle}”.`,
    "changes-requested": () =>
      isolated`${actor} asked for changes to your work on “${taskTitle}”${quote ?? PERIOD}`,
    "delivery-waiting": () =>
      isolated`The work on “${taskTitle}” is waiting for you. Mark it as completed, or ask for changes.`,
    "may-complete": () =>
      isolated`Your client has not responded to your work on “${taskTitle}”. You can mark it as completed now.`,
    "completed-unanswered": () =>
      isolated`${actor} marked “${taskTitle}” as completed, as you had not responded to the delivery. You can review them now.`,
    invoice: () =>
      isolated`${actor} sent you ${text?.replace(/^\w/, (letter) => letter.toLowerCase()) ?? "an invoice"} for “${taskTitle}”.`,
    "milestone-accepted": () =>
      asClient
        ? isolated`${actor} has marked “${text ?? ""}” of “${taskTitle}” as accepted, as you did not respond.`
        : isolated`${actor} accepted “${text ?? ""}” of “${taskTitle}”.`,
    "payment-due": () => isolated`Work on “${taskTitle}” is accepted, and not marked as paid.`,
    "payment-sent": () =>
      isolated`${actor} marked “${taskTitle}” as paid${quote}. Say whether it has arrived.`,
    "payment-received": () => isolated`${actor} confirmed your payment for “${taskTitle}”.`,
    "payment-missing": () =>
      isolated`${actor} has not received your payment for “${taskTitle}”${quote ?? PERIOD}`,
    "payment-unconfirmed": () =>
      isolated`Has the payment for “${taskTitle}” arrived? Your client waits for your answer.`,
    "freelancer-left": () =>
      isolated`The freelancer you hired for “${taskTitle}” has deleted their account. Mark the task as completed, or cancel it: then you can reopen it and hire somebody else.`,
    "task-cancelled": () =>
      saved
        ? isolated`“${taskTitle}”, which you saved, was cancelled by its client.`
        : isolated`“${taskTitle}” was cancelled by its client${quote ?? PERIOD}`,
    "task-completed": () =>
      saved
        ? isolated`“${taskTitle}”, which you saved, was completed.`
        : isolated`“${taskTitle}” was marked as completed. You can review your client now.`,
    "bids-undecided": () =>
      isolated`The deadline of “${taskTitle}” has passed, and bids are waiting for your decision. It closes ${String(UNDECIDED_DAYS.closes)} days after its deadline, at least ${String(UNDECIDED_DAYS.notice)} days after this reminder.`,
    "task-closed": () => closed(taskTitle, { saved, asClient }),
    "task-deleted": () =>
      saved
        ? isolated`“${taskTitle}”, which you saved, was deleted by its client.`
        : isolated`“${taskTitle}” was deleted by its client, and your bid with it.`,
    "task-hidden": () =>
      saved
        ? isolated`A task that you saved was hidden from the public by an operator.`
        : isolated`“${taskTitle}” was hidden from the public by an operator${why}`,
    "task-restored": () => isolated`“${taskTitle}” can be seen by everybody again.`,
    "deadline-near": () =>
      saved
        ? isolated`The deadline of “${taskTitle}”, which you saved, is near.`
        : isolated`The deadline of “${taskTitle}” is near${asClient ? "" : ". You have a bid on it"}.`,
    review: () => isolated`${actor} left you a review for “${taskTitle}”.`,
    "review-waiting": () =>
      isolated`${actor} has reviewed you for “${taskTitle}”. You will see it once you have written yours, or in ${String(REVIEW_LIMITS.hiddenDays)} days.`,
    "new-question": () => isolated`${actor} asked a question on “${taskTitle}”.`,
    "question-answered": () => isolated`${actor} answered your question on “${taskTitle}”.`,
    "new-answer": () => isolated`${actor} answered a question on “${taskTitle}”.`,
    "question-hidden": () =>
      asClient
        ? isolated`A question on “${taskTitle}” and your answer were hidden by an operator${why}`
        : isolated`Your question on “${taskTitle}” was hidden by an operator${why}`,
    "question-restored": () =>
      asClient
        ? isolated`A question on “${taskTitle}” and your answer can be seen again.`
        : isolated`Your question on “${taskTitle}” can be seen again.`,
    message: () => isolated`${actor} wrote to you about “${taskTitle}”.`,
    "search-match": () => isolated`New task for your search “${search}”: “${taskTitle}”.`,
  };
  return sentences[kind]();
}

function closed(title: string, { saved, asClient }: Pick<Notification, "saved" | "asClient">): ReactElement {
  if (saved) return isolated`“${title}”, which you saved, was closed: nobody was hired for it.`;
  if (asClient)
    return isolated`“${title}” was closed: nobody was hired within ${String(UNDECIDED_DAYS.closes)} days of its deadline. You can open it again.`;
  return isolated`“${title}” was closed: its client hired nobody.`;
}

/**
 * Isolates the text direction of the inserted texts, so that an Arabic title does not affect the English around it. An
 * inserted element already does so.
 */
function isolated(
  texts: TemplateStringsArray,
  ...parts: (string | ReactElement | undefined)[]
): ReactElement {
  return (
    <>
      {texts.map((text, index) => {
        const part = parts[index];
        return (
          <Fragment key={index}>
            {text}
            {typeof part === "string" && part !== "" ? <bdi>{part}</bdi> : part}
          </Fragment>
        );
      })}
    </>
  );
}

/** The end of a sentence without a quote. */
const PERIOD = <>.</>;

/**
 * The page that a notification links to: the conversation, received bids, questions, agreement, delivery, payment, review, or otherwise the
 * task. A deleted task has no page, and a hidden one only has a page for its client.
 */
function addressOf({ kind, asClient, saved, taskId, conversationId }: Notification): string {
  if (conversationId) return paths.conversation(conversationId);
  if (asClient && BID_NEWS.includes(kind)) return paths.receivedBids(taskId);
  if (QUESTION_NEWS.includes(kind)) return paths.questions(taskId);
  if (saved && (kind === "task-deleted" || kind === "task-hidden")) return paths.saved;
  if ((kind === "task-completed" && !saved) || kind === "completed-unanswered" || kind === "review-waiting")
    return paths.writeReview(taskId);
  if (DELIVERY_NEWS.includes(kind)) return paths.delivery(taskId);
  if (ENDING_NEWS.includes(kind)) return paths.ending(taskId);
  if (kind.startsWith("change-")) return paths.agreement(taskId);
  if (kind.startsWith("payment-") || kind === "invoice") return paths.payment(taskId);
  return kind === "task-deleted" ? paths.myBids : paths.dashTask(taskId);
}
