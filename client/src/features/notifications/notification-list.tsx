import { useInfiniteQuery } from "@tanstack/react-query";
import type { Notification } from "@tasklane/server/contract";
import { BellOff, CloudOff } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useLive } from "../../lib/live.ts";
import { firstItems } from "../../lib/pages.ts";
import { paths } from "../../lib/paths.ts";
import { problemText } from "../../lib/problem.ts";
import { LoadMoreButton } from "../../ui/load-more.tsx";
import { Spinner } from "../../ui/state-panel.tsx";
import { useNow } from "../../ui/use-now.ts";
import { groupByDay } from "./group-notifications.ts";
import { NotificationItem } from "./notification-item.tsx";
import { notificationsQuery, useMarkRead } from "./notification-queries.ts";

type Props = {
  /** The level of the headings of the days. */
  heading: "h2" | "h3";
  /** Called when a link in the list is followed. */
  onFollow?: () => void;
};

/** The list of notifications, in the bell's panel and on its own page. */
export function NotificationList({ heading: Heading, onFollow }: Props) {
  const { unread, isDown } = useLive();
  const list = useInfiniteQuery({ ...notificationsQuery, retryOnMount: true });
  const { items, hasMore } = firstItems(list.data ?? { pages: [] });
  const keys = keysOf(items);
  const markRead = useMarkRead();
  const loadFailure = list.isFetching ? null : list.error;
  const failure = loadFailure ?? markRead.error;
  const retry = () => void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch());
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
          <button type="button" className="btn btn-ghost btn-sm" onClick={() => markRead.mutate(undefined)}>
            Mark all as read
          </button>
        )}
      </div>
      {isDown && (
        <p className="quiet text-sm">Reconnecting… New notifications appear once you are connected again.</p>
      )}
      {failure && (
        <Note icon={<CloudOff className="size-6" />} role="alert">
          <p>{problemText(failure)}</p>
          {loadFailure && (
            <button type="button" className="btn btn-outline btn-sm" onClick={retry}>
              Try again
            </button>
          )}
        </Note>
      )}
      {list.isLoading && <Spinner label="Loading your notifications" />}
      {list.data && items.length === 0 && (
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
                    key={keys.get(item)}
                    notification={item}
                    isToday={name === "Today"}
                    onFollow={() => {
                      if (!item.read) markRead.mutate([item._id]);
                      onFollow?.();
                    }}
                  />
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
      {hasMore && !loadFailure && (
        <LoadMoreButton
          text="Load more"
          busy={list.isFetchingNextPage}
          className="btn-block btn-outline btn-sm"
          onClick={() => void list.fetchNextPage()}
        />
      )}
    </div>
  );
}

/** Keys by which one that replaces an earlier one about the same keeps its element, and with it the focus. */
function keysOf(newestFirst: readonly Notification[]): Map<Notification, string> {
  const keys = new Map<string, Notification>();
  for (const one of newestFirst) {
    const topic = [one.kind, one.taskId, one.actor].join();
    keys.set(keys.has(topic) ? one._id : topic, one);
  }
  return new Map([...keys].map(([key, one]) => [one, key]));
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
