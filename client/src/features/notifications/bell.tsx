import { useInfiniteQuery } from "@tanstack/react-query";
import { Bell as BellIcon } from "lucide-react";
import { startTransition, type ToggleEvent, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { useLive } from "../../lib/live.ts";
import { paths } from "../../lib/paths.ts";
import { CloseIcon, DialogHeader, PHONE_SCREEN } from "../../ui/dialog.tsx";
import { keepFocusWithin } from "../../ui/focus-keeper.ts";
import { usePopover } from "../../ui/use-popover.ts";
import { NotificationList, notificationsQuery } from "./notification-list.tsx";

const PANEL = "notifications";
const HEADING = "notifications-heading";

/**
 * The bell in both top bars: the unread count, and the list in a panel below it (full-screen on phones). The browser's
 * popover closes on Escape or a click outside and restores focus. A modal dialog would recalculate the styles of the
 * whole page on each opening, a third of a second on a slow phone.
 */
export function Bell() {
  const { unread: known, isDown } = useLive();
  const unread = known ?? 0;
  const count = unread > 99 ? "99+" : unread;
  const trigger = useRef<HTMLButtonElement>(null);
  const panel = usePopover<HTMLDivElement>();
  const [isOpen, setOpen] = useState(false);
  // Without the stream the count would stay unknown.
  useInfiniteQuery({ ...notificationsQuery, enabled: isDown && known === null });

  const onToggle = ({ newState, currentTarget }: ToggleEvent<HTMLDivElement>) => {
    if (newState === "open") currentTarget.focus();
    // Safari does not focus a clicked button, so it cannot restore its focus.
    else if (document.activeElement === document.body) trigger.current?.focus();
  };

  return (
    <>
      <button
        ref={trigger}
        type="button"
        className="btn btn-square btn-ghost"
        popoverTarget={PANEL}
        aria-haspopup="dialog"
        aria-label={unread > 0 ? `Notifications, ${count} unread` : "Notifications"}
      >
        <span className="indicator">
          <BellIcon className="size-5" />
          {unread > 0 && (
            <span
              aria-hidden="true"
              className="indicator-item badge min-w-5 px-1 font-semibold tabular-nums badge-sm badge-error"
            >
              {count}
            </span>
          )}
        </span>
      </button>
      <div
        ref={panel}
        id={PANEL}
        popover="auto"
        role="dialog"
        aria-labelledby={HEADING}
        tabIndex={-1}
        className={`popover max-h-[min(40rem,calc(100dvh-6rem))] w-96 not-short:scroll-pt-24 overscroll-contain outline-none max-sm:inset-0 max-sm:m-0 max-sm:[position-area:none] ${PHONE_SCREEN}`}
        // A transition, so that a slow phone shows the panel before the list has rendered.
        onBeforeToggle={({ newState }) => startTransition(() => setOpen(newState === "open"))}
        onToggle={onToggle}
      >
        <DialogHeader id={HEADING} title="Notifications">
          <button
            type="button"
            className="btn btn-square btn-ghost btn-sm"
            aria-label="Close"
            popoverTarget={PANEL}
            popoverTargetAction="hide"
          >
            <CloseIcon />
          </button>
        </DialogHeader>
        {isOpen && (
          <div ref={keepFocusWithin} className="space-y-4 p-5">
            <NotificationList heading="h3" />
            <Link to={paths.notifications} className="link block text-center text-sm link-primary">
              See all notifications
            </Link>
          </div>
        )}
      </div>
    </>
  );
}
