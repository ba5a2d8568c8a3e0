import type { ObjectId } from "mongodb";
import { calendarDate } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { DIGESTS, type DigestKind } from "../../domain/notify.ts";
import { suspendedOf } from "../../domain/people.ts";
import { LISTED, takingBids } from "../../domain/task-conditions.ts";
import { CLAIM_MS, idAt, type Reader } from "./mail-store.ts";

/** Older matches are left out of digests. */
const STALE_MS = 48 * 3_600_000;
/** Matches in one digest; further ones are left for the next. */
const MAX_MATCHES = 100;

/** A person whose email only this instance may send now. */
export type ClaimedDigest = Pick<Reader, "_id" | "name" | "email"> & Partial<Reader> & { dueAt: Date };
/** A new task in a digest, with the saved search it matches. */
export type DigestTask = Pick<TaskDoc, "_id" | "title" | "budget" | "deadline"> & {
  search: string;
  searchId: string;
};
export type Digest = { ids: ObjectId[]; tasks: DigestTask[] };

export type DigestStore = ReturnType<typeof digestStore>;

/** Whose email about new tasks for their saved searches is due, and which tasks it lists. */
export function digestStore(database: Database, kind: DigestKind) {
  const { people, notifications, savedSearches, tasks } = database;
  const { dueField, first, next } = DIGESTS[kind];
  const unsent = (recipientId: string, now: Date) => ({
    recipientId,
    _id: { $gt: idAt(new Date(now.getTime() - STALE_MS)) },
    "mail.digest": kind,
  });

  return {
    /** Claims the digest that has been due longest by `now`. @param at when the claim is made. */
    async claim(now: Date, at: Date): Promise<ClaimedDigest | null> {
      const claimed = await people.findOneAndUpdate(
        { [dueField]: { $lte: now } },
        { $set: { [dueField]: new Date(at.getTime() + CLAIM_MS) } },
        { sort: { [dueField]: 1 }, returnDocument: "after", ...READ_LIMITS },
      );
      return claimed && ({ ...claimed, dueAt: claimed[dueField] } as ClaimedDigest);
    },

    /**
     * The matches not emailed yet, and the tasks to list: unread, still open and of a search still active; none if the
     * person is suspended.
     */
    async read(recipientId: string, now: Date): Promise<Digest> {
      const found = await notifications
        .find(unsent(recipientId, now), { sort: { _id: 1 }, limit: MAX_MATCHES, ...READ_LIMITS })
        .toArray();
      const unread = found.filter(({ readAt }) => readAt === null);
      const [suspended, wanted, open] = await Promise.all([
        suspendedOf(database, [recipientId]),
        savedSearches
          .find({ ownerId: recipientId, paused: false, mail: { $ne: "never" } }, READ_LIMITS)
          .toArray(),
        tasks
          .find<Omit<DigestTask, "search" | "searchId">>(
            {
              _id: { $in: unread.map(({ taskId }) => taskId) },
              ...takingBids(calendarDate(now)),
              ...LISTED,
            },
            { projection: { title: 1, budget: 1, deadline: 1 }, hint: "_id_", ...READ_LIMITS },
          )
          .toArray(),
      ]);
      const names = new Map(wanted.map(({ _id, name }) => [_id.toHexString(), name]));
      const byId = new Map(open.map((task) => [task._id.toHexString(), task]));
      const toTask = ({ taskId, searchId }: NotificationDoc): DigestTask[] => {
        const task = byId.get(taskId.toHexString());
        const id = searchId?.toHexString() ?? "";
        const search = names.get(id);
        return task && search !== undefined ? [{ ...task, search, searchId: id }] : [];
      };
      const isSuspended = suspended.has(recipientId);
      return { ids: found.map(({ _id }) => _id), tasks: isSuspended ? [] : unread.flatMap(toTask) };
    },

    /** Completes the digest. Matches stored in the meantime are left for the next one, an hour or a day later. */
    async finish({ _id, dueAt }: ClaimedDigest, { ids, tasks }: Digest, now: Date): Promise<void> {
      await notifications.updateMany(
        { recipientId: _id, _id: { $in: [...ids] } },
        { $unset: { "mail.digest": true } },
      );
      const own = { _id, [dueField]: dueAt };
      if (kind === "at-once" && tasks.length > 0)
        return void (await people.updateOne(own, { $set: { [dueField]: next(now) } }));
      await people.updateOne(own, { $unset: { [dueField]: true } });
      // A match stored between the two updates found this digest still due, and so scheduled no new one.
      const remaining = await notifications.countDocuments(unsent(_id, now), { limit: 1, ...READ_LIMITS });
      if (remaining === 0) return;
      const unscheduled = { _id, [dueField]: { $exists: false } };
      await people.updateOne(unscheduled, { $set: { [dueField]: first(now) } });
    },

    /** Releases the claim for a retry at that time. */
    async retryAt({ _id, dueAt }: ClaimedDigest, at: Date): Promise<void> {
      await people.updateOne({ _id, [dueField]: dueAt }, { $set: { [dueField]: at } });
    },
  };
}
