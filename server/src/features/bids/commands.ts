import { type ClientSession, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import {
  type AwardDraft,
  addDays,
  type BidNote,
  type BidTriage,
  calendarDate,
  DECLINE_PAUSE_MS,
  mayAct,
  taskState,
} from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { dequeue, enqueue, type Jobs } from "../../db/jobs.ts";
import { announce, notifyPendingAnnouncements } from "../../domain/announcements.ts";
import { releaseFiles } from "../../domain/files.ts";
import { isFormerMember, notify } from "../../domain/notify.ts";
import { markPublic } from "../../domain/people.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { canSee, inStatesFor, requireClient, titleFor } from "../../domain/task-conditions.ts";
import { recordStep } from "../../domain/timeline.ts";
import { insertAgreement } from "../agreements/store.ts";

/** The ids of a task and of a bid on it. */
type BidPath = { task: string; bid: string };
const TASK = {
  title: 1,
  description: 1,
  ownerId: 1,
  state: 1,
  deadline: 1,
  deliverBy: 1,
  award: 1,
  revision: 1,
  hidden: 1,
} as const;
type BidTask = Pick<TaskDoc, "_id" | keyof typeof TASK>;

/**
 * Withdraws, triages and awards bids. Every command also writes the bid's task, with the rule in the filter, so of two
 * concurrent commands (two awards, an award and a withdrawal) one sees the other's result. Notifications are written in
 * the command's transaction.
 */
export function bidCommands(database: Database, { nudge }: Pick<Jobs, "nudge">) {
  const { tasks, bids, notifications, transactionOn } = database;
  const findTask = (_id: ObjectId, session: ClientSession) =>
    tasks.findOne<BidTask>({ _id }, { session, projection: TASK });

  return {
    /** Withdraws the bidder's own bid and notifies the client. */
    withdraw(id: string, bidder: User, now: Date): Promise<boolean> {
      const _id = new ObjectId(id);
      return transactionOn([_id], async (session) => {
        const task = await findTask(_id, session);
        if (!task) throw new ProblemError("task-not-found");
        const bid = await bids.findOneAndDelete({ taskId: _id, bidderId: bidder.uid }, { session });
        if (!bid && !canSee(task, bidder)) throw new ProblemError("task-not-found");
        if (!bid) return false;
        const { matchedCount } = await tasks.updateOne(
          { _id, ...inStatesFor("withdraw-bid", calendarDate(now)) },
          { $inc: { bidsCount: -1, bidsRevision: 1 } },
          { session },
        );
        if (matchedCount === 0) throw new ProblemError("wrong-state", { detail: AWARDED });
        await releaseFiles(database, { "place.on": bid._id }, { session, now });
        await notifyPendingAnnouncements(database, bid, session);
        const notice = { recipientId: task.ownerId, kind: "bid-withdrawn", task, asClient: true } as const;
        // The client of a cancelled task no longer cares about its bids.
        if (task.state !== "cancelled")
          await notify(notifications, [{ ...notice, actor: bidder, amount: bid.amount }], { session, now });
        return true;
      });
    },

    /**
     * Shortlists or declines a bid on the caller's task, or undoes that silently. Its freelancer is notified; of a
     * decline a minute later (`declineNotices`), so that the client can take it back unnoticed.
     */
    triage(path: BidPath, caller: User, { state }: BidTriage, now: Date): Promise<boolean> {
      const [_id, bidId] = [new ObjectId(path.task), new ObjectId(path.bid)];
      return transactionOn([_id], async (session) => {
        const task = await findTask(_id, session);
        if (!task) throw new ProblemError("task-not-found");
        requireClient(task, caller);
        if (!mayAct("triage-bid", "client", taskState(task, now))) throw wrongState(task, now);
        const bid = await bids.findOne({ _id: bidId, taskId: _id }, { session });
        if (!bid) throw new ProblemError("bid-not-found");
        if (bid.state === state) return false;
        // The transaction has read the task, so a concurrent change of its state collides with this.
        await tasks.updateOne({ _id }, { $inc: { bidsRevision: 1 } }, { session });
        const changed = triaged(bid, state, now);
        await bids.replaceOne({ _id: bidId, taskId: _id }, changed, { session });
        const notification = { kind: "declined-bid", subject: [_id, bidId] } as const;
        if (changed.noticeAt) await enqueue(database, { ...notification, dueAt: changed.noticeAt }, session);
        else if (bid.noticeAt) await dequeue(database, notification, session);
        await notifyPendingAnnouncements(database, bid, session);
        const recipientId = bid.bidderId;
        const visibleTask = { _id, title: titleFor(task, recipientId) };
        const notice = { recipientId, task: visibleTask, asClient: false, actor: caller };
        if (state === "shortlisted")
          await notify(notifications, [{ ...notice, kind: state }], { session, now });
        return true;
      });
    },

    /** Saves the client's note about a bid, or removes it. Nobody is notified. */
    note(path: BidPath, caller: User, { note }: BidNote): Promise<boolean> {
      const [_id, bidId] = [new ObjectId(path.task), new ObjectId(path.bid)];
      return transactionOn([_id], async (session) => {
        const task = await findTask(_id, session);
        if (!task) throw new ProblemError("task-not-found");
        requireClient(task, caller);
        const bid = await bids.findOne({ _id: bidId, taskId: _id }, { session, projection: { note: 1 } });
        if (!bid) throw new ProblemError("bid-not-found");
        if ((bid.note ?? "") === note) return false;
        // Also refreshes the client's other tabs. A concurrent deletion of the account collides with it.
        await tasks.updateOne({ _id }, { $inc: { bidsRevision: 1 } }, { session });
        const change = note ? { $set: { note } } : { $unset: { note: true as const } };
        await bids.updateOne({ _id: bidId, taskId: _id }, change, { session });
        return true;
      });
    },

    /**
     * Hires the freelancer of a bid on the caller's task, notifies them, and announces the award to the other bidders.
     * There is only one winner: awarding the same bid again changes nothing; another bid is refused, and so is one that
     * changed since the client read it (`updatedAt`).
     */
    award(id: string, { bidId: chosen, updatedAt }: AwardDraft, caller: User, now: Date): Promise<boolean> {
      const [_id, bidId] = [new ObjectId(id), new ObjectId(chosen)];
      const awarding = transactionOn([_id], async (session) => {
        const task = await findTask(_id, session);
        if (!task) throw new ProblemError("task-not-found");
        requireClient(task, caller);
        if (mayAct("complete", "client", task.state) && task.award?.bidId.equals(bidId)) return false;
        const bid = await bids.findOne({ _id: bidId, taskId: _id }, { session });
        if (!bid || isFormerMember(bid.bidderId)) throw new ProblemError("bid-not-found");
        if (updatedAt !== undefined && updatedAt !== bid.updatedAt.toISOString())
          throw new ProblemError("changed-meanwhile", { detail: CHANGED });
        const today = calendarDate(now);
        const { bidderId: freelancerId, bidderName: name, bidderEmail: email, amount, days } = bid;
        const suspension = { _id: freelancerId, liftedAt: null };
        if (await database.suspensions.findOne(suspension, { session, projection: { _id: 1 } }))
          throw new ProblemError("freelancer-suspended");
        const award = {
          bidId,
          freelancerId,
          name,
          email,
          amount,
          at: now,
          due: days === undefined ? (task.deliverBy ?? task.deadline) : addDays(today, days),
        };
        const { modifiedCount } = await tasks.updateOne(
          { _id, ...inStatesFor("award", today) },
          {
            $set: { state: "awarded", award, updatedAt: now },
            $inc: { awardCount: 1, revision: 1, bidsRevision: 1 },
          },
          { session },
        );
        if (modifiedCount === 0) throw wrongState(task, now);
        await insertAgreement(database, { task, award, bid, client: caller }, { session, now });
        const step = { kind: "awarded", by: "client" } as const;
        await recordStep(database, { ...task, award }, step, { session, now });
        await markPublic(database, freelancerId, { session, now });
        await notifyPendingAnnouncements(database, bid, session);
        const notice = { recipientId: freelancerId, kind: "awarded", task, asClient: false, amount } as const;
        await notify(notifications, [{ ...notice, actor: caller }], { session, now });
        const announcement = { kind: "declined", task, actor: caller, except: bidId } as const;
        await announce(database, announcement, { session, now });
        return true;
      });
      return awarding.finally(() => nudge("announcement"));
    },
  };
}

function triaged({ declinedAt, noticeAt, ...bid }: BidDoc, state: BidTriage["state"], now: Date): BidDoc {
  if (state === "declined")
    return { ...bid, state, declinedAt: now, noticeAt: new Date(now.getTime() + DECLINE_PAUSE_MS) };
  // The client has to decide on it again, and is reminded again before the task closes.
  return { ...bid, state, restoredAt: bid.state === "declined" ? now : bid.restoredAt };
}

/** The refusal to triage or award bids on a task in its present state. */
function wrongState(task: BidTask, now: Date): ProblemError {
  const detail = `The task is ${taskState(task, now)}: its bids stay as they are.`;
  return new ProblemError("wrong-state", { detail });
}

const CHANGED = "This bid was changed since you read it: look at it again.";
const AWARDED = "This task was awarded: bids on it cannot be withdrawn any more.";
