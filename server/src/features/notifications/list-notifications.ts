import { ObjectId } from "mongodb";
import * as z from "zod/mini";
import type { Notification, PageQuery } from "../../contract/index.ts";
import { cutPage, idKey, instantKey, readCursor, writeCursor } from "../../http/pagination.ts";
import type { NotificationStore } from "./notification-store.ts";
import { presentNotification } from "./present-notification.ts";

/** `next` is the cursor of the page after this one, if there is one; `unread` counts all pages. */
export type NotificationPage = { notifications: Notification[]; unread: number; next?: string };

const PAGE_SIZE = 20;
const placeSchema = z.tuple([instantKey, idKey]);

/**
 * One page of a person's notifications, newest first.
 * @throws {ProblemError} `invalid-cursor`.
 */
export async function listNotifications(
  store: NotificationStore,
  recipientId: string,
  query: PageQuery,
): Promise<NotificationPage> {
  const limit = query.limit === undefined ? PAGE_SIZE : Number(query.limit);
  const list = `notifications ${recipientId}`;
  const place = readCursor(list, query.cursor, placeSchema);
  const before = place && new ObjectId(place[1]);
  const [found, unread] = await Promise.all([
    store.list(recipientId, { before, limit: limit + 1 }),
    store.countUnread(recipientId),
  ]);
  const { page, last } = cutPage(found, limit);
  return {
    notifications: page.map(presentNotification),
    unread,
    ...(last && { next: writeCursor(list, [last.createdAt.toISOString(), last._id.toHexString()]) }),
  };
}
