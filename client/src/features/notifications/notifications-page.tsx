import { PageHeading } from "../../ui/page-head.tsx";
import { NotificationList } from "./notification-list.tsx";

/** The page of all notifications. */
export function Component() {
  return (
    <div className="max-w-3xl space-y-6">
      <PageHeading title="Notifications" />
      <div className="card p-4 sm:p-6">
        <NotificationList heading="h2" />
      </div>
    </div>
  );
}
