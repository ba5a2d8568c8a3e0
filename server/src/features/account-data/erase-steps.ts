import type { Collection, Filter, ObjectId } from "mongodb";
import type { Announcer } from "../../db/announcements.ts";
import { type Database, drainBatches, READ_LIMITS } from "../../db/client.ts";
import type { OperatorActDoc } from "../../db/documents/operators.ts";
import { FORMER_MEMBER } from "../../db/notices.ts";
import { anonymizeBids, anonymizeTasks } from "./anonymize-work.ts";
import type { EraseStep } from "./closures.ts";
import { eraseMessages } from "./erase-messages.ts";

const BATCH = 500;

/**
 * All that somebody is taken out of, in this order. Each batch leaves less for the next one, so a deletion that broke off
 * goes on where it stopped.
 */
export function eraseSteps(database: Database, announcer: Pick<Announcer, "nudge">): EraseStep[] {
  const {
    tasks,
    questions,
    reviews,
    reports,
    timeline,
    notifications,
    announcements,
    savedTasks,
    operatorQueue,
    operatorLog,
    suspensions,
    idempotencyKeys,
    people,
    savedSearches,
  } = database;
  return [
    anonymizeTasks(database, announcer),
    anonymizeBids(database),

    // The client of an award keeps what was agreed, not with whom. Bids went first, so that no award is added.
    ({ _id: uid, alias, until }) => {
      const filter = { "award.freelancerId": uid, "award.at": { $lt: until } };
      const erased = { "award.freelancerId": alias, "award.name": FORMER_MEMBER, "award.email": "" };
      return inBatches(tasks, filter, (ids) =>
        tasks.updateMany({ ...ids, ...filter }, { $set: erased, $inc: { bidsRevision: 1 } }),
      );
    },

    // What nobody has answered goes; what stands on a task for everybody stays there, nobody's.
    ({ _id: askerId, alias, until }) =>
      inBatches(questions, { askerId, createdAt: { $lt: until } }, async (ids) => {
        await questions.deleteMany({ ...ids, answered: false });
        await questions.updateMany(ids, { $set: { askerId: alias } });
      }),

    // The questions on their tasks stay, with their answers.
    ({ _id: clientId, alias, until }) =>
      inBatches(questions, { clientId, createdAt: { $lt: until } }, (ids) =>
        questions.updateMany(ids, { $set: { clientId: alias } }),
      ),

    ({ _id: authorId, alias, until }) =>
      inBatches(reviews, { authorId, createdAt: { $lt: until } }, (ids) =>
        reviews.updateMany(
          { ...ids, authorId },
          {
            $set: { authorId: alias, authorName: FORMER_MEMBER, anonymous: true },
            $unset: { authorImage: true },
          },
        ),
      ),

    // What others wrote stays theirs; only nobody can tell any more whom it is about.
    ({ _id: subjectId, alias, until }) =>
      inBatches(reviews, { subjectId, createdAt: { $lt: until } }, (ids) =>
        reviews.updateMany({ ...ids, subjectId }, { $set: { subjectId: alias } }),
      ),

    // That something was delivered or asked for stays; what they said about it, and their links, go.
    ({ _id: clientId, alias, until }) =>
      inBatches(timeline, { clientId, at: { $lt: until } }, (ids) =>
        timeline.updateMany({ ...ids, clientId }, { $set: { clientId: alias }, $unset: { reason: true } }),
      ),
    ({ _id: freelancerId, alias, until }) =>
      inBatches(timeline, { freelancerId, at: { $lt: until } }, (ids) =>
        timeline.updateMany(
          { ...ids, freelancerId },
          { $set: { freelancerId: alias }, $unset: { note: true, links: true } },
        ),
      ),

    ({ _id: reporterId, alias, until }) =>
      inBatches(reports, { reporterId, createdAt: { $lt: until } }, (ids) =>
        reports.updateMany(ids, { $set: { reporterId: alias, reporterName: FORMER_MEMBER } }),
      ),

    // Nobody can tell any more whom it is about.
    ({ _id: personId, alias, until }) =>
      inBatches(reports, { personId, createdAt: { $lt: until } }, (ids) =>
        reports.updateMany(ids, { $set: { personId: alias } }),
      ),

    eraseMessages(database),
    // Before their notifications: whoever has none is told nothing more by them.
    ({ _id: ownerId, until }) =>
      inBatches(savedSearches, { ownerId, createdAt: { $lt: until } }, (ids) =>
        savedSearches.deleteMany(ids),
      ),

    // Before their notifications: from then on nothing is told that they saved a task for.
    ({ _id: personId, until }) =>
      inBatches(savedTasks, { personId, createdAt: { $lt: until } }, (ids) => savedTasks.deleteMany(ids)),

    ({ _id: personId, until }) =>
      inBatches(operatorQueue, { personId, createdAt: { $lt: until } }, (ids) =>
        operatorQueue.deleteMany(ids),
      ),

    // What operators did stays in their log; nobody can tell any more to whom, or who did it.
    async ({ _id: uid, alias, until }) => {
      const createdAt = { $lt: until };
      const person = { personId: alias, personName: FORMER_MEMBER };
      const operator = { operatorId: alias, operatorName: FORMER_MEMBER };
      const change = (set: Partial<OperatorActDoc>) => (ids: object) =>
        operatorLog.updateMany(ids, { $set: set });
      return (
        (await inBatches(operatorLog, { personId: uid, createdAt }, change(person))) +
        (await inBatches(operatorLog, { operatorId: uid, createdAt }, change(operator)))
      );
    },

    // One that is in force goes on as long as the provider has the account, which is locked there.
    async ({ _id }) => (await suspensions.deleteOne({ _id, liftedAt: { $ne: null } })).deletedCount,

    // Their own notifications go; in other people's they lose their name.
    async ({ _id: uid, until }) => {
      const createdAt = { $lt: until };
      const nameless = { $set: { actor: FORMER_MEMBER }, $unset: { actorId: true } } as const;
      // Those first: what is told from now on is nameless from the beginning.
      await announcements.updateMany({ actorId: uid, createdAt }, nameless);
      // What they said goes with the name.
      const silent = { ...nameless, $unset: { ...nameless.$unset, text: true } } as const;
      await inBatches(notifications, { actorId: uid, createdAt }, (ids) =>
        notifications.updateMany(ids, silent),
      );
      return inBatches(notifications, { recipientId: uid, createdAt }, (ids) =>
        notifications.deleteMany(ids),
      );
    },

    // The keys of their last requests lead to what these created.
    ({ _id: personId, until }) =>
      inBatches(idempotencyKeys, { personId, createdAt: { $lt: until } }, (ids) =>
        idempotencyKeys.deleteMany(ids),
      ),

    async ({ _id, until }) => (await people.deleteOne({ _id, memberSince: { $lt: until } })).deletedCount,
  ];
}

/** Changes all documents of a filter, some hundred at a time. @returns how many. */
function inBatches<T extends { _id: ObjectId }>(
  collection: Collection<T>,
  filter: Filter<T>,
  change: (batch: { _id: { $in: ObjectId[] } }) => Promise<unknown>,
): Promise<number> {
  const options = { projection: { _id: 1 }, limit: BATCH, ...READ_LIMITS };
  return drainBatches(
    () => collection.find<{ _id: ObjectId }>(filter, options).toArray(),
    (found) => change({ _id: { $in: found.map(({ _id }) => _id) } }),
  );
}
