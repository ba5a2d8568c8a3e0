import { Bell as BellIcon, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { keepFocusWithin } from "../../ui/focus-keeper.ts";
import { Arrival } from "./arrival.tsx";
import { NotificationList } from "./notification-list.tsx";
import { useInbox } from "./use-inbox.ts";

/** The bell of both top bars: how many notifications are unread, what arrives, and the list. */
export function Bell({ uid }: { uid: string }) {
  const inbox = useInbox(uid);
  const [open, setOpen] = useState(false);
  const panel = useRef<HTMLDialogElement>(null);
  const { key } = useLocation();
  const unread = inbox.unread ?? 0;

  // Going anywhere closes the panel.
  useEffect(() => panel.current?.close(), [key]);

  useEffect(() => (panel.current ? keepFocusWithin(panel.current) : undefined), []);

  const { load, troubled, unread: known } = inbox;
  useEffect(() => {
    // Without the stream the count would stay unknown.
    if (troubled && known === null) void load();
  }, [troubled, known, load]);

  const show = () => {
    panel.current?.showModal();
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
        <span className="relative">
          <BellIcon aria-hidden="true" className="size-5" />
          {unread > 0 && (
            <span
              aria-hidden="true"
              className="absolute -top-2.5 left-2.5 min-w-5 rounded-full bg-error px-1 text-center text-xs leading-5 font-semibold text-error-content tabular-nums"
            >
              {unread > 99 ? "99+" : unread}
            </span>
          )}
        </span>
      </button>
      <Arrival notification={inbox.arrived} uid={uid} />
      {/* Modal, so that focus stays inside, Escape closes it and focus returns; looks like a popover where there is room. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the panel closes it; by keyboard Escape does, without our help. */}
      <dialog
        ref={panel}
        aria-label="Notifications"
        className="surface m-0 max-h-none max-w-none flex-col overflow-hidden p-0 text-base-content shadow-lift backdrop:bg-black/30 open:flex max-sm:h-dvh max-sm:w-dvw max-sm:rounded-none max-sm:border-0 sm:top-17 sm:right-4 sm:left-auto sm:max-h-[min(40rem,calc(100dvh-6rem))] sm:w-96 sm:max-w-[calc(100dvw-2rem)] sm:backdrop:bg-transparent"
        onClose={() => setOpen(false)}
        onClick={(event) => event.target === event.currentTarget && panel.current?.close()}
      >
        <div className="flex items-center justify-between gap-4 border-b border-base-300 px-5 py-3">
          <h2 className="text-lg font-semibold">Notifications</h2>
          <button
            type="button"
            className="btn btn-square btn-ghost btn-sm"
            aria-label="Close"
            onClick={() => panel.current?.close()}
          >
            <X aria-hidden="true" className="size-5" />
          </button>
        </div>
        {open && (
          <div className="grow overflow-y-auto px-5 py-3">
            <NotificationList inbox={inbox} onFollow={() => panel.current?.close()} />
            <Link
              to={paths.notifications}
              className="mt-3 link block text-center text-sm link-primary"
              onClick={() => panel.current?.close()}
            >
              See all on a page
            </Link>
          </div>
        )}
      </dialog>
    </>
  );
}
