import type { Collection, Filter, ObjectId, UpdateFilter } from "mongodb";
import { type Database, drainBatches, READ_LIMITS } from "../../db/client.ts";
import type { ConversationDoc } from "../../db/documents/conversations.ts";
import type { DisputeDoc } from "../../db/documents/disputes.ts";
import type { OperatorActDoc } from "../../db/documents/operators.ts";
import type { DeletionDoc } from "../../db/documents/people.ts";
import { dequeue, type Jobs } from "../../db/jobs.ts";
import { FORMER_MEMBER, FORMER_MEMBERS, formerOperatorName, isFormerMember } from "../../domain/notify.ts";
import { anonymizeBids, anonymizeTasks } from "./anonymize-work.ts";
import type { EraseStep } from "./deletions.ts";

const BATCH = 500;
const CONVERSATIONS_BATCH = 100;

/**
 * The steps that erase a person from all collections, in this order. Each batch leaves less for the next one, so an
 * interrupted deletion resumes where it stopped.
 */
export function eraseSteps(database: Database, jobs: Pick<Jobs, "nudge">): EraseStep[] {
  const {
    tasks,
    questions,
    reviews,
    agreements,
    invoices,
    disputes,
    files,
    reports,
    timeline,
    notifications,
    savedTasks,
    operatorQueue,
    operatorLog,
    suspensions,
    idempotencyKeys,
    people,
    savedSearches,
  } = database;
  return [
    anonymizeTasks(database, jobs),
    anonymizeBids(database),

    // The client keeps an award's terms but not the freelancer's name. Bids went first, so no award can be added.
    ({ _id: uid, alias, until }) => {
      const filter = { "award.freelancerId": uid, "award.at": { $lt: until } };
      const erased = { "award.freelancerId": alias, "award.name": FORMER_MEMBER, "award.email": "" };
      const removed = ["payment.note", "award.milestones.payment.note", "award.change", "award.ending"];
      return inBatches(tasks, filter, (ids) =>
        // A pipeline, whose paths lead into lists, too.
        tasks.updateMany({ ...ids, ...filter }, [
          { $set: { ...erased, bidsRevision: { $add: ["$bidsRevision", 1] } } },
          { $unset: removed },
        ]),
      );
    },

    // Unanswered questions are deleted; answered ones are public and stay, anonymized.
    ({ _id: askerId, alias, until }) =>
      inBatches(questions, { askerId, createdAt: { $lt: until } }, async (ids) => {
        await questions.deleteMany({ ...ids, answered: false });
        await questions.updateMany(ids, { $set: { askerId: alias } });
      }),

    // Questions on the person's own tasks stay, with their answers.
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

    // Reviews by others stay, but no longer say whom they are about.
    ({ _id: subjectId, alias, until }) =>
      inBatches(reviews, { subjectId, createdAt: { $lt: until } }, (ids) =>
        reviews.updateMany({ ...ids, subjectId }, { $set: { subjectId: alias }, $unset: { reply: true } }),
      ),

    // Timeline steps stay; the person's notes, reasons and links are erased.
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

    // The other side keeps the agreement, without the person's name and what they wrote.
    ({ _id: clientId, alias, until }) =>
      inBatches(agreements, { clientId, createdAt: { $lt: until } }, (ids) =>
        agreements.updateMany(ids, {
          $set: { clientId: alias, clientName: FORMER_MEMBER },
          $unset: { proposal: true },
        }),
      ),
    ({ _id: freelancerId, alias, until }) =>
      inBatches(agreements, { freelancerId, createdAt: { $lt: until } }, (ids) =>
        agreements.updateMany(ids, {
          $set: { freelancerId: alias, freelancerName: FORMER_MEMBER },
          $unset: { message: true, question: true, answer: true, proposal: true },
        }),
      ),

    // A dispute is over when a side leaves; what became of earlier ones stays, without the person's name and words.
    async ({ _id: uid, alias, until }) => {
      let left = 0;
      for (const by of ["client", "freelancer"] as const)
        left += await inBatches(disputes, { [`${by}Id`]: uid, createdAt: { $lt: until } }, async (ids) => {
          await disputes.deleteMany({ ...ids, state: { $ne: "ended" } });
          await disputes.updateMany({ ...ids, by }, { $set: { reason: "" } });
          await disputes.updateMany({ ...ids, "appeal.by": by }, { $set: { "appeal.reason": "" } });
          await disputes.updateMany(ids, {
            $set: { [`${by}Id`]: alias, [`${by}Name`]: FORMER_MEMBER },
            $unset: { [`statements.${by}`]: true },
            $pull: { messages: { by } },
          } as UpdateFilter<DisputeDoc>);
        });
      return left;
    },
    // The operators who decided are anonymous, too.
    ({ _id: operatorId, alias }) =>
      inBatches(disputes, { "decisions.operatorId": operatorId }, (ids) =>
        disputes.updateMany(
          ids,
          { $set: { "decisions.$[own].operatorId": alias } },
          { arrayFilters: [{ "own.operatorId": operatorId }] },
        ),
      ),

    // The other side must keep invoices as they are, so they go only when both have left.
    async ({ _id: uid, alias, until }) => {
      let left = 0;
      for (const [own, other] of [
        ["clientId", "freelancerId"],
        ["freelancerId", "clientId"],
      ] as const) {
        const filter = { [own]: uid, createdAt: { $lt: until } };
        left += await inBatches(invoices, filter, async (ids) => {
          await invoices.deleteMany({ ...ids, [other]: FORMER_MEMBERS });
          await invoices.updateMany(ids, { $set: { [own]: alias } });
        });
      }
      return left;
    },

    // The person's files, wherever they hang.
    ({ _id: uid, alias, until }) =>
      inBatches(files, { uid, createdAt: { $lt: until } }, (ids) =>
        files.updateMany(ids, {
          $set: { uid: alias, state: "unused", expireAt: until },
          $unset: { place: true, thumbnail: true },
        }),
      ),
    ({ _id: uid }) =>
      inBatches(files, { "place.readers": uid }, (ids) =>
        files.updateMany(ids, { $pull: { "place.readers": uid } }),
      ),

    ({ _id: reporterId, alias, until }) =>
      inBatches(reports, { reporterId, createdAt: { $lt: until } }, async (ids) => {
        // A request that was still running may have reported the same subject once more.
        const subjects = await reports.distinct("subject", ids);
        const known = await reports.distinct("subject", { reporterId: alias, subject: { $in: subjects } });
        await reports.deleteMany({ ...ids, reporterId, subject: { $in: known } });
        await reports.updateMany(ids, { $set: { reporterId: alias, reporterName: FORMER_MEMBER } });
      }),

    // Reports by others stay, but no longer say whom they are about.
    ({ _id: personId, alias, until }) =>
      inBatches(reports, { personId, createdAt: { $lt: until } }, (ids) =>
        reports.updateMany(ids, { $set: { personId: alias } }),
      ),

    eraseMessages(database),

    // Saved searches and saved tasks go before the notifications, since they would cause new ones.
    ({ _id: ownerId, until }) =>
      inBatches(savedSearches, { ownerId, createdAt: { $lt: until } }, (ids) =>
        savedSearches.deleteMany(ids),
      ),

    ({ _id: personId, until }) =>
      inBatches(savedTasks, { personId, createdAt: { $lt: until } }, (ids) => savedTasks.deleteMany(ids)),

    ({ _id: personId, until }) =>
      inBatches(operatorQueue, { personId, createdAt: { $lt: until } }, (ids) =>
        operatorQueue.deleteMany(ids),
      ),

    // Log entries stay, but no longer name the person, neither as the operator nor as the one concerned.
    async ({ _id: uid, alias, until }) => {
      const createdAt = { $lt: until };
      const person = { personId: alias, personName: FORMER_MEMBER };
      const operator = { operatorId: alias, operatorName: formerOperatorName(alias) };
      const change = (set: Partial<OperatorActDoc>) => (ids: object) =>
        operatorLog.updateMany(ids, { $set: set });
      return (
        (await inBatches(operatorLog, { personId: uid, createdAt }, change(person))) +
        (await inBatches(operatorLog, { operatorId: uid, createdAt }, change(operator)))
      );
    },

    // A suspension in force stays as long as the identity provider keeps the account.
    async ({ _id }) => (await suspensions.deleteOne({ _id, liftedAt: { $ne: null } })).deletedCount,

    // The person's own notifications are deleted; those of others no longer name them.
    async ({ _id: uid, until }) => {
      const createdAt = { $lt: until };
      const anonymous = { $set: { actor: FORMER_MEMBER }, $unset: { actorId: true } } as const;
      // Pending announcements first, so that the notifications made from them are already anonymous.
      await database.jobs.updateMany(
        { "announcement.actorId": uid, "announcement.createdAt": createdAt },
        {
          $set: { "announcement.actor": FORMER_MEMBER },
          $unset: { "announcement.actorId": true },
        },
      );
      const withoutText = { ...anonymous, $unset: { ...anonymous.$unset, text: true } } as const;
      await inBatches(notifications, { actorId: uid, createdAt }, (ids) =>
        notifications.updateMany(ids, withoutText),
      );
      return inBatches(notifications, { recipientId: uid, createdAt }, (ids) =>
        notifications.deleteMany(ids),
      );
    },

    // Idempotency keys point to what the person's last requests created.
    ({ _id: personId, until }) =>
      inBatches(idempotencyKeys, { personId, createdAt: { $lt: until } }, (ids) =>
        idempotencyKeys.deleteMany(ids),
      ),

    async ({ _id, until }) => (await people.deleteOne({ _id, memberSince: { $lt: until } })).deletedCount,
  ];
}

/**
 * Removes a deleted account and its messages from conversations; the other side's messages stay. A conversation that
 * both sides have left is deleted.
 */
function eraseMessages(database: Database): EraseStep {
  const { conversations, messages, transaction } = database;
  /** In one transaction, so that a message sent at the same time conflicts instead of being left behind. */
  function leave(
    { _id, taskId, clientId, freelancerId, memberIds }: ConversationDoc,
    { _id: uid, alias }: DeletionDoc,
  ): Promise<void> {
    const [by, idField] =
      uid === clientId ? (["client", "clientId"] as const) : (["freelancer", "freelancerId"] as const);
    const conversationId = _id;
    return transaction(async (session) => {
      if (isFormerMember(uid === clientId ? freelancerId : clientId)) {
        await conversations.deleteOne({ _id, taskId }, { session });
        await messages.deleteMany({ conversationId }, { session });
        return;
      }
      const { modifiedCount } = await conversations.updateOne(
        { _id, taskId, memberIds: uid },
        {
          $set: { [idField]: alias, memberIds: memberIds.map((id) => (id === uid ? alias : id)) },
          $pull: { blockedBy: uid },
        },
        { session },
      );
      if (modifiedCount === 0) return;
      // Nobody is notified of the messages erased here.
      await dequeue(database, { kind: "unread-messages", subject: [taskId, _id] }, session);
      await conversations.updateOne(
        { _id, taskId, unreadBy: uid },
        { $unset: { unreadBy: "" } },
        { session },
      );
      await messages.updateMany({ conversationId, by }, { $unset: { text: "" } }, { session });
    });
  }

  return (deletion) => {
    const filter = { memberIds: deletion._id, createdAt: { $lt: deletion.until } };
    const options = { limit: CONVERSATIONS_BATCH, ...READ_LIMITS };
    return drainBatches(
      () => conversations.find(filter, { ...options, hint: "member-newest" }).toArray(),
      async (batch) => {
        for (const conversation of batch) await leave(conversation, deletion);
      },
    );
  };
}

/** Applies a change to all documents that match, a batch at a time. @returns how many there were. */
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
