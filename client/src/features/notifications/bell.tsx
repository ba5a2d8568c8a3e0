import type { Notification } from "@tasklane/server/contract";
import { Bell as BellIcon } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { notify } from "../../ui/notify.tsx";
import { sentenceOf } from "./notification-item.tsx";
import { NotificationList } from "./notification-list.tsx";
import { useNotifications } from "./use-notifications.ts";

/** The bell of both top bars: how many notifications are unread, what arrives, and the list. */
export function Bell({ uid }: { uid: string }) {
  const notifications = useNotifications(uid);
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  const unread = notifications.unread ?? 0;

  const close = () => setOpen(false);

  // Another page closes the panel; a dialog that leaves the address of this page, a moment after it is gone, does not.
  useEffect(() => setOpen(false), [pathname]);

  const { load, troubled, unread: known } = notifications;
  useEffect(() => {
    // Without the stream the count would stay unknown.
    if (troubled && known === null) void load();
  }, [troubled, known, load]);

  const show = () => {
    setOpen(true);
    void load();
  };

  return (
    <>
      <button
        type="button"
        className="btn btn-square btn-ghost"
        aria-haspopup="dialog"
        aria-label={unread > 0 ? `Notifications, ${unread} unread` : "Notifications"}
        onClick={show}
      >
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
      </button>
      <Arrival notification={notifications.arrived} uid={uid} />
      <Dialog title="Notifications" open={open} onClose={close} shape="panel">
        <NotificationList heading="h3" notifications={notifications} onFollow={close} />
        <Link
          to={paths.notifications}
          className="link block text-center text-sm link-primary"
          onClick={close}
        >
          See all notifications
        </Link>
      </Dialog>
    </>
  );
}

/** So many are remembered as said. */
const MAX_SAID = 50;

/** Says what arrives while the page is open, once; being hired is worth a toast as well. */
function Arrival({ notification, uid }: { notification: Notification | null; uid: string }) {
  const [text, setText] = useState<ReactNode>("");

  useEffect(() => {
    // The stream repeats the last minute whenever it begins, after a reload for instance.
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
    const said = (sessionStorage.getItem(key) ?? "").split(",");
    if (said.includes(id)) return false;
    sessionStorage.setItem(key, [id, ...said].slice(0, MAX_SAID).join(","));
  } catch {
    // Without storage it may be said twice.
  }
  return true;
}
