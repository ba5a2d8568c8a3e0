import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { ReportQuery, Visibility } from "../../contract/index.ts";
import {
  type Database,
  isDuplicateKey,
  type MarkedPlace,
  NEWEST_FIRST,
  newestAfter,
  type PageStart,
  READ_LIMITS,
  unmarkedFirst,
} from "../../db/client.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { ConversationDoc, MessageDoc } from "../../db/documents/conversations.ts";
import type { ReportDoc } from "../../db/documents/operators.ts";
import type { PersonDoc } from "../../db/documents/people.ts";
import type { QuestionDoc, TaskDoc } from "../../db/documents/tasks.ts";
import type { Jobs } from "../../db/jobs.ts";
import { announce } from "../../domain/announcements.ts";
import { notify } from "../../domain/notify.ts";
import { logAct } from "../../domain/operators.ts";
import { suspendedOf } from "../../domain/people.ts";
import { ProblemError } from "../../domain/problem-error.ts";

/** `asker` is missing if they have deleted their account. */
export type ReportedQuestion = QuestionDoc & { asker?: { id: string; name: string } | undefined };

/** A reported conversation: its last messages before the report, oldest first, and the names of its members. */
export type ReportedConversation = ConversationDoc & {
  last: MessageDoc[];
  people: NamedPerson[];
};
type NamedPerson = Pick<PersonDoc, "_id" | "name">;

export type ReportStore = ReturnType<typeof reportStore>;

const TASK = {
  title: 1,
  description: 1,
  screeningQuestion: 1,
  name: 1,
  ownerId: 1,
  award: 1,
  hidden: 1,
} as const;
/** The fields of a task that a report shows or needs. */
export type ReportedTask = Pick<TaskDoc, "_id" | keyof typeof TASK>;
const OWNED = { title: 1, ownerId: 1, name: 1, revision: 1, hidden: 1 } as const;
type OwnedTask = Pick<TaskDoc, "_id" | keyof typeof OWNED>;
/** Messages of a reported conversation that operators see. */
const SHOWN_MESSAGES = 10;
const BID = { taskId: 1, bidderId: 1, message: 1, answer: 1 } as const;
type ReportedBid = Pick<BidDoc, "_id" | keyof typeof BID>;

/** Stores reports, one per reporter and subject (by a unique index), and hides tasks. */
export function reportStore(database: Database, { nudge }: Pick<Jobs, "nudge">) {
  const { tasks, bids, questions, conversations, messages, people, reports } = database;
  const { notifications, suspensions, write, transaction, transactionOn } = database;

  /** The people of these ids, unless they deleted their accounts. */
  function findPeople(ids: readonly string[]): Promise<NamedPerson[]> {
    const options = { projection: { name: 1 }, hint: "_id_", ...READ_LIMITS } as const;
    return people.find<NamedPerson>({ _id: { $in: [...ids] } }, options).toArray();
  }

  return {
    findPeople,
    suspendedOf: (uids: readonly string[]) => suspendedOf(database, uids),

    /** The tasks with these ids that still exist. */
    findTasks(ids: readonly ObjectId[]): Promise<ReportedTask[]> {
      const options = { ...READ_LIMITS, projection: TASK };
      return tasks.find<ReportedTask>({ _id: { $in: [...ids] } }, options).toArray();
    },

    /** The bids with these ids that still exist. */
    findBids(ids: readonly ObjectId[]): Promise<ReportedBid[]> {
      const options = { ...READ_LIMITS, projection: BID };
      return bids.find<ReportedBid>({ _id: { $in: [...ids] } }, options).toArray();
    },

    /** The questions with these ids that still exist, with their askers. */
    async findQuestions(ids: readonly ObjectId[]): Promise<ReportedQuestion[]> {
      if (ids.length === 0) return [];
      const found = await questions.find({ _id: { $in: [...ids] } }, READ_LIMITS).toArray();
      const askers = await findPeople(found.map(({ askerId }) => askerId));
      const nameOf = new Map(askers.map(({ _id, name }) => [_id, name]));
      return found.map((question) => {
        const name = nameOf.get(question.askerId);
        return { ...question, asker: name === undefined ? undefined : { id: question.askerId, name } };
      });
    },

    /** A conversation of this member. */
    findConversation(id: ObjectId, memberId: string): Promise<ConversationDoc | null> {
      return conversations.findOne({ _id: id, memberIds: memberId }, READ_LIMITS);
    },

    /** The reported part of a conversation; null if both members have deleted their accounts since. */
    async readConversation({
      conversationId,
      messages: upTo = 0,
    }: ReportDoc): Promise<ReportedConversation | null> {
      const found = conversationId && (await conversations.findOne({ _id: conversationId }, READ_LIMITS));
      if (!found) return null;
      const number = { $gt: upTo - SHOWN_MESSAGES, $lte: upTo };
      const [last, members] = await Promise.all([
        messages
          .find({ conversationId, number }, { sort: { number: 1 }, ...READ_LIMITS, hint: "conversation" })
          .toArray(),
        findPeople(found.memberIds),
      ]);
      return { ...found, last, people: members };
    },

    /**
     * Stores a report. If its reporter has already reported the same subject, a resolved report is reopened with the new
     * content, and an open one stays as it is.
     * @returns the id of the stored report.
     */
    async save(report: Omit<ReportDoc, "_id">): Promise<{ id: string; isNew: boolean }> {
      const _id = new ObjectId();
      try {
        return await write(async (options) => {
          await reports.insertOne({ _id, ...report }, options);
          return { id: _id.toHexString(), isNew: true };
        });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      return write(async (within) => {
        const { reporterId, subject } = report;
        const options = { projection: { _id: 1 }, ...within } as const;
        const open = { $set: report, ...(report.text === undefined && { $unset: { text: true as const } }) };
        const stored =
          (await reports.findOneAndUpdate({ reporterId, subject, settled: true }, open, options)) ??
          (await reports.findOne({ reporterId, subject }, options));
        // Missing only if the reporter's account is being deleted.
        return { id: (stored?._id ?? _id).toHexString(), isNew: false };
      });
    },

    /** A page of reports, open ones first, then newest first; filtered by state or reason if given. */
    list({ state, reason }: Pick<ReportQuery, "state" | "reason">, start: PageStart<MarkedPlace>) {
      return unmarkedFirst(start, async (settled, { after, limit }): Promise<ReportDoc[]> => {
        if (state === (settled ? "open" : "resolved")) return [];
        const filter = { settled, ...(reason && { reason }), ...newestAfter(after) };
        const options = { sort: NEWEST_FIRST, limit, ...READ_LIMITS };
        return reports
          .find(filter, { ...options, hint: reason ? "reason-newest" : "unsettled-newest" })
          .toArray();
      });
    },

    /** Settles a report, or reopens it. */
    settle(id: string, settled: boolean, operator: User, now: Date): Promise<boolean> {
      const _id = new ObjectId(id);
      return transaction(async (session) => {
        const report = await reports.findOneAndUpdate(
          { _id, settled: !settled },
          { $set: { settled } },
          { session },
        );
        if (!report) {
          if (await reports.findOne({ _id }, { session, projection: { _id: 1 } })) return false;
          throw new ProblemError("report-not-found");
        }
        const named = { session, projection: { name: 1 } } as const;
        const person = await people.findOne({ _id: report.personId }, named);
        const about = {
          task: { _id: report.taskId, title: report.taskTitle },
          person: person ? { uid: person._id, name: person.name } : undefined,
        };
        const kind = settled ? "report-resolved" : "report-reopened";
        await logAct(database, { kind, reason: report.reason, ...about }, operator, { session, now });
        return true;
      });
    },

    /**
     * Hides a task from the public, or shows it again. If that changes anything, its owner is notified with the reason,
     * and people who saved it are notified too. The version stays, since the owner saved nothing.
     */
    async setHidden(
      id: string,
      { hidden, reason, text }: Visibility,
      operator: User,
      now: Date,
    ): Promise<boolean> {
      const _id = new ObjectId(id);
      // In turn with the task's bids: many at once would abort it again and again.
      return transactionOn([_id], async (session) => {
        const options = { session, projection: OWNED };
        // A task hidden by its client's suspension is now hidden individually, or shown despite the suspension.
        const task: OwnedTask | null = await tasks.findOneAndUpdate(
          { _id, $or: [{ hidden: !hidden }, { suspended: true }] },
          { $set: { hidden }, $unset: { suspended: true } },
          { ...options, returnDocument: "after" },
        );
        if (!task) {
          if (await tasks.findOne({ _id }, options)) return false;
          throw new ProblemError("task-not-found");
        }
        const suspension = { _id: task.ownerId, liftedAt: null };
        if (!hidden && (await suspensions.findOne(suspension, { session, projection: { _id: 1 } })))
          await tasks.updateOne({ _id }, { $set: { suspended: false } }, { session });
        const kind = hidden ? "task-hidden" : "task-restored";
        const explanation = hidden ? { reason, text } : {};
        const notice = { recipientId: task.ownerId, kind, task, asClient: true, ...explanation } as const;
        await notify(notifications, [notice], { session, now });
        await announce(database, { kind, task, to: "watchers" }, { session, now });
        const person = { uid: task.ownerId, name: task.name };
        await logAct(database, { kind, reason, text, task, person }, operator, { session, now });
        return true;
      }).finally(() => nudge("announcement"));
    },
  };
}
