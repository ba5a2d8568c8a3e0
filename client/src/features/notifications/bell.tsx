import { useQueryClient } from "@tanstack/react-query";
import { Bell as BellIcon } from "lucide-react";
import { useEffect } from "react";
import { Link } from "react-router-dom";
import { useApi } from "../../lib/api-context.tsx";
import { useLive } from "../../lib/live.ts";
import { paths } from "../../lib/paths.ts";
import { Panel } from "../../ui/panel.tsx";
import { NotificationList } from "./notification-list.tsx";
import { notificationsQuery } from "./notification-queries.ts";

/** The bell in both top bars: the unread count, and the list in a panel. */
export function Bell() {
  const { unread: known, isDown } = useLive();
  const unread = known ?? 0;

  const api = useApi();
  const queryClient = useQueryClient();
  useEffect(() => {
    // Without the stream the count would stay unknown.
    if (isDown && known === null)
      void queryClient.prefetchInfiniteQuery(notificationsQuery(api, queryClient));
  }, [isDown, known, api, queryClient]);

  return (
    <Panel
      title="Notifications"
      label={unread > 0 ? `Notifications, ${unread} unread` : "Notifications"}
      button={
        <span className="indicator">
          <BellIcon className="size-5" />
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
    >
      {(close) => (
        <>
          <NotificationList heading="h3" onFollow={close} />
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
  );
}
