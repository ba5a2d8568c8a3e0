import { useEffect } from "react";
import { useAuth } from "../../auth/session.tsx";
import { PageHeading, PageMeta } from "../../ui/page-head.tsx";
import { NotificationList } from "./notification-list.tsx";
import { useNotifications } from "./use-notifications.ts";

/** The page of all notifications. */
export function Component() {
  const { user } = useAuth();
  return (
    <div className="max-w-3xl space-y-6">
      <PageMeta title="Notifications" />
      <PageHeading title="Notifications" />
      {user && <Notifications uid={user.uid} />}
    </div>
  );
}

function Notifications({ uid }: { uid: string }) {
  const notifications = useNotifications(uid);
  const { load } = notifications;
  useEffect(() => void load(), [load]);
  return (
    <div className="card p-4 sm:p-6">
      <NotificationList heading="h2" notifications={notifications} />
    </div>
  );
}
