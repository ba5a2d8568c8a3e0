import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { BidSorting } from "../../contract/index.ts";
import { announce, tellBefore } from "../../db/announcements.ts";
import type { Announcer } from "../../db/announcer.ts";
import type { Database } from "../../db/client.ts";
import type { TaskDoc } from "../../db/collections.ts";
import type { FreshReads } from "../../db/fresh-reads.ts";
import { titleFor } from "../../db/hidden-tasks.ts";
import { notify } from "../../db/notices.ts";
import { inStatesFor } from "../../db/task-filters.ts";
import type { Times } from "./bid-store.ts";

/** `refused`: the task is gone, somebody else's, or in a state that does not allow it. */
export type HireOutcome = "done" | "unchanged" | "no-bid" | "refused";

export type HireStore = ReturnType<typeof hireStore>;

type Told = Pick<TaskDoc, "_id" | "title" | "ownerId" | "budget" | "state" | "award" | "revision" | "hidden">;
const TOLD = { title: 1, ownerId: 1, budget: 1, state: 1, award: 1, revision: 1, hidden: 1 } as const;

/**
 * What the client does with bids. Everything writes the task first, with owner and state in the filter: of two awards at
 * once, or an award and a withdrawal, one sees what the other did.
 */
export function hireStore(
  database: Pick<Database, "tasks" | "bids" | "notifications" | "announcements" | "transactionOn">,
  { writing }: Pick<FreshReads, "writing">,
  { nudge }: Pick<Announcer, "nudge">,
) {
  const { tasks, bids, notifications, transactionOn } = database;
  return {
    /** Shortlists or declines a bid, or takes that back, and tells its freelancer of the first two. */
    sortBid(
      id: string,
      bid: string,
      owner: User,
      state: BidSorting["state"],
      { now, today }: Times,
    ): Promise<HireOutcome> {
      const taskId = new ObjectId(id);
      const _id = new ObjectId(bid);
      const sorting = transactionOn([taskId], async (session): Promise<HireOutcome> => {
        const task: Told | null = await tasks.findOneAndUpdate(
          { _id: taskId, ownerId: owner.uid, ...inStatesFor("sort-bid", today) },
          { $inc: { bidsRevision: 1 } },
          { session, projection: TOLD },
        );
        if (!task) return "refused";
        const before = await bids.findOneAndUpdate({ _id, taskId }, { $set: { state } }, { session });
        // Thrown, so that nothing of this is written.
        if (!before) throw new NothingDone("no-bid");
        if ((before.state ?? "placed") === state) throw new NothingDone("unchanged");
        await tellBefore(database, before, session);
        const recipientId = before.bidderId;
        const named = { _id: taskId, title: titleFor(task, recipientId) };
        const notice = { recipientId, task: named, asClient: false, actor: owner };
        await notify(notifications, state === "placed" ? [] : [{ ...notice, kind: state }], { session, now });
        return "done";
      });
      return writing(() => sorting.catch(outcomeOf));
    },

    /** Hires the freelancer of that bid, tells them and announces it to all others; `unchanged` if that was done before. */
    award(id: string, bid: string, owner: User, { now, today }: Times): Promise<HireOutcome> {
      const _id = new ObjectId(id);
      const bidId = new ObjectId(bid);
      const awarding = transactionOn([_id], async (session): Promise<HireOutcome> => {
        const task = await tasks.findOne<Told>({ _id, ownerId: owner.uid }, { session, projection: TOLD });
        if (!task) return "refused";
        if (task.state === "awarded" && task.award?.bidId.equals(bidId)) return "unchanged";
        const winner = await bids.findOneAndUpdate(
          { _id: bidId, taskId: _id },
          { $set: { state: "awarded" } },
          { session },
        );
        if (!winner) return "no-bid";
        const { bidderId: freelancerId, bidderName: name, bidderEmail: email, amount = task.budget } = winner;
        const award = { bidId, freelancerId, name, email, amount, at: now };
        const { modifiedCount } = await tasks.updateOne(
          { _id, ownerId: owner.uid, ...inStatesFor("award", today) },
          {
            $set: { state: "awarded", award, wasAwarded: true, updatedAt: now },
            $inc: { revision: 1, bidsRevision: 1 },
          },
          { session },
        );
        if (modifiedCount === 0) throw new NothingDone("refused");
        await tellBefore(database, winner, session);
        const notice = { recipientId: freelancerId, kind: "awarded", task, asClient: false, amount } as const;
        await notify(notifications, [{ ...notice, actor: owner }], { session, now });
        const announcement = { kind: "declined", task, actor: owner, except: bidId } as const;
        await announce(database, announcement, { session, now });
        return "done";
      });
      return writing(() => awarding.catch(outcomeOf)).finally(nudge);
    },
  };
}

/** Ends the transaction without any of its writes. */
class NothingDone extends Error {
  readonly outcome: HireOutcome;
  constructor(outcome: HireOutcome) {
    super(outcome);
    this.outcome = outcome;
  }
}

function outcomeOf(error: unknown): HireOutcome {
  if (error instanceof NothingDone) return error.outcome;
  throw error;
}
