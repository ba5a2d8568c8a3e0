import type { ObjectId } from "mongodb";
import { batchesOf, type Database, NEWEST_FIRST, READ_LIMITS } from "../../db/client.ts";
import type { AgreementDoc } from "../../db/documents/agreements.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { ConversationDoc, MessageDoc } from "../../db/documents/conversations.ts";
import type { DisputeDoc } from "../../db/documents/disputes.ts";
import type { FileDoc } from "../../db/documents/files.ts";
import type { InvoiceDoc } from "../../db/documents/invoices.ts";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import type { OperatorActDoc, QueueItemDoc, ReportDoc } from "../../db/documents/operators.ts";
import type { PersonDoc, SavedSearchDoc } from "../../db/documents/people.ts";
import type { QuestionDoc, ReviewDoc, SavedTaskDoc, TaskDoc, TimelineDoc } from "../../db/documents/tasks.ts";
import { notOfDeletedTasks } from "../../domain/announcements.ts";
import { withoutHiddenTitles } from "../../domain/hidden-titles.ts";
import { withNames } from "../../domain/people.ts";

/** A task as its owner gets it, without internal fields. */
export type OwnTask = Omit<TaskDoc, "titleGrams" | "bidsRevision" | "questionsRevision">;
export type OwnDataQueries = ReturnType<typeof ownDataQueries>;

/** Documents in one response of the database, and so in memory at a time. */
export const BATCH_SIZE = 250;
const READ = { batchSize: BATCH_SIZE, maxTimeMS: 30_000 } as const;
const TASK = {
  title: 1,
  category: 1,
  ownerId: 1,
  name: 1,
  state: 1,
  deadline: 1,
  deliverBy: 1,
  budget: 1,
  award: 1,
  payment: 1,
  hidden: 1,
} as const;
/** The task's fields in an exported bid. */
export type BidTask = Pick<TaskDoc, "_id" | keyof typeof TASK>;

/** They would tell people that they were reported, and often by whom: a bid can be reported by its client only. */
const REPORT_ACTS = ["report-resolved", "report-reopened"] as const;

/** Streams a person's own data from cursors, as fast as it is consumed and never all in memory. */
export function ownDataQueries(database: Database) {
  const {
    tasks,
    bids,
    questions,
    people,
    notifications,
    reviews,
    agreements,
    invoices,
    disputes,
    files,
    reports,
    savedTasks,
    conversations,
    messages,
    timeline,
    operatorQueue,
    operatorLog,
    savedSearches,
  } = database;

  function tasksOf(ownerId: string): AsyncIterable<OwnTask> {
    const projection = { titleGrams: 0, bidsRevision: 0, questionsRevision: 0 };
    const options = { ...READ, sort: NEWEST_FIRST, projection };
    return tasks.find({ ownerId }, { ...options, hint: "owner-newest" });
  }

  async function* bidsOf(bidderId: string): AsyncGenerator<BidDoc> {
    const filter = { bidderId, ...(await notOfDeletedTasks(database)) };
    const options = {
      ...READ,
      sort: NEWEST_FIRST,
      projection: { print: 0, note: 0, restoredAt: 0, declinedAt: 0, noticeAt: 0 },
    };
    yield* bids.find(filter, { ...options, hint: "bidder-newest" });
  }

  /** Freelancers see a conversation from its first message on. */
  function conversationsOf(memberIds: string): AsyncIterable<ConversationDoc> {
    const filter = { memberIds, $nor: [{ freelancerId: memberIds, count: 0 }] };
    return conversations.find(filter, { ...READ, sort: { lastAt: -1, _id: -1 }, hint: "member-newest" });
  }

  return {
    person(uid: string): Promise<PersonDoc | null> {
      const projection = { unsubscribeKey: 0, pairRevision: 0, tokenExpiresAt: 0 };
      return people.findOne({ _id: uid }, { projection, ...READ_LIMITS });
    },

    /** Newest first, as they are stored. */
    tasks: tasksOf,

    /** Newest first, in batches, with current display names. */
    async *namedTasks(ownerId: string): AsyncGenerator<OwnTask[]> {
      for await (const batch of batchesOf(tasksOf(ownerId), BATCH_SIZE)) yield withNames(database, batch);
    },

    /** Newest first, in batches, with current display names. */
    async *bidsWithTasks(bidderId: string): AsyncGenerator<{ bid: BidDoc; task: BidTask }[]> {
      for await (const batch of batchesOf(bidsOf(bidderId), BATCH_SIZE)) {
        const found = await findTasks(batch.map(({ taskId }) => taskId));
        // If a task was deleted in the meantime, its bids were too.
        yield batch.flatMap((bid) => {
          const task = found.find(({ _id }) => _id.equals(bid.taskId));
          return task ? [{ bid, task }] : [];
        });
      }
    },

    bids: bidsOf,

    /** The person's notes about bids on their tasks. */
    async *notes(ownerId: string): AsyncGenerator<Pick<BidDoc, "_id" | "taskId" | "note">> {
      const owned = tasks.find({ ownerId }, { ...READ, projection: { _id: 1 }, hint: "owner-newest" });
      for await (const batch of batchesOf(owned, BATCH_SIZE)) {
        const noted = { taskId: { $in: batch.map(({ _id }) => _id) }, note: { $exists: true } };
        yield* bids.find(noted, { ...READ, projection: { taskId: 1, note: 1 }, hint: "inbox-newest" });
      }
    },

    reviewsWritten(authorId: string): AsyncIterable<ReviewDoc> {
      return reviews.find({ authorId }, { ...READ, hint: "author" });
    },

    reviewsReceived(subjectId: string): AsyncIterable<ReviewDoc> {
      const options = { ...READ, sort: NEWEST_FIRST };
      return reviews.find({ subjectId, shown: true }, { ...options, hint: "subject-newest" });
    },

    /** Reports by the person, without whom they are about. */
    async *reports(reporterId: string): AsyncGenerator<Omit<ReportDoc, "personId">> {
      const options = { ...READ, projection: { personId: 0 } };
      const found = reports.find({ reporterId }, { ...options, hint: "one-per-person" });
      for await (const batch of batchesOf(found, BATCH_SIZE))
        yield* await withoutHiddenTitles(database, batch, () => reporterId);
    },

    questions(askerId: string): AsyncIterable<QuestionDoc> {
      return questions.find({ askerId }, { ...READ, hint: "asker" });
    },

    /** Questions that the person answered on their own tasks. */
    answers(clientId: string): AsyncIterable<QuestionDoc> {
      return questions.find({ clientId, answered: true }, { ...READ, hint: "client-newest" });
    },

    savedTasks(personId: string): AsyncIterable<SavedTaskDoc> {
      const options = { ...READ, sort: NEWEST_FIRST };
      return savedTasks.find({ personId }, { ...options, hint: "person-newest" });
    },

    async *conversations(uid: string): AsyncGenerator<ConversationDoc> {
      for await (const batch of batchesOf(conversationsOf(uid), BATCH_SIZE))
        yield* await withoutHiddenTitles(database, batch, () => uid);
    },

    /** Messages of one conversation after the other, each oldest first. */
    async *messages(uid: string): AsyncGenerator<MessageDoc & { mine: boolean }> {
      for await (const { _id: conversationId, clientId } of conversationsOf(uid)) {
        const found = messages.find(
          { conversationId },
          { ...READ, sort: { number: 1 }, hint: "conversation" },
        );
        for await (const message of found)
          yield { ...message, mine: (message.by === "client") === (clientId === uid) };
      }
    },

    /** Steps of the tasks they posted, then of those they were hired for, each oldest first. */
    async *timeline(uid: string): AsyncGenerator<TimelineDoc> {
      for (const side of ["client", "freelancer"] as const) {
        const options = { ...READ, sort: { at: 1, _id: 1 } } as const;
        yield* timeline.find({ [`${side}Id`]: uid }, { ...options, hint: side });
      }
    },

    /** Those of the tasks they posted, then of those they were hired for, each newest first. */
    async *agreements(uid: string): AsyncGenerator<AgreementDoc> {
      for (const side of ["client", "freelancer"] as const) {
        const options = { ...READ, sort: NEWEST_FIRST } as const;
        yield* agreements.find({ [`${side}Id`]: uid }, { ...options, hint: side });
      }
    },

    /** About ending their tasks early, as clients and then as freelancers. */
    async *disputes(uid: string): AsyncGenerator<DisputeDoc> {
      for (const side of ["client", "freelancer"] as const) {
        const options = { ...READ, sort: NEWEST_FIRST } as const;
        yield* disputes.find({ [`${side}Id`]: uid }, { ...options, hint: side });
      }
    },

    /** Those they got, then those they wrote. */
    async *invoices(uid: string): AsyncGenerator<InvoiceDoc> {
      yield* invoices.find({ clientId: uid }, { ...READ, sort: NEWEST_FIRST, hint: "client" });
      yield* invoices.find({ freelancerId: uid }, { ...READ, sort: { number: 1 }, hint: "one-per-number" });
    },

    files(uid: string): AsyncIterable<FileDoc> {
      const projection = { thumbnail: 0, uid: 0, "place.readers": 0 };
      return files.find({ uid, state: "ready" }, { ...READ, projection, hint: "person" });
    },

    savedSearches(ownerId: string): AsyncIterable<Omit<SavedSearchDoc, "match" | "slot">> {
      const options = { ...READ, projection: { match: 0, slot: 0 } };
      return savedSearches.find({ ownerId }, { ...options, hint: "one-per-slot" });
    },

    /** Items about the person in the operators' queue. */
    queued(personId: string): AsyncIterable<QueueItemDoc> {
      return operatorQueue.find({ personId }, { ...READ, hint: "person" });
    },

    /** Operators' acts that concerned the person, except those on reports. */
    async *operatorActs(personId: string): AsyncGenerator<OperatorActDoc> {
      const found = operatorLog.find(
        { personId, kind: { $nin: [...REPORT_ACTS] } },
        { ...READ, hint: "person" },
      );
      for await (const batch of batchesOf(found, BATCH_SIZE))
        yield* await withoutHiddenTitles(database, batch, () => personId);
    },

    /** The person's own acts as an operator. */
    actsAsOperator(operatorId: string): AsyncIterable<OperatorActDoc> {
      return operatorLog.find({ operatorId }, { ...READ, hint: "operator" });
    },

    async *notifications(recipientId: string): AsyncGenerator<NotificationDoc> {
      const options = { ...READ, sort: { _id: -1 } } as const;
      const found = notifications.find({ recipientId }, { ...options, hint: "recipient-newest" });
      for await (const batch of batchesOf(found, BATCH_SIZE))
        yield* await withoutHiddenTitles(database, batch, () => recipientId);
    },
  };

  async function findTasks(ids: ObjectId[]): Promise<BidTask[]> {
    const options = { projection: TASK, ...READ_LIMITS };
    return withNames(database, await tasks.find<BidTask>({ _id: { $in: ids } }, options).toArray());
  }
}
