import type { ClientSession } from "mongodb";
import { calendarDate } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { BidDoc, TaskDoc } from "../../db/documents.ts";
import { drainBatches, READ_LIMITS } from "../../db/mongo.ts";
import { FORMER_MEMBER, notify } from "../../db/notices.ts";
import { inStatesFor } from "../../db/task-conditions.ts";
import type { EraseStep } from "./closures.ts";

type Bid = Pick<BidDoc, "_id" | "taskId">;
type TaskRow = Pick<TaskDoc, "_id" | "title" | "ownerId" | "state" | "award">;

const BATCH = 100;
const TASK = { title: 1, ownerId: 1, state: 1, award: 1 } as const;
const CHANGED = { bidsRevision: 1 } as const;

/** Withdraws the bids of somebody who leaves where that is possible, and makes the others a former member's, each in one transaction with its task. */
export function anonymizeBids({
  tasks,
  bids,
  notifications,
  transaction,
  hints,
}: Pick<Database, "tasks" | "bids" | "notifications" | "transaction" | "hints">): EraseStep {
  async function tell(task: TaskRow, session: ClientSession, now: Date): Promise<void> {
    const notice = { recipientId: task.ownerId, kind: "bid-withdrawn", task, asClient: true } as const;
    await notify(notifications, [notice], { session, now });
  }

  /** Withdraws the bid, where the task's state lets bids go. @returns false where it does not. */
  async function withdraw(bid: Bid, session: ClientSession, now: Date): Promise<boolean> {
    const task: TaskRow | null = await tasks.findOneAndUpdate(
      { _id: bid.taskId, ...inStatesFor("withdraw-bid", calendarDate(now)) },
      { $inc: { bidsCount: -1, ...CHANGED } },
      { session, projection: TASK },
    );
    if (!task) return false;
    const { deletedCount } = await bids.deleteOne({ _id: bid._id }, { session });
    // Withdrawn in another tab, which counted it: undoes what was counted here.
    if (deletedCount === 0) throw new Gone();
    if (task.state === "open") await tell(task, session, now);
    return true;
  }

  /** Takes the bidder out of a bid that stays as part of what was decided. */
  async function anonymize(bid: Bid, alias: string, session: ClientSession, now: Date): Promise<void> {
    const task: TaskRow | null = await tasks.findOneAndUpdate(
      { _id: bid.taskId },
      { $inc: CHANGED },
      { session, projection: TASK },
    );
    // The task was deleted this moment, and its bids with it.
    if (!task) return void (await bids.deleteOne({ _id: bid._id }, { session }));
    const nobody = { bidderId: alias, bidderName: FORMER_MEMBER, bidderEmail: "" };
    const change = { $set: nobody, $unset: { bidderImage: true, message: true } } as const;
    await bids.updateOne({ _id: bid._id }, change, { session });
    // The client waits for work that nobody does any more.
    if (task.state === "awarded" && task.award?.bidId.equals(bid._id)) await tell(task, session, now);
  }

  async function leave(bid: Bid, alias: string, now: Date): Promise<void> {
    const leaving = transaction(async (session) => {
      if (!(await withdraw(bid, session, now))) await anonymize(bid, alias, session, now);
    });
    await leaving.catch((error: unknown) => {
      if (!(error instanceof Gone)) throw error;
    });
  }

  return ({ _id: bidderId, alias, until }, now) => {
    const filter = { bidderId, createdAt: { $lt: until } };
    const options = { projection: { taskId: 1 }, limit: BATCH, ...READ_LIMITS };
    return drainBatches(
      () =>
        hints.using("bids", "bidder-newest", (hint) => bids.find(filter, { ...options, ...hint }).toArray()),
      async (batch) => {
        for (const bid of batch) await leave(bid, alias, now);
      },
    );
  };
}

class Gone extends Error {}
