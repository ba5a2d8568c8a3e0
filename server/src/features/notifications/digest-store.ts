import type { ObjectId } from "mongodb";
import { calendarDate } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { nextDigest } from "../../db/notices.ts";
import { suspendedOf } from "../../db/people.ts";
import { takingBids, VISIBLE } from "../../db/task-conditions.ts";
import { CLAIM_MS, idAt, type Reader } from "./mail-store.ts";

/** Older matches are in no digest. */
const STALE_MS = 48 * 3_600_000;
/** Matches that one digest is made of; more are in the app. */
const MAX_MATCHES = 100;

/** A person whose daily email this instance, and no other, sends now. */
export type ClaimedDigest = Pick<Reader, "_id" | "name" | "email"> & Partial<Reader> & { digestDueAt: Date };
/** A new task that is worth an email. */
export type DigestTask = Pick<TaskDoc, "_id" | "title" | "budget" | "deadline"> & { search: string };
export type Digest = { ids: ObjectId[]; tasks: DigestTask[] };

export type DigestStore = ReturnType<typeof digestStore>;

/** Who is to get new tasks of their saved searches in one email a day, and which. */
export function digestStore({
  people,
  notifications,
  savedSearches,
  suspensions,
  tasks,
}: Pick<Database, "people" | "notifications" | "savedSearches" | "suspensions" | "tasks">) {
  const unsent = (recipientId: string, now: Date) => ({
    recipientId,
    _id: { $gt: idAt(new Date(now.getTime() - STALE_MS)) },
    "mail.daily": true,
  });

  return {
    /** Claims the digest that has been due longest by `now`. @param at the moment of the claim. */
    async claim(now: Date, at: Date): Promise<ClaimedDigest | null> {
      const claimed = await people.findOneAndUpdate(
        { digestDueAt: { $lte: now } },
        { $set: { digestDueAt: new Date(at.getTime() + CLAIM_MS) } },
        { sort: { digestDueAt: 1 }, returnDocument: "after", ...READ_LIMITS },
      );
      return claimed as ClaimedDigest | null;
    },

    /**
     * What waits for it: of the tasks only those that are unread, still open, and of a search that is still wanted; none for
     * somebody who is suspended.
     */
    async read(recipientId: string, now: Date): Promise<Digest> {
      const found = await notifications
        .find(unsent(recipientId, now), { sort: { _id: 1 }, limit: MAX_MATCHES, ...READ_LIMITS })
        .toArray();
      const unread = found.filter(({ readAt }) => readAt === null);
      const [suspended, wanted, open] = await Promise.all([
        suspendedOf({ suspensions }, [recipientId]),
        savedSearches
          .find({ ownerId: recipientId, paused: false, mail: { $ne: "never" } }, READ_LIMITS)
          .toArray(),
        tasks
          .find<Omit<DigestTask, "search">>(
            {
              _id: { $in: unread.map(({ taskId }) => taskId) },
              ...takingBids(calendarDate(now)),
              ...VISIBLE,
            },
            { projection: { title: 1, budget: 1, deadline: 1 }, hint: "_id_", ...READ_LIMITS },
          )
          .toArray(),
      ]);
      const names = new Map(wanted.map(({ _id, name }) => [_id.toHexString(), name]));
      const byId = new Map(open.map((task) => [task._id.toHexString(), task]));
      const toTask = ({ taskId, searchId }: NotificationDoc): DigestTask[] => {
        const task = byId.get(taskId.toHexString());
        const search = searchId && names.get(searchId.toHexString());
        return task && search !== undefined ? [{ ...task, search }] : [];
      };
      const isSuspended = suspended.has(recipientId);
      return { ids: found.map(({ _id }) => _id), tasks: isSuspended ? [] : unread.flatMap(toTask) };
    },

    /** Ends it. What came meanwhile is for the next one. */
    async finish({ _id, digestDueAt }: ClaimedDigest, ids: readonly ObjectId[], now: Date): Promise<void> {
      await notifications.updateMany(
        { recipientId: _id, _id: { $in: [...ids] } },
        { $unset: { "mail.daily": true } },
      );
      await people.updateOne({ _id, digestDueAt }, { $unset: { digestDueAt: true } });
      // Whoever is told between the two updates found it still due, and set nothing.
      const isLeft = await notifications.countDocuments(unsent(_id, now), { limit: 1, ...READ_LIMITS });
      if (isLeft === 0) return;
      const isUnset = { _id, digestDueAt: { $exists: false } };
      await people.updateOne(isUnset, { $set: { digestDueAt: nextDigest(now) } });
    },

    /** Releases the claim for a retry at that time. */
    async retryAt({ _id, digestDueAt }: ClaimedDigest, at: Date): Promise<void> {
      await people.updateOne({ _id, digestDueAt }, { $set: { digestDueAt: at } });
    },
  };
}
