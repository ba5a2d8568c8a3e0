import type { ObjectId } from "mongodb";
import { calendarDate, storedStatesFor } from "../../contract/index.ts";
import { type Database, drainBatches } from "../../db/client.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { DeletionDoc } from "../../db/documents/people.ts";
import { dequeue } from "../../db/jobs.ts";
import { announce } from "../../domain/announcements.ts";
import { deleteTask } from "../../domain/delete-task.ts";
import { FORMER_MEMBER, notifySide } from "../../domain/notify.ts";
import { inStatesFor } from "../../domain/task-conditions.ts";
import { recordStep } from "../../domain/timeline.ts";
import { disputeCommands } from "../disputes/commands.ts";
import type { EraseStep } from "./deletions.ts";

const BATCH = 100;
const CANCELLABLE = storedStatesFor("cancel");

/**
 * Deletes the tasks of a deleted account that nobody was ever hired for, unless the person wanted to keep them. Ends those
 * about which an operator has decided, or of which milestones were accepted. Cancels the other open and awarded ones, and
 * makes a former member their owner.
 * Delivered tasks stay: no client will respond, so the freelancer may complete them immediately.
 */
export function anonymizeTasks(database: Database): EraseStep {
  const { tasks, bids, transaction } = database;
  const { conclude } = disputeCommands(database);

  /** In one transaction, deletes the task or anonymizes its owner and cancels it, and notifies its freelancers. */
  function leave(_id: ObjectId, { _id: uid, alias, keepsTasks }: DeletionDoc, now: Date): Promise<void> {
    return transaction(async () => {
      const own = { _id, ownerId: uid };
      if (!keepsTasks && (await deleteTask(database, own, undefined, now))) return;
      await conclude(_id, "client", alias, now);
      const task = await tasks.findOneAndUpdate(own, anonymizingUpdate(alias, now), {
        returnDocument: "before",
      });
      if (!task) return;
      await bids.updateMany({ taskId: _id, note: { $exists: true } }, { $unset: { note: true } });
      const isCancelled = CANCELLABLE.includes(task.state);
      if (!isCancelled && task.state !== "delivered") return;
      // The freelancer may complete it now.
      await dequeue(database, { kind: "delivery-reminder", subject: [_id] });
      if (!isCancelled) return notifySide(database, "freelancer", task, { kind: "may-complete" }, now);
      await recordStep(database, { ...task, ownerId: alias }, { kind: "cancelled", by: "client" }, now);
      await notifySide(database, "freelancer", task, { kind: "task-cancelled" }, now);
      const except = task.award?.bidId;
      const audience = except && ({ to: "watchers", except } as const);
      await announce(database, { kind: "task-cancelled", task, ...audience }, now);
    });
  }

  return (deletion, now) => {
    const filter = { ownerId: deletion._id, createdAt: { $lt: deletion.until } };
    return drainBatches(
      () => tasks.find(filter, { projection: { _id: 1 }, limit: BATCH }).toArray(),
      async (batch) => {
        for (const task of batch) await leave(task._id, deletion, now);
      },
    );
  };
}

function anonymizingUpdate(alias: string, now: Date) {
  return [
    {
      $set: {
        ownerId: alias,
        name: FORMER_MEMBER,
        email: "",
        showEmail: false,
        state: { $cond: [{ $in: ["$state", CANCELLABLE] }, "cancelled", "$state"] },
        endedAt: { $cond: [{ $in: ["$state", CANCELLABLE] }, now, "$endedAt"] },
        delivery: {
          $cond: [{ $eq: ["$state", "delivered"] }, { at: "$delivery.at", mayCompleteFrom: now }, "$$REMOVE"],
        },
        updatedAt: now,
        revision: { $add: ["$revision", 1] },
      },
    },
    // Nothing waits for an answer of somebody who has left.
    {
      $unset: [
        "clientImage",
        "payment.reference",
        "award.milestones.payment.reference",
        "award.change",
        "award.ending",
      ],
    },
  ];
}

type Bid = Pick<BidDoc, "_id" | "taskId" | "bidderId">;
const keyOf = ({ _id, taskId, bidderId }: Bid) => ({ _id, taskId, bidderId });
const BIDS_CHANGED = { bidsRevision: 1 } as const;

/**
 * Withdraws a deleted account's bids if the task's state allows it and anonymizes the others, each in one transaction
 * with its task.
 */
export function anonymizeBids(database: Database): EraseStep {
  const { tasks, bids, transaction } = database;
  const { conclude } = disputeCommands(database);

  /** Withdraws the bid. @returns false if the task's state does not allow it. */
  async function withdraw(bid: Bid, now: Date): Promise<boolean> {
    const task = await tasks.findOneAndUpdate(
      // The count is already zero if another tab has just withdrawn the last bid.
      { _id: bid.taskId, bidsCount: { $gt: 0 }, ...inStatesFor("withdraw-bid", calendarDate(now)) },
      { $inc: { bidsCount: -1, ...BIDS_CHANGED } },
    );
    if (!task) return false;
    await bids.deleteOne(keyOf(bid));
    if (task.state === "open") await notifySide(database, "client", task, { kind: "bid-withdrawn" }, now);
    return true;
  }

  /** Anonymizes a bid that is kept because its task was already decided. */
  async function anonymize(bid: Bid, alias: string, now: Date): Promise<void> {
    const task = await tasks.findOneAndUpdate({ _id: bid.taskId }, { $inc: BIDS_CHANGED });
    // The task has just been deleted together with its bids.
    if (!task) return void (await bids.deleteOne(keyOf(bid)));
    const formerMember = { bidderId: alias, bidderName: FORMER_MEMBER, bidderEmail: "" };
    const texts = {
      message: true,
      question: true,
      answer: true,
      note: true,
      print: true,
      sentTo: true,
    } as const;
    const change = { $set: formerMember, $unset: { bidderImage: true, ...texts } } as const;
    await bids.updateOne(keyOf(bid), change);
    if (!task.award?.bidId.equals(bid._id) || (task.state !== "awarded" && task.state !== "delivered"))
      return;
    if (await conclude(task._id, "freelancer", alias, now)) return;
    // Their delivery is withdrawn, and the client, who is waiting for work that will never arrive, decides what happens.
    const withoutDelivery = {
      $set: { state: "awarded" },
      $unset: { delivery: "" },
      $inc: { revision: 1 },
    } as const;
    await tasks.updateOne({ _id: task._id }, withoutDelivery);
    await notifySide(database, "client", task, { kind: "freelancer-left" }, now);
  }

  function withdrawOrAnonymize(bid: Bid, alias: string, now: Date): Promise<void> {
    return transaction(async () => {
      // Another tab has withdrawn it, or another pass was faster and has notified the client.
      if (!(await bids.findOne(keyOf(bid), { projection: { _id: 1 } }))) return;
      if (!(await withdraw(bid, now))) await anonymize(bid, alias, now);
    });
  }

  return ({ _id: bidderId, alias, until }, now) => {
    const filter = { bidderId, createdAt: { $lt: until } };
    return drainBatches(
      () => bids.find(filter, { projection: { taskId: 1, bidderId: 1 }, limit: BATCH }).toArray(),
      async (batch) => {
        for (const bid of batch) await withdrawOrAnonymize(bid, alias, now);
      },
    );
  };
}
