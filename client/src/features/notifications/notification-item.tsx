import type { Notification, NotificationKind } from "@tasklane/server/contract";
import {
  BellRing,
  CalendarClock,
  CircleCheck,
  CircleX,
  Eye,
  EyeOff,
  Gavel,
  type LucideIcon,
  PencilLine,
  RotateCcw,
  Star,
  Trophy,
} from "lucide-react";
import { Link } from "react-router-dom";
import { formatUsd, formatWhen } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";

const ICONS: Partial<Record<NotificationKind, LucideIcon>> = {
  "new-bid": Gavel,
  "bid-changed": Gavel,
  "bid-withdrawn": Gavel,
  shortlisted: Star,
  awarded: Trophy,
  declined: CircleX,
  "task-changed": PencilLine,
  "task-cancelled": CircleX,
  "task-reopened": RotateCcw,
  "task-completed": CircleCheck,
  "task-deleted": CircleX,
  "task-hidden": EyeOff,
  "task-restored": Eye,
  "deadline-near": CalendarClock,
  review: Star,
};

/** One notification: what happened, when, and the way there. Unread ones are bold and say so. */
export function NotificationItem({
  notification,
  onFollow,
}: {
  notification: Notification;
  onFollow: () => void;
}) {
  const { kind, read, createdAt } = notification;
  const Icon = ICONS[kind] ?? BellRing;
  return (
    <li>
      <Link
        to={addressOf(notification)}
        onClick={onFollow}
        className="flex items-start gap-3 rounded-field px-2 py-3 hover:bg-base-200"
      >
        <Icon aria-hidden="true" className={`mt-0.5 size-5 shrink-0 ${read ? "quiet" : "text-primary"}`} />
        <span className="min-w-0 grow space-y-0.5">
          <span className={`block text-sm wrap-anywhere ${read ? "" : "font-semibold"}`}>
            {!read && <span className="sr-only">Unread: </span>}
            {sentenceOf(notification)}
          </span>
          <time dateTime={createdAt} className="quiet block text-xs">
            {formatWhen(createdAt)}
          </time>
        </span>
        {!read && <span aria-hidden="true" className="mt-2 size-2 shrink-0 rounded-full bg-primary" />}
      </Link>
    </li>
  );
}

const BID_NEWS: readonly NotificationKind[] = ["new-bid", "bid-changed", "bid-withdrawn"];

/** What a notification says, in one sentence. */
export function sentenceOf({ kind, taskTitle, actor = "Somebody", amount, asClient }: Notification): string {
  const task = `“${taskTitle}”`;
  const price = amount === undefined ? "" : formatUsd(amount);
  const sentences: Record<NotificationKind, string> = {
    "new-bid": `${actor} bid ${price && `${price} `}on ${task}.`,
    "bid-changed": `${actor} changed their bid on ${task}${price && ` to ${price}`}.`,
    "bid-withdrawn": `${actor} withdrew their bid on ${task}.`,
    shortlisted: `Your bid on ${task} was shortlisted.`,
    awarded: `You were hired for ${task}.`,
    declined: `Your bid on ${task} was not chosen.`,
    "task-changed": `${task} was changed. See whether your bid still fits.`,
    "task-cancelled": `${task} was cancelled by its client.`,
    "task-reopened": `${task} is open again.`,
    "task-completed": `${task} was marked as completed. You can review your client now.`,
    "task-deleted": `${task} was deleted by its client, and your bid with it.`,
    "task-hidden": `${task} was hidden from the public by an operator.`,
    "task-restored": `${task} can be seen by everybody again.`,
    "deadline-near": `The deadline of ${task} is near${asClient ? "" : ". You have a bid on it"}.`,
    review: `${actor} left you a review for ${task}.`,
  };
  return sentences[kind];
}

/** Where a notification leads: bids to the client's received bids, everything else to the task; a deleted task has no page. */
function addressOf({ kind, asClient, taskId }: Notification): string {
  if (asClient && BID_NEWS.includes(kind)) return paths.receivedBids(taskId);
  return kind === "task-deleted" ? paths.myBids : paths.dashTask(taskId);
}
