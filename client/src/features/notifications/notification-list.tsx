import { BellOff, CloudOff } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { LoadMoreButton } from "../../ui/load-more.tsx";
import { Spinner } from "../../ui/state-panel.tsx";
import { useNow } from "../../ui/use-now.ts";
import { groupByDay } from "./group-notifications.ts";
import { NotificationItem } from "./notification-item.tsx";
import type { useNotifications } from "./use-notifications.ts";

type Props = {
  notifications: ReturnType<typeof useNotifications>;
  /** The level of the headings of the days. */
  heading: "h2" | "h3";
  /** Called when a link in the list is followed. */
  onFollow?: () => void;
};

/** The list of notifications, in the bell's panel and on its own page. */
export function NotificationList({ notifications, heading: Heading, onFollow }: Props) {
  const { items, list, failure, next, unread, disconnected } = notifications;
  useNow();
  return (
    <div className="space-y-3">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-2">
        <p className="quiet text-sm">
          {unread === null
            ? ""
            : unread === 0
              ? "You are up to date."
              : `${unread.toLocaleString("en-US")} unread`}
        </p>
        {(unread ?? 0) > 0 && (
          <button
            type="button"
            className="btn btn-ghost btn-sm"
            onClick={() => void notifications.markRead()}
          >
            Mark all as read
          </button>
        )}
      </div>
      {disconnected && (
        <p className="quiet text-sm">Reconnecting… New notifications appear once you are connected again.</p>
      )}
      {failure && (
        <Note icon={<CloudOff className="size-6" />} role="alert">
          <p>{failure}</p>
          {list === "failed" && (
            <button
              type="button"
              className="btn btn-outline btn-sm"
              onClick={() => void notifications.retry()}
            >
              Try again
            </button>
          )}
        </Note>
      )}
      {items.length === 0 && list === "loading" && <Spinner label="Loading your notifications" />}
      {items.length === 0 && list === "loaded" && (
        <Note icon={<BellOff className="size-6" />}>
          <p className="font-medium">No notifications yet</p>
          <p className="quiet text-sm">Bids, awards and changes to tasks you take part in appear here.</p>
          <Link to={paths.browse} className="btn btn-outline btn-sm" onClick={onFollow}>
            Browse Tasks
          </Link>
        </Note>
      )}
      {items.length > 0 && (
        <div className="space-y-5">
          {groupByDay(items).map(({ name, items }) => (
            <section key={name}>
              <Heading className="quiet text-sm font-semibold">{name}</Heading>
              <ul className="-mx-2 divide-y divide-base-300">
                {items.map((item) => (
                  <NotificationItem
                    key={item.firstId ?? item._id}
                    notification={item}
                    isToday={name === "Today"}
                    onFollow={() => {
                      void notifications.markRead([item._id]);
                      onFollow?.();
                    }}
                  />
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
      {next && list !== "failed" && (
        <LoadMoreButton
          text="Load more"
          busy={list === "loading"}
          className="btn-block btn-outline btn-sm"
          onClick={notifications.loadMore}
        />
      )}
    </div>
  );
}

function Note({ icon, role, children }: { icon: ReactNode; role?: "alert"; children: ReactNode }) {
  return (
    <div role={role} className="flex flex-col items-center gap-2 px-4 py-8 text-center">
      <span aria-hidden="true" className={role ? "text-error" : "text-primary"}>
        {icon}
      </span>
      {children}
    </div>
  );
}
