import type { Notification } from "@tasklane/server/contract";
import { Bell as BellIcon } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "react-router-dom";
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
      <Announcement notification={notifications.arrived} uid={uid} />
    </>
  );
}

/** How many ids of announced notifications are kept per tab. */
const MAX_ANNOUNCED = 50;

/** Announces new notifications to screen readers, each once; being hired also shows a toast. */
function Announcement({ notification, uid }: { notification: Notification | null; uid: string }) {
  const [text, setText] = useState<ReactNode>("");

  useEffect(() => {
    // The stream repeats the last minute whenever it reconnects, for example after a reload.
    if (!notification || notification.read || !isFirstTime(uid, notification._id)) return;
    const sentence = sentenceOf(notification);
    setText(sentence);
    if (notification.kind === "awarded") notify.success(sentence, { topic: `awarded-${notification._id}` });
  }, [notification, uid]);

  return (
    <span role="status" className="sr-only">
      {text}
    </span>
  );
}

function isFirstTime(uid: string, id: string): boolean {
  const key = `tasklane.said.${uid}`;
  try {
    const announced = (sessionStorage.getItem(key) ?? "").split(",");
    if (announced.includes(id)) return false;
    sessionStorage.setItem(key, [id, ...announced].slice(0, MAX_ANNOUNCED).join(","));
  } catch {
    // Without storage it may be announced twice.
  }
  return true;
}
