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
import { formatWhen } from "../../lib/when.ts";
import { addressOf, sentenceOf } from "./words.ts";

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
