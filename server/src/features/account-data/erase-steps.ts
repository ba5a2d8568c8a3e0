import type { Collection, Filter, ObjectId, UpdateFilter } from "mongodb";
import { type Database, drainBatches } from "../../db/client.ts";
import type { ConversationDoc } from "../../db/documents/conversations.ts";
import type { DisputeDoc } from "../../db/documents/disputes.ts";
import type { DeletionDoc } from "../../db/documents/people.ts";
import { dequeue } from "../../db/jobs.ts";
import { FORMER_MEMBER, FORMER_MEMBERS, formerOperatorName, isFormerMember } from "../../domain/notify.ts";
import { otherSide } from "../../domain/task-conditions.ts";
import { deleteOpenDisputes } from "../disputes/commands.ts";
import { anonymizeBids, anonymizeTasks } from "./anonymize-work.ts";
import type { EraseStep } from "./deletions.ts";

const BATCH = 500;
const CONVERSATIONS_BATCH = 100;

/**
 * The steps that erase a person from all collections, in this order. Each batch leaves less for the next one, so an
 * interrupted deletion resumes where it stopped.
 */
export function eraseSteps(database: Database): EraseStep[] {
  const { tasks, questions, reviews, agreements, invoices, disputes, files, reports, timeline } = database;
  const { notifications, savedTasks, operatorQueue, operatorLog, suspensions, idempotencyKeys } = database;
  const { people, savedSearches } = database;
  return [
    anonymizeTasks(database),
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
    anonymize(questions, "clientId"),

    anonymize(reviews, "authorId", {
      set: () => ({ authorName: FORMER_MEMBER, anonymous: true }),
      remove: ["authorImage"],
    }),
    // Reviews by others stay, but no longer say whom they are about.
    anonymize(reviews, "subjectId", { remove: ["reply"] }),

    // Timeline steps stay; the person's notes, reasons and links are erased.
    anonymize(timeline, "clientId", { dated: "at", remove: ["reason"] }),
    anonymize(timeline, "freelancerId", { dated: "at", remove: ["note", "links"] }),

    // The other side keeps the agreement, without the person's name and what they wrote.
    anonymize(agreements, "clientId", {
      set: () => ({ clientName: FORMER_MEMBER }),
      remove: ["proposal"],
    }),
    anonymize(agreements, "freelancerId", {
      set: () => ({ freelancerName: FORMER_MEMBER }),
      remove: ["message", "question", "answer", "proposal"],
    }),

    // A dispute is over when a side leaves; what became of earlier ones stays, without the person's name and words.
    async ({ _id: uid, alias, until }, now) => {
      let left = 0;
      for (const by of ["client", "freelancer"] as const)
        left += await inBatches(disputes, { [`${by}Id`]: uid, createdAt: { $lt: until } }, async (ids) => {
          await deleteOpenDisputes(database, ids, now);
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
      for (const side of ["client", "freelancer"] as const) {
        const filter = { [`${side}Id`]: uid, createdAt: { $lt: until } };
        left += await inBatches(invoices, filter, async (ids) => {
          await invoices.deleteMany({ ...ids, [`${otherSide(side)}Id`]: FORMER_MEMBERS });
          await invoices.updateMany(ids, { $set: { [`${side}Id`]: alias } });
        });
      }
      return left;
    },

    // The person's files, wherever they hang.
    anonymize(files, "uid", {
      set: ({ at }) => ({ state: "unused", expireAt: at }),
      remove: ["place", "thumbnail"],
    }),
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
        await reports.updateMany(ids, { $set: { reporterId: alias } });
      }),
    // Reports by others stay, but no longer say whom they are about.
    anonymize(reports, "personId"),

    eraseMessages(database),

    // Saved searches and saved tasks go before the notifications, since they would cause new ones.
    removeAll(savedSearches, "ownerId"),
    removeAll(savedTasks, "personId"),
    removeAll(operatorQueue, "personId"),

    // Log entries stay, but no longer name the person, neither as the operator nor as the one concerned.
    anonymize(operatorLog, "personId", { set: () => ({ personName: FORMER_MEMBER }) }),
    anonymize(operatorLog, "operatorId", {
      set: ({ alias }) => ({ operatorName: formerOperatorName(alias) }),
    }),

    // A suspension in force stays as long as the identity provider keeps the account.
    async ({ _id }) => (await suspensions.deleteOne({ _id, liftedAt: { $ne: null } })).deletedCount,

    // Notifications of others no longer name the person. Pending announcements first, so that those made from them are
    // already anonymous.
    async ({ _id: uid, until }) => {
      const createdAt = { $lt: until };
      await database.jobs.updateMany(
        { "announcement.actorId": uid, "announcement.createdAt": createdAt },
        { $set: { "announcement.actor": FORMER_MEMBER }, $unset: { "announcement.actorId": true } },
      );
      const anonymous = { $set: { actor: FORMER_MEMBER }, $unset: { actorId: true, text: true } } as const;
      await inBatches(notifications, { actorId: uid, createdAt }, (ids) =>
        notifications.updateMany(ids, anonymous),
      );
      return 0;
    },
    removeAll(notifications, "recipientId"),

    // Idempotency keys point to what the person's last requests created.
    removeAll(idempotencyKeys, "personId"),

    async ({ _id, until }) => (await people.deleteOne({ _id, memberSince: { $lt: until } })).deletedCount,
  ];
}

type Changes<T> = {
  /** What else is stored in place of what was there. */
  set?: (deletion: DeletionDoc) => Partial<Record<keyof T, unknown>>;
  remove?: readonly (keyof T & string)[];
  /** The field with the documents' time; `createdAt` by default. */
  dated?: keyof T & string;
};

/** Replaces the person's uid in this field by their alias, in documents that stay. */
function anonymize<T extends { _id: ObjectId }>(
  collection: Collection<T>,
  field: keyof T & string,
  { set, remove = [], dated = "createdAt" as keyof T & string }: Changes<T> = {},
): EraseStep {
  return (deletion) => {
    const own = { [field]: deletion._id } as Filter<T>;
    const change = {
      $set: { [field]: deletion.alias, ...set?.(deletion) },
      $unset: Object.fromEntries(remove.map((name) => [name, true])),
    } as unknown as UpdateFilter<T>;
    return inBatches(collection, { ...own, [dated]: { $lt: deletion.until } }, (ids) =>
      collection.updateMany({ ...ids, ...own } as Filter<T>, change),
    );
  };
}

/** Deletes the documents that have the person's uid in this field. */
function removeAll<T extends { _id: ObjectId }>(
  collection: Collection<T>,
  field: keyof T & string,
): EraseStep {
  return ({ _id, until }) =>
    inBatches(collection, { ...({ [field]: _id } as Filter<T>), createdAt: { $lt: until } }, (ids) =>
      collection.deleteMany(ids as Filter<T>),
    );
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
    return transaction(async () => {
      if (isFormerMember(uid === clientId ? freelancerId : clientId)) {
        await conversations.deleteOne({ _id, taskId });
        await messages.deleteMany({ conversationId });
        return;
      }
      const { modifiedCount } = await conversations.updateOne(
        { _id, taskId, memberIds: uid },
        {
          $set: { [idField]: alias, memberIds: memberIds.map((id) => (id === uid ? alias : id)) },
          $pull: { blockedBy: uid },
        },
      );
      if (modifiedCount === 0) return;
      // Nobody is notified of the messages erased here.
      await dequeue(database, { kind: "unread-messages", subject: [taskId, _id] });
      await conversations.updateOne({ _id, taskId, unreadBy: uid }, { $unset: { unreadBy: "" } });
      await messages.updateMany({ conversationId, by }, { $unset: { text: "" } });
    });
  }

  return (deletion) => {
    const filter = { memberIds: deletion._id, createdAt: { $lt: deletion.until } };
    return drainBatches(
      () => conversations.find(filter, { limit: CONVERSATIONS_BATCH }).toArray(),
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
  return drainBatches(
    () => collection.find<{ _id: ObjectId }>(filter, { projection: { _id: 1 }, limit: BATCH }).toArray(),
    (found) => change({ _id: { $in: found.map(({ _id }) => _id) } }),
  );
}
