import { Bell as BellIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Arrival } from "./arrival.tsx";
import { NotificationList } from "./notification-list.tsx";
import { useInbox } from "./use-inbox.ts";

/** The bell of both top bars: how many notifications are unread, what arrives, and the list. */
export function Bell({ uid }: { uid: string }) {
  const inbox = useInbox(uid);
  const [open, setOpen] = useState(false);
  const { key } = useLocation();
  const unread = inbox.unread ?? 0;

  const close = () => setOpen(false);

  // Going anywhere closes the panel.
  useEffect(() => setOpen(false), [key]);

  const { load, troubled, unread: known } = inbox;
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
      <Arrival notification={inbox.arrived} uid={uid} />
      <Dialog title="Notifications" open={open} onClose={close} shape="panel">
        <NotificationList inbox={inbox} onFollow={close} />
        <Link
          to={paths.notifications}
          className="link block text-center text-sm link-primary"
          onClick={close}
        >
          See all on a page
        </Link>
      </Dialog>
    </>
  );
}
