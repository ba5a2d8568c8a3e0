import {
  addressOf,
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
import { useAuth } from "../../auth/session.tsx";
import { formatTime, formatUsd } from "../../lib/format.ts";
import { When } from "../../ui/now.tsx";
import { Avatar } from "../../ui/person.tsx";

const ICONS: Record<NotificationKind, LucideIcon> = {
  invited: UserPlus,
  "new-bid": HandCoins,
  "bid-changed": PencilLine,
  "bid-withdrawn": Undo2,
  shortlisted: Bookmark,
  awarded: Trophy,
  "task-awarded": UserRoundCheck,
  declined: CircleX,
  "change-proposed": FilePenLine,
  "change-accepted": CircleCheck,
  "change-refused": CircleX,
  "change-withdrawn": CircleOff,
  "end-proposed": Flag,
  "end-withdrawn": CircleOff,
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
  "payment-due": Banknote,
  "milestone-accepted": CircleCheck,
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
    milestone: text ? inQuotes(text) : "a milestone",
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
  const { user } = useAuth();
  const { kind, actor, actorImage, createdAt, read, count } = notification;
  return (
    <li>
      <Link
        to={addressOf(notification, user?.uid ?? "")}
        onClick={onFollow}
        className="relative flex flex-wrap items-start gap-x-4 gap-y-3 rounded-field px-2 py-3 hover:bg-base-200"
      >
        <ActorIcon Icon={ICONS[kind]} name={actor} image={actorImage} />
        <span className={`min-w-0 grow basis-28 space-y-0.5 ${read ? "" : "pe-[26px]"}`}>
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
            className="absolute end-2 top-4.5 size-2.5 rounded-full border border-primary bg-primary"
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
