import { ObjectId } from "mongodb";
import type { Database } from "../../db/client.ts";
import type { NotificationDoc } from "../../db/collections.ts";
import { currentRequest } from "../../db/request-context.ts";

export type NotificationStore = ReturnType<typeof notificationStore>;

/** Reads people's notifications, and marks them as read. Every filter names whose they are. */
export function notificationStore({ notifications }: Pick<Database, "notifications">) {
  return {
    /** A page, newest first. @param before id of the last one of the page before. */
    list(recipientId: string, { before, limit }: { before?: ObjectId | undefined; limit: number }) {
      const filter = { recipientId, ...(before && { _id: { $lt: before } }) };
      const options = { sort: { _id: -1 }, limit, ...READ_LIMITS } as const;
      return notifications.find(filter, options).toArray();
    },

    /** Those after this id, oldest first. */
    after(recipientId: string, { id, limit }: { id: ObjectId; limit: number }): Promise<NotificationDoc[]> {
      const options = { sort: { _id: 1 }, limit, ...READ_LIMITS } as const;
      return notifications.find({ recipientId, _id: { $gt: id } }, options).toArray();
    },

    countUnread(recipientId: string): Promise<number> {
      return notifications.countDocuments({ recipientId, readAt: null }, READ_LIMITS);
    },

    /** Marks these as read, or all. @returns how many were unread. */
    async markRead(recipientId: string, ids: readonly string[] | undefined, now: Date): Promise<number> {
      const these = ids && { _id: { $in: ids.map((id) => new ObjectId(id)) } };
      const filter = { recipientId, readAt: null, ...these };
      const change = { $set: { readAt: now, readBy: recipientId } };
      // In no transaction, however the request came: there may be many, and to mark them twice changes nothing.
      currentRequest()?.beginWrite();
      return (await notifications.updateMany(filter, change)).modifiedCount;
    },
  };
}

const READ_LIMITS = { maxTimeMS: 4_000 } as const;
