import { ObjectId } from "mongodb";
import type { Notification, PageQuery } from "../../contract/index.ts";
import type { NotificationDoc } from "../../db/collections.ts";
import { readPageCursor, writePageCursor } from "../../http/page-cursor.ts";
import type { NotificationStore } from "./notification-store.ts";
import { presentNotification } from "./present-notification.ts";

/** `next` is the cursor of the page after this one, if there is one; `unread` counts all pages. */
export type NotificationPage = { notifications: Notification[]; unread: number; next?: string };

const PAGE_SIZE = 20;

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
  const place = readPageCursor(list, query.cursor);
  const before = place && new ObjectId(place.id);
  const [found, unread] = await Promise.all([
    // One more than asked for tells whether there is a next page.
    store.list(recipientId, { before, limit: limit + 1 }),
    store.countUnread(recipientId),
  ]);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    notifications: page.map(presentNotification),
    unread,
    ...(last && found.length > limit && { next: writePageCursor(list, placeOf(last)) }),
  };
}

function placeOf({ _id, createdAt }: NotificationDoc) {
  return { at: createdAt.toISOString(), id: _id.toHexString() };
}
