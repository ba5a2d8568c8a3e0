import type { Notification } from "@tasklane/server/contract";
import type { LucideIcon } from "lucide-react";
import { Link } from "react-router-dom";
import { formatTime } from "../../lib/format.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { When } from "../../ui/now.tsx";
import { addressOf, iconOf, wordsOf } from "./notification-kinds.tsx";

type ItemProps = {
  notification: Notification;
  /** Shows a relative time today, and the time of day on other days, whose heading shows the date. */
  isToday: boolean;
  onFollow: () => void;
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
