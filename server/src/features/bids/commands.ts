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
import { isFormerMember, notify, notifySide } from "../../domain/notify.ts";
import { markPublic } from "../../domain/people.ts";
import { ProblemError, wrongState } from "../../domain/problem-error.ts";
import { inStatesFor, requireClient, requireVisible, titleFor } from "../../domain/task-conditions.ts";
import { recordStep } from "../../domain/timeline.ts";
import { insertAgreement } from "../agreements/rules.ts";

/** The ids of a task and of a bid on it. */
type BidPath = { id: string; bidId: string };
/**
 * Withdraws, triages and awards bids. Every command also writes the bid's task, with the rule in the filter, so of two
 * concurrent commands (two awards, an award and a withdrawal) one sees the other's result. Notifications are written in
 * the command's transaction.
 */
export function bidCommands(database: Database, { nudge }: Pick<Jobs, "nudge">) {
  const { tasks, bids, notifications, transactionOn } = database;

  /** Changes a bid on the caller's task, in one transaction with the task's counter of changes. */
  function changeBid(
    path: BidPath,
    caller: User,
    change: (task: TaskDoc, bid: BidDoc, session: ClientSession) => Promise<boolean>,
  ): Promise<boolean> {
    const [taskId, _id] = [new ObjectId(path.id), new ObjectId(path.bidId)];
    return transactionOn([taskId], async (session) => {
      const task = await tasks.findOne({ _id: taskId }, { session });
      requireClient(task, caller);
      const bid = await bids.findOne({ _id, taskId }, { session });
      if (!bid) throw new ProblemError("bid-not-found");
      if (!(await change(task, bid, session))) return false;
      // Also refreshes the client's other tabs. The transaction has read the task, so a concurrent change of its state, or a
      // deletion of the account, collides with this.
      await tasks.updateOne({ _id: taskId }, { $inc: { bidsRevision: 1 } }, { session });
      return true;
    });
  }

  return {
    /** Withdraws the bidder's own bid and notifies the client. */
    withdraw(id: string, bidder: User, now: Date): Promise<boolean> {
      const _id = new ObjectId(id);
      return transactionOn([_id], async (session) => {
        const task = await tasks.findOne({ _id }, { session });
        const bid = task && (await bids.findOneAndDelete({ taskId: _id, bidderId: bidder.uid }, { session }));
        if (!bid) requireVisible(task, bidder);
        if (!task || !bid) return false;
        const { matchedCount } = await tasks.updateOne(
          { _id, ...inStatesFor("withdraw-bid", calendarDate(now)) },
          { $inc: { bidsCount: -1, bidsRevision: 1 } },
          { session },
        );
        if (matchedCount === 0) throw wrongState(AWARDED);
        const at = { session, now };
        await releaseFiles(database, { "place.on": bid._id }, at);
        await notifyPendingAnnouncements(database, bid, session);
        const notice = { kind: "bid-withdrawn", actor: bidder, amount: bid.amount } as const;
        // The client of a cancelled task no longer cares about its bids.
        if (task.state !== "cancelled") await notifySide(database, "client", task, notice, at);
        return true;
      });
    },

    /**
     * Shortlists or declines a bid on the caller's task, or undoes that silently. Its freelancer is notified; of a
     * decline a minute later (`declineNotices`), so that the client can take it back unnoticed.
     */
    triage(path: BidPath, caller: User, { state }: BidTriage, now: Date): Promise<boolean> {
      return changeBid(path, caller, async (task, bid, session) => {
        if (!mayAct("triage-bid", "client", taskState(task, now))) throw notNow(task, now);
        if (bid.state === state) return false;
        const { _id, taskId, bidderId: recipientId } = bid;
        const changed = triaged(bid, state, now);
        await bids.replaceOne({ _id, taskId }, changed, { session });
        const notification = { kind: "declined-bid", subject: [taskId, _id] } as const;
        if (changed.noticeAt) await enqueue(database, { ...notification, dueAt: changed.noticeAt }, session);
        else if (bid.noticeAt) await dequeue(database, notification, session);
        await notifyPendingAnnouncements(database, bid, session);
        const visibleTask = { _id: taskId, title: titleFor(task, recipientId) };
        const notice = { recipientId, task: visibleTask, asClient: false, actor: caller };
        if (state === "shortlisted")
          await notify(notifications, [{ ...notice, kind: state }], { session, now });
        return true;
      });
    },

    /** Saves the client's note about a bid, or removes it. Nobody is notified. */
    note(path: BidPath, caller: User, { note }: BidNote): Promise<boolean> {
      return changeBid(path, caller, async (_task, { _id, taskId, note: before = "" }, session) => {
        if (before === note) return false;
        const change = note ? { $set: { note } } : { $unset: { note: true as const } };
        await bids.updateOne({ _id, taskId }, change, { session });
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
        const task = await tasks.findOne({ _id }, { session });
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
        if (modifiedCount === 0) throw notNow(task, now);
        const at = { session, now };
        await insertAgreement(database, { task, award, bid, client: caller }, at);
        const awarded = { ...task, award };
        await recordStep(database, awarded, { kind: "awarded", by: "client" }, at);
        await markPublic(database, freelancerId, at);
        await notifyPendingAnnouncements(database, bid, session);
        const notice = { kind: "awarded", actor: caller, amount } as const;
        await notifySide(database, "freelancer", awarded, notice, at);
        await announce(database, { kind: "declined", task, actor: caller, except: bidId }, at);
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
const notNow = (task: TaskDoc, now: Date) =>
  wrongState(`The task is ${taskState(task, now)}: its bids stay as they are.`);

const CHANGED = "This bid was changed since you read it: look at it again.";
const AWARDED = "This task was awarded: bids on it cannot be withdrawn any more.";
