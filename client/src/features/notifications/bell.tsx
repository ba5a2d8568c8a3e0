import { useQueryClient } from "@tanstack/react-query";
import type { Notification } from "@tasklane/server/contract";
import { Bell as BellIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "react-router-dom";
import { useApi } from "../../lib/api-context.tsx";
import { meQuery } from "../../lib/me.ts";
import { paths } from "../../lib/paths.ts";
import { notify } from "../../ui/notify.tsx";
import { Panel } from "../../ui/panel.tsx";
import { sentenceOf } from "./notification-item.tsx";
import { NotificationList } from "./notification-list.tsx";
import { useNotifications } from "./use-notifications.ts";

/** The bell in both top bars: the unread count, announcements of new notifications, and the list in a panel. */
export function Bell({ uid }: { uid: string }) {
  const notifications = useNotifications(uid);
  const unread = notifications.unread ?? 0;

  const { load, disconnected, unread: known } = notifications;
  useEffect(() => {
    // Without the stream the count would stay unknown.
    if (disconnected && known === null) void load();
  }, [disconnected, known, load]);

  const queryClient = useQueryClient();
  const { queryKey } = meQuery(useApi());
  useEffect(() => {
    if (known !== null) queryClient.setQueryData(queryKey, (me) => me && { ...me, unread: known });
  }, [known, queryClient]);

  return (
    <>
      <Panel
        title="Notifications"
        label={unread > 0 ? `Notifications, ${unread} unread` : "Notifications"}
        button={
          <span className="indicator">
            <BellIcon aria-hidden="true" className="size-5" />
            {unread > 0 && (
              <span
                aria-hidden="true"
                className="indicator-item badge min-w-5 px-1 font-semibold tabular-nums badge-sm badge-error"
              >
                {unread > 99 ? "99+" : unread}
              </span>
            )}
          </span>
        }
        onOpen={() => void load()}
      >
        {(close) => (
          <>
            <NotificationList heading="h3" notifications={notifications} onFollow={close} />
            <Link
              to={paths.notifications}
              className="link block text-center text-sm link-primary"
              onClick={close}
            >
              See all notifications
            </Link>
          </>
        )}
      </Panel>
      <Announcement arrived={notifications.arrived} uid={uid} />
    </>
  );
}

/** How many ids of announced notifications are kept per tab. */
const MAX_ANNOUNCED = 50;

/** Announces new notifications to screen readers, each once; being hired also shows a toast. */
function Announcement({ arrived, uid }: { arrived: readonly Notification[]; uid: string }) {
  const [announced, setAnnounced] = useState<readonly Notification[]>([]);

  useEffect(() => {
    // When the stream reconnects, for example after a reload, several arrive at once, and those of the last minute again.
    const unannounced = arrived.filter(({ _id, read }) => !read && isFirstTime(uid, _id));
    if (unannounced.length === 0) return;
    setAnnounced(unannounced);
    for (const notification of unannounced)
      if (notification.kind === "awarded")
        notify.success(sentenceOf(notification), { topic: `awarded-${notification._id}` });
  }, [arrived, uid]);

  return (
    <div role="status" className="sr-only">
      {announced.map((notification) => (
        // New elements, because a screen reader would not read an unchanged text again.
        <p key={notification._id}>{sentenceOf(notification)}</p>
      ))}
    </div>
  );
}

/** The ids of those announced since the page was loaded, in case storage is blocked. */
const announcedHere = new Set<string>();

function isFirstTime(uid: string, id: string): boolean {
  if (announcedHere.has(id)) return false;
  announcedHere.add(id);
  const key = `tasklane.announced.${uid}`;
  try {
    const announced = (sessionStorage.getItem(key) ?? "").split(",");
    if (announced.includes(id)) return false;
    sessionStorage.setItem(key, [id, ...announced].slice(0, MAX_ANNOUNCED).join(","));
  } catch {
    // Without storage it may be announced again after a reload.
  }
  return true;
}
