import { type Filter, type FindOptions, ObjectId } from "mongodb";
import { type Notification, notificationSchema, type ReadNotifications } from "../../contract/index.ts";
import type { Database, PageStart } from "../../db/client.ts";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import { withoutHiddenTitles } from "../../domain/hidden-titles.ts";
import { type Presented, pick } from "../../domain/present.ts";

/** Beyond this number the exact count of unread notifications does not matter. */
const MAX_COUNTED = 1_000;

export type NotificationStore = ReturnType<typeof notificationStore>;

/**
 * Reads notifications and marks them as read. Every filter names the recipient. The title of a task that was hidden
 * since is returned only to the task's client and freelancer.
 */
export function notificationStore(database: Database) {
  const { notifications, people } = database;
  const read = async (recipientId: string, filter: Filter<NotificationDoc>, options: FindOptions) =>
    withoutHiddenTitles(
      database,
      await notifications.find({ recipientId, ...filter }, options).toArray(),
      () => recipientId,
    );

  return {
    /** A page, newest first. */
    list(recipientId: string, { after, limit }: PageStart) {
      const further = after ? { _id: { $lt: new ObjectId(after[1]) } } : {};
      return read(recipientId, further, { sort: { _id: -1 }, limit });
    },

    /** Notifications after this id, oldest first. */
    after(recipientId: string, { id, limit }: { id: ObjectId; limit: number }): Promise<NotificationDoc[]> {
      return read(recipientId, { _id: { $gt: id } }, { sort: { _id: 1 }, limit });
    },

    /** Photos of the people who caused these notifications, by uid. */
    async actorImages(docs: readonly NotificationDoc[]): Promise<Map<string, string | undefined>> {
      const uids = docs.flatMap(({ actorId }) => actorId ?? []);
      if (uids.length === 0) return new Map();
      const filter = { _id: { $in: uids }, image: { $exists: true } };
      const found = await people.find(filter, { projection: { image: 1 } }).toArray();
      return new Map(found.map(({ _id, image }) => [_id, image]));
    },

    /** The number of unread notifications, at most a thousand. */
    countUnread(recipientId: string): Promise<number> {
      const unread = { recipientId, readAt: null };
      return notifications.countDocuments(unread, { limit: MAX_COUNTED });
    },

    /** Marks these as read, or all up to one. @returns how many were unread. */
    async markRead(recipientId: string, { ids, upTo }: ReadNotifications, now: Date): Promise<number> {
      const these = ids && { $in: ids.map((id) => new ObjectId(id)) };
      const earlier = upTo && { $lte: new ObjectId(upTo) };
      const filter = {
        recipientId,
        readAt: null,
        ...((these || earlier) && { _id: { ...these, ...earlier } }),
      };
      const change = { $set: { readAt: now, readBy: recipientId } };
      return database.write(async () => (await notifications.updateMany(filter, change)).modifiedCount);
    },
  };
}

/** A notification as its recipient sees it: without uids, keys and the state of its email. */
export function presentNotification(doc: NotificationDoc, actorImage?: string): Presented<Notification> {
  return { ...pick(doc, notificationSchema), actorImage, read: doc.readAt !== null };
}
