import { ObjectId, type UpdateFilter } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { BidDraft } from "../../contract/index.ts";
import { tellBefore } from "../../db/announcements.ts";
import type { Database } from "../../db/client.ts";
import type { BidDoc, TaskDoc } from "../../db/collections.ts";
import type { FreshReads } from "../../db/fresh-reads.ts";
import type { TaskSides } from "../../db/hidden-tasks.ts";
import { READ_LIMITS } from "../../db/mongo.ts";
import { notify } from "../../db/notices.ts";
import { inStatesFor, VISIBLE } from "../../db/task-filters.ts";
import { bidderFields, type Times } from "./bid-store.ts";

/** `gone`: there is no such bid any more; `refused`: the task takes no changes of bids. */
export type ChangeOutcome = "changed" | "unchanged" | "gone" | "refused";

export type OwnBidStore = ReturnType<typeof ownBidStore>;

/** What the rules of bidding need to know of a task. */
export type RuledTask = Pick<TaskDoc, "_id" | "deadline" | "state" | "hidden"> & TaskSides;

const TOLD = { title: 1, ownerId: 1, state: 1 } as const;
const RULED = { ownerId: 1, "award.freelancerId": 1, deadline: 1, state: 1, hidden: 1 } as const;

/**
 * Changes and withdraws a freelancer's own bid. Each write of a bid writes its task too, with the rule in the filter:
 * so it collides with an award, a deletion or another change of the same moment instead of passing it.
 */
export function ownBidStore(
  database: Pick<Database, "tasks" | "bids" | "notifications" | "announcements" | "transactionOn">,
  { writing }: Pick<FreshReads, "writing">,
) {
  const { tasks, bids, notifications, transactionOn } = database;
  return {
    /** Changes what the draft names, and tells the client if that was anything. */
    change(id: string, bidder: User, draft: BidDraft, { now, today }: Times): Promise<ChangeOutcome> {
      const taskId = new ObjectId(id);
      return writing(() =>
        transactionOn([taskId], async (session): Promise<ChangeOutcome> => {
          const bid = await bids.findOne({ taskId, bidderId: bidder.uid }, { session });
          if (!bid) return "gone";
          const change = changeOf(bid, draft);
          if (!change) return "unchanged";
          const task = await tasks.findOneAndUpdate(
            { _id: taskId, ...inStatesFor("bid", today), ...VISIBLE },
            { $inc: { bidsRevision: 1 } },
            { session, projection: TOLD },
          );
          if (!task) return "refused";
          const $set = { ...change.$set, ...bidderFields(bidder), updatedAt: now };
          await bids.updateOne({ _id: bid._id }, { ...change, $set }, { session });
          const notice = { recipientId: task.ownerId, kind: "bid-changed", task, asClient: true } as const;
          const amount = draft.amount ?? bid.amount;
          await notify(notifications, [{ ...notice, actor: bidder, amount }], { session, now });
          return "changed";
        }),
      );
    },

    /**
     * Takes the bid back, and tells the client.
     * @returns how many bids that were, 1 or 0; undefined if the task's state does not allow it.
     */
    async withdraw(id: string, bidder: User, { now, today }: Times): Promise<number | undefined> {
      const taskId = new ObjectId(id);
      const withdrawing = writing(() =>
        transactionOn([taskId], async (session) => {
          const bid = await bids.findOneAndDelete({ taskId, bidderId: bidder.uid }, { session });
          if (!bid) return 0;
          const task = await tasks.findOneAndUpdate(
            { _id: taskId, ...inStatesFor("withdraw-bid", today) },
            { $inc: { bidsCount: -1, bidsRevision: 1 } },
            { session, projection: TOLD },
          );
          // Aborts the transaction: the bid stays.
          if (!task) throw new Refused();
          await tellBefore(database, bid, session);
          const notice = { recipientId: task.ownerId, kind: "bid-withdrawn", task, asClient: true } as const;
          // Who cancelled the task waits for no bids.
          const notices =
            task.state === "cancelled" ? [] : [{ ...notice, actor: bidder, amount: bid.amount }];
          await notify(notifications, notices, { session, now });
          return 1;
        }),
      );
      return withdrawing.catch((error: unknown) => {
        if (error instanceof Refused) return undefined;
        throw error;
      });
    },

    findTask(id: string): Promise<RuledTask | null> {
      return tasks.findOne<RuledTask>({ _id: new ObjectId(id) }, { projection: RULED, ...READ_LIMITS });
    },
  };
}

/** What the draft changes about the bid; undefined if nothing. What it leaves out stays as it is. */
function changeOf(
  bid: BidDoc,
  draft: BidDraft,
): (UpdateFilter<BidDoc> & { $set: Partial<BidDoc> }) | undefined {
  const { amount = bid.amount } = draft;
  const days = draft.days === undefined ? bid.days : (draft.days ?? undefined);
  const message = draft.message === undefined ? bid.message : draft.message || undefined;
  if (amount === bid.amount && days === bid.days && message === bid.message) return undefined;
  const $unset = {
    ...(days === undefined && { days: "" as const }),
    ...(message === undefined && { message: "" as const }),
  };
  return {
    $set: {
      ...(amount !== undefined && { amount }),
      ...(days !== undefined && { days }),
      ...(message !== undefined && { message }),
    },
    ...(Object.keys($unset).length > 0 && { $unset }),
  };
}

class Refused extends Error {}
