import {
  type Notification,
  type NotificationKind,
  REPORT_REASON_LABELS,
  type SentencePart,
  sentenceOf,
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
import { Link } from "react-router-dom";
import { formatTime, formatUsd } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { When } from "../../ui/now.tsx";
import { Avatar } from "../../ui/person.tsx";

/**
 * Each kind's icon, and the page to which it links for those whom it concerns, if that is not the task's. There is no
 * page of a deleted task.
 */
const KINDS: Record<NotificationKind, readonly [Icon: LucideIcon, pathOf?: (taskId: string) => string]> = {
  invited: [UserPlus],
  "new-bid": [HandCoins, paths.receivedBids],
  "bid-changed": [PencilLine, paths.receivedBids],
  "bid-withdrawn": [Undo2, paths.receivedBids],
  shortlisted: [Bookmark],
  awarded: [Trophy],
  "task-awarded": [UserRoundCheck],
  declined: [CircleX],
  "change-proposed": [FilePenLine, paths.agreement],
  "change-accepted": [CircleCheck, paths.agreement],
  "change-refused": [CircleX, paths.agreement],
  "change-withdrawn": [CircleOff, paths.agreement],
  "end-proposed": [Flag, paths.ending],
  "end-refused": [CircleX, paths.ending],
  disputed: [Scale, paths.ending],
  "dispute-decided": [Scale, paths.ending],
  "ended-early": [Flag, paths.ending],
  "work-delivered": [PackageCheck, paths.delivery],
  "changes-requested": [MessageSquareWarning, paths.delivery],
  "delivery-waiting": [PackageOpen, paths.delivery],
  "may-complete": [CircleCheck, paths.delivery],
  "completed-unanswered": [CircleCheck, paths.writeReview],
  invoice: [ReceiptText, paths.payment],
  "payment-due": [Banknote, paths.payment],
  "milestone-accepted": [CircleCheck],
  "payment-sent": [Banknote, paths.payment],
  "payment-received": [CircleCheck, paths.payment],
  "payment-missing": [MessageSquareWarning, paths.payment],
  "payment-unconfirmed": [Banknote, paths.payment],
  "freelancer-left": [UserRoundX],
  "task-changed": [FilePenLine],
  "task-cancelled": [Ban],
  "task-reopened": [RotateCcw],
  "task-completed": [CircleCheck, paths.writeReview],
  "bids-undecided": [Hourglass, paths.receivedBids],
  "task-closed": [CircleOff],
  "task-deleted": [Trash2, () => paths.myBids],
  "task-hidden": [EyeOff],
  "task-restored": [Eye],
  "deadline-near": [CalendarClock],
  review: [Star],
  "review-waiting": [Star, paths.writeReview],
  "new-question": [MessageCircleQuestionMark, paths.questions],
  "question-answered": [MessageCircleReply, paths.questions],
  "new-answer": [MessageCircleReply, paths.questions],
  "question-hidden": [EyeOff],
  "question-restored": [Eye],
  message: [MessageSquareText],
  "search-match": [SearchCheck],
};

/** The icon of a kind of notifications. */
export const iconOf = (kind: NotificationKind): LucideIcon => KINDS[kind][0];

/** The page that a notification links to: the conversation, what it is about, or otherwise the task. */
export function addressOf({ kind, saved, taskId, conversationId }: Notification): string {
  if (conversationId) return paths.conversation(conversationId);
  if (saved) return kind === "task-deleted" || kind === "task-hidden" ? paths.saved : paths.dashTask(taskId);
  const [, pathOf = paths.dashTask] = KINDS[kind];
  return pathOf(taskId);
}

/** A notification in words. Names and titles keep their own text direction. */
export function wordsOf(notification: Notification): ReactElement {
  const pieces = sentenceOf<ReactNode>(notification, partsOf(notification));
  return (
    <>
      {pieces.map((piece, index) => (
        <Fragment key={index}>{piece}</Fragment>
      ))}
    </>
  );
}

/** What can be inserted into a sentence. */
function partsOf({ taskTitle, actor = "Somebody", amount, reason, text, search }: Notification) {
  const price = amount === undefined ? undefined : formatUsd(amount);
  const quote = text && <>: {inQuotes(text)}</>;
  const parts: Record<SentencePart, ReactNode> = {
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

type ItemProps = {
  notification: Notification;
  /** Shows a relative time today, and the time of day on other days, whose heading shows the date. */
  isToday: boolean;
  onFollow: () => unknown;
};

/** One line, as a link: who did what, when and how often. Unread lines are bold and labelled as unread. */
export function NotificationItem({ notification, isToday, onFollow }: ItemProps) {
  const { kind, actor, actorImage, createdAt, read, count } = notification;
  return (
    <li>
      <Link
        to={addressOf(notification)}
        onClick={onFollow}
        className="flex items-start gap-4 rounded-field px-2 py-3 hover:bg-base-200"
      >
        <ActorIcon Icon={iconOf(kind)} name={actor} image={actorImage} />
        <span className="min-w-0 grow space-y-0.5">
          <span className={`block text-sm wrap-anywhere ${read ? "" : "font-semibold"}`}>
            {!read && <span className="sr-only">Unread: </span>}
            {wordsOf(notification)}
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
