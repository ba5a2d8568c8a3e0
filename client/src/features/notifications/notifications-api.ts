import { type Notification, notificationListSchema, updateResponseSchema } from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";
import { type Page, pageOf } from "../../lib/pages.ts";

const PAGE = "20";

/** One page of the signed-in person's notifications, newest first, and how many are unread in all. */
type NotificationPage = Page<Notification> & { unread: number | null };

/** GET /me/notifications. */
export async function listNotifications(api: Api, cursor?: string): Promise<NotificationPage> {
  const answer = await api.call("/me/notifications", {
    schema: notificationListSchema,
    query: { limit: PAGE, cursor },
    auth: "required",
  });
  const unread = answer.headers.get("X-Unread-Count");
  return { ...pageOf(answer), unread: unread === null ? null : Number(unread) };
}

/** POST /me/notifications/read: these, or all. */
export async function markRead(api: Api, ids?: string[]): Promise<void> {
  await api.call("/me/notifications/read", {
    method: "POST",
    body: ids ? { ids } : {},
    schema: updateResponseSchema,
    auth: "required",
  });
}
