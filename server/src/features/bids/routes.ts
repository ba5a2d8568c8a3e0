import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { Context } from "../../context.ts";
import { bidEndpoints } from "../../contract/bid.ts";
import {
  type BidTriage,
  calendarDate,
  DECLINE_PAUSE_MS,
  dueIfHired,
  mayAct,
  taskState,
} from "../../contract/index.ts";
import type { AgreementDoc } from "../../db/documents/agreements.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { AwardDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { dequeue, enqueue } from "../../db/jobs.ts";
import { announce, notifyPendingAnnouncements } from "../../domain/announcements.ts";
import { dailyLimit } from "../../domain/daily-limit.ts";
import { releaseFiles } from "../../domain/files.ts";
import { declineInvitation, invite } from "../../domain/invitations.ts";
import { isFormerMember, notify, notifySide } from "../../domain/notify.ts";
import { ProblemError, wrongState } from "../../domain/problem-error.ts";
import { inStatesFor, requireClient, requireVisible, titleFor } from "../../domain/task-conditions.ts";
import { recordStep } from "../../domain/timeline.ts";
import type { Api } from "../../http/mount.ts";
import { listMyBids, listReceivedBids } from "./list-bids.ts";
import { bidPlacer } from "./place-bid.ts";

/**
 * Bids and hiring; for signed-in people only. Every write also writes the bid's task, with the rule in the filter, so of
 * two concurrent ones (two awards, an award and a withdrawal) one sees the other's result. Notifications are written in
 * the same transaction.
 */
export function bidRoutes(api: Api, { database, settings }: Context): void {
  const { tasks, bids, people, notifications, transactionOn } = database;
  const placeBid = bidPlacer(database, dailyLimit(database, "bids", settings.bidsPerDay));

  /** Changes a bid on the caller's task, in one transaction with the task's counter of changes. */
  function changeBid(
    { id: taskId, bidId: _id }: { id: ObjectId; bidId: ObjectId },
    caller: User,
    change: (task: TaskDoc, bid: BidDoc) => Promise<boolean>,
  ): Promise<boolean> {
    return transactionOn(taskId, async () => {
      const task = await tasks.findOne({ _id: taskId });
      requireClient(task, caller);
      const bid = await bids.findOne({ _id, taskId });
      if (!bid) throw new ProblemError("bid-not-found");
      if (!(await change(task, bid))) return false;
      // Also refreshes the client's other tabs. The transaction has read the task, so a concurrent change of its state, or a
      // deletion of the account, collides with this.
      await tasks.updateOne({ _id: taskId }, { $inc: { bidsRevision: 1 } });
      return true;
    });
  }

  /** Changes the client's triage of a bid, and when its freelancer is notified of a decline. */
  async function storeTriage(bid: BidDoc, state: BidTriage["state"], now: Date): Promise<void> {
    const { _id, taskId } = bid;
    const changed = triaged(bid, state, now);
    await bids.replaceOne({ _id, taskId }, changed);
    const notification = { kind: "declined-bid", subject: [taskId, _id] } as const;
    if (changed.noticeAt) await enqueue(database, { ...notification, dueAt: changed.noticeAt });
    else if (bid.noticeAt) await dequeue(database, notification);
    await notifyPendingAnnouncements(database, bid);
  }

  api.mount(bidEndpoints, {
    placeBid: ({ params: { id }, body, user, versions, now }) => placeBid(id, user, body, { now, versions }),

    // The bidder's own bid; the client is notified.
    withdrawBid: ({ params: { id: _id }, user: bidder, now }) =>
      transactionOn(_id, async () => {
        const task = await tasks.findOne({ _id });
        const bid = task && (await bids.findOneAndDelete({ taskId: _id, bidderId: bidder.uid }));
        if (!bid) requireVisible(task, bidder);
        if (!task || !bid) return false;
        const { matchedCount } = await tasks.updateOne(
          { _id, ...inStatesFor("withdraw-bid", calendarDate(now)) },
          { $inc: { bidsCount: -1, bidsRevision: 1 } },
        );
        if (matchedCount === 0) throw wrongState(AWARDED);
        await releaseFiles(database, { "place.on": bid._id }, now);
        await notifyPendingAnnouncements(database, bid);
        const notice = { kind: "bid-withdrawn", actor: bidder, amount: bid.amount } as const;
        // The client of a cancelled task no longer cares about its bids.
        if (task.state !== "cancelled") await notifySide(database, "client", task, notice, now);
        return true;
      }),

    listReceivedBids: ({ params, user, ...call }) => listReceivedBids(database, params.id, user, call),

    // The freelancer is notified; of a decline a minute later (`declineNotices`), so that the client can take it back
    // unnoticed.
    triageBid: ({ params, body: { state }, user: caller, now }) =>
      changeBid(params, caller, async (task, bid) => {
        if (!mayAct("triage-bid", "client", taskState(task, now))) throw notNow(task, now);
        if (bid.state === state) return false;
        await storeTriage(bid, state, now);
        const { bidderId: recipientId } = bid;
        const visibleTask = { _id: task._id, title: titleFor(task, recipientId) };
        const notice = { recipientId, task: visibleTask, asClient: false, actor: caller };
        if (state === "shortlisted") await notify(notifications, [{ ...notice, kind: state }], now);
        return true;
      }),

    // Nobody is notified.
    noteBid: ({ params, body: { note }, user }) =>
      changeBid(params, user, async (_task, { _id, taskId, note: before = "" }) => {
        if (before === note) return false;
        const change = note ? { $set: { note } } : { $unset: { note: true as const } };
        await bids.updateOne({ _id, taskId }, change);
        return true;
      }),

    invite: ({ params, body, user, now }) => invite(database, params.id, body.personId, user, now),

    declineInvitation: ({ params, user }) => declineInvitation(database, params.id, user.uid),

    // Hires the bid's freelancer, notifies them, and announces the award to the other bidders. There is only one winner:
    // awarding the same bid again changes nothing; another bid is refused, and so is one that changed since the client
    // read it (`updatedAt`).
    awardTask: ({ params: { id: _id }, body, user: caller, now }) => {
      const bidId = new ObjectId(body.bidId);
      return transactionOn(_id, async () => {
        const task = await tasks.findOne({ _id });
        requireClient(task, caller);
        if (mayAct("complete", "client", task.state) && task.award?.bidId.equals(bidId)) return false;
        const bid = await bids.findOne({ _id: bidId, taskId: _id });
        if (!bid || isFormerMember(bid.bidderId)) throw new ProblemError("bid-not-found");
        if (body.updatedAt !== undefined && body.updatedAt !== bid.updatedAt.toISOString())
          throw new ProblemError("changed-meanwhile", { detail: CHANGED });
        const today = calendarDate(now);
        const { bidderId: freelancerId, bidderName, bidderEmail: email, amount, days } = bid;
        const suspension = { _id: freelancerId, liftedAt: null };
        if (await database.suspensions.findOne(suspension, { projection: { _id: 1 } }))
          throw new ProblemError("freelancer-suspended");
        const due = dueIfHired(task, days, today);
        const nowPublic = { $min: { publicSince: now } };
        const person = await people.findOneAndUpdate({ _id: freelancerId }, nowPublic, {
          projection: { name: 1 },
        });
        // They may have changed it since they bid.
        const name = person?.name ?? bidderName;
        const award = { bidId, freelancerId, name, email, amount, at: now, due };
        const { modifiedCount } = await tasks.updateOne(
          { _id, ...inStatesFor("award", today) },
          {
            $set: { state: "awarded", award, updatedAt: now },
            $inc: { awardCount: 1, revision: 1, bidsRevision: 1 },
          },
        );
        if (modifiedCount === 0) throw notNow(task, now);
        await database.agreements.insertOne(agreementOf({ task, award, bid, client: caller }));
        const awarded = { ...task, award };
        await recordStep(database, awarded, { kind: "awarded", by: "client" }, now);
        // That undoes a decline, of which its freelancer may not have been notified yet.
        if (bid.state === "declined") await storeTriage(bid, "placed", now);
        else await notifyPendingAnnouncements(database, bid);
        const notice = { kind: "awarded", actor: caller, amount } as const;
        await notifySide(database, "freelancer", awarded, notice, now);
        await announce(database, { kind: "declined", task, actor: caller, except: bidId }, now);
        return true;
      });
    },

    listMyBids: ({ user, now, ...call }) => listMyBids(database, user, now, call),
  });
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
const AWARDED = "This task was awarded: bids on it cannot be withdrawn anymore.";

/** What an award makes the two agree on. */
function agreementOf({
  task,
  award,
  bid: { message, question, answer },
  client,
}: {
  task: TaskDoc;
  award: AwardDoc & { due: string };
  bid: BidDoc;
  client: User;
}): AgreementDoc {
  return {
    ...{ _id: new ObjectId(), taskId: task._id, clientId: task.ownerId, clientName: client.name },
    ...{ freelancerId: award.freelancerId, freelancerName: award.name },
    ...{ title: task.title, description: task.description, message, question, answer },
    versions: [{ amount: award.amount, due: award.due, scope: "", at: award.at }],
    createdAt: award.at,
  };
}
