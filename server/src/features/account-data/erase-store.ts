import type { Collection, Filter, ObjectId } from "mongodb";
import type { Database } from "../../db/client.ts";
import type { ClosureDoc } from "../../db/collections.ts";
import { FORMER_MEMBER } from "../../db/former-member.ts";
import { READ_LIMITS } from "../../db/mongo.ts";

export type EraseStore = ReturnType<typeof eraseStore>;

const BATCH = 500;

/**
 * Takes somebody out of what stays, and deletes what was for them alone. Each batch leaves less for the next one, so a
 * deletion that broke off goes on where it stopped.
 */
export function eraseStore({
  tasks,
  reviews,
  reports,
  notifications,
  announcements,
  idempotencyKeys,
  people,
}: Pick<
  Database,
  "tasks" | "reviews" | "reports" | "notifications" | "announcements" | "idempotencyKeys" | "people"
>) {
  return {
    /** From awards: the client keeps what was agreed, not with whom. Bids go first, so that no award is added. */
    async fromAwards({ _id: uid, alias, until }: ClosureDoc): Promise<void> {
      const filter = { "award.freelancerId": uid, "award.at": { $lt: until } };
      const erased = { "award.freelancerId": alias, "award.name": FORMER_MEMBER, "award.email": "" };
      await inBatches(tasks, filter, (ids) =>
        tasks.updateMany({ ...ids, ...filter }, { $set: erased, $inc: { bidsRevision: 1 } }),
      );
    },

    async fromReviews({ _id: uid, alias, until }: ClosureDoc): Promise<void> {
      const createdAt = { $lt: until };
      const written = { $set: { authorId: alias, authorName: FORMER_MEMBER, anonymous: true as const } };
      await inBatches(reviews, { authorId: uid, createdAt }, (ids) =>
        reviews.updateMany({ ...ids, authorId: uid }, { ...written, $unset: { authorImage: true } }),
      );
      // What others wrote stays theirs; only nobody can tell any more whom it is about.
      await inBatches(reviews, { subjectId: uid, createdAt }, (ids) =>
        reviews.updateMany({ ...ids, subjectId: uid }, { $set: { subjectId: alias } }),
      );
    },

    async fromReports({ _id: reporterId, alias, until }: ClosureDoc): Promise<void> {
      await inBatches(reports, { reporterId, createdAt: { $lt: until } }, (ids) =>
        reports.updateMany(ids, { $set: { reporterId: alias, reporterName: FORMER_MEMBER } }),
      );
    },

    /** Their own go; in other people's they lose their name. */
    async fromNotifications({ _id: uid, until }: ClosureDoc): Promise<void> {
      const createdAt = { $lt: until };
      const nameless = { $set: { actor: FORMER_MEMBER }, $unset: { actorId: true } } as const;
      // Those first: what is told from now on is nameless from the beginning.
      await announcements.updateMany({ actorId: uid, createdAt }, nameless);
      await inBatches(notifications, { actorId: uid, createdAt }, (ids) =>
        notifications.updateMany(ids, nameless),
      );
      await inBatches(notifications, { recipientId: uid, createdAt }, (ids) => notifications.deleteMany(ids));
    },

    /** The keys of their last requests lead to what these created. */
    async fromKeys({ _id: personId, until }: ClosureDoc): Promise<void> {
      await inBatches(idempotencyKeys, { personId, createdAt: { $lt: until } }, (ids) =>
        idempotencyKeys.deleteMany(ids),
      );
    },

    /** @returns whether the product knew them until now. */
    async fromPeople({ _id, until }: ClosureDoc): Promise<boolean> {
      const { deletedCount } = await people.deleteOne({ _id, memberSince: { $lt: until } });
      return deletedCount > 0;
    },
  };
}

/** Changes all documents of a filter, some hundred at a time; each change takes them out of the filter. */
async function inBatches<T extends { _id: ObjectId }>(
  collection: Collection<T>,
  filter: Filter<T>,
  change: (batch: { _id: { $in: ObjectId[] } }) => Promise<unknown>,
): Promise<void> {
  for (;;) {
    const options = { projection: { _id: 1 }, limit: BATCH, ...READ_LIMITS };
    const found = await collection.find<{ _id: ObjectId }>(filter, options).toArray();
    if (found.length === 0) return;
    await change({ _id: { $in: found.map(({ _id }) => _id) } });
  }
}
