import { ObjectId } from "mongodb";
import { notOfDeletedTasks } from "../../db/announcements.ts";
import type { Database } from "../../db/client.ts";
import type { BidDoc, TaskDoc } from "../../db/collections.ts";
import { READ_LIMITS } from "../../db/mongo.ts";
import { type BidPlace, type InboxListing, inboxFilter, planInbox } from "./bid-query.ts";
import type { MyBidTask } from "./present-bid.ts";

/** A task as far as its inbox goes. */
export type InboxTask = Pick<
  TaskDoc,
  "_id" | "ownerId" | "budget" | "award" | "bidsCount" | "deadline" | "state"
>;

export type InboxStore = ReturnType<typeof inboxStore>;

// A count reads every bid it counts, in the index: nobody turns so many pages that more would tell them more.
const MOST_COUNTED = 10_000;
const INBOX_TASK = { ownerId: 1, budget: 1, award: 1, bidsCount: 1, deadline: 1, state: 1 } as const;
const MY_BID_TASK = {
  title: 1,
  category: 1,
  state: 1,
  deadline: 1,
  budget: 1,
  name: 1,
  ownerId: 1,
  award: 1,
  hidden: 1,
} as const;

/** Reads bids: those on one task for its client, and a freelancer's own. */
export function inboxStore(database: Pick<Database, "tasks" | "bids" | "announcements" | "hints">) {
  const { tasks, bids, hints } = database;
  return {
    findTask(id: string): Promise<InboxTask | null> {
      return tasks.findOne<InboxTask>({ _id: new ObjectId(id) }, { projection: INBOX_TASK, ...READ_LIMITS });
    },

    /** A page of the bids on a task. */
    async list(listing: InboxListing, limit: number): Promise<BidDoc[]> {
      const { ranges, index } = planInbox(listing);
      const page: BidDoc[] = [];
      for (const { filter, sort } of ranges) {
        const missing = limit - page.length;
        if (missing === 0) break;
        const options = { sort, limit: missing, ...READ_LIMITS };
        page.push(
          ...(await hints.using("bids", index, (hint) =>
            bids.find(filter, { ...options, ...hint }).toArray(),
          )),
        );
      }
      return page;
    },

    /** How many bids on the task there are of this choice. */
    count(choice: Omit<InboxListing, "sort" | "after">): Promise<number> {
      const options = { limit: MOST_COUNTED, ...READ_LIMITS };
      return hints.using("bids", "inbox-newest", (hint) =>
        bids.countDocuments(inboxFilter(choice), { ...options, ...hint }),
      );
    },

    /**
     * Writes down the amount of the task's bids that have none: those of a version before there were amounts, which are
     * at the task's price. Without it they have no place among the others.
     */
    async fillAmounts({ _id, budget }: InboxTask): Promise<void> {
      const filter = { taskId: _id, amount: null as never };
      // The index knows at once whether there is any.
      const options = { projection: { _id: 1 }, ...READ_LIMITS };
      const found = await hints.using("bids", "inbox-by-amount", (hint) =>
        bids.findOne(filter, { ...options, ...hint }),
      );
      if (found) await bids.updateMany(filter, { $set: { amount: budget } });
    },

    /** A page of somebody's own bids, newest first, each with its task. */
    async listOf(
      bidderId: string,
      after: BidPlace | undefined,
      limit: number,
    ): Promise<{ bid: BidDoc; task: MyBidTask | undefined }[]> {
      const further = after && furtherBack(after);
      const sort = { createdAt: -1, _id: -1 } as const;
      const options = { sort, limit, ...READ_LIMITS };
      const mine = { bidderId, ...(await notOfDeletedTasks(database)) };
      const filter = further ? { $or: further.map((range) => ({ ...mine, ...range })) } : mine;
      const page = await hints.using("bids", "bidder-newest", (hint) =>
        bids.find(filter, { ...options, ...hint }).toArray(),
      );
      const found = await tasks
        .find<MyBidTask>(
          { _id: { $in: page.map(({ taskId }) => taskId) } },
          { projection: MY_BID_TASK, ...READ_LIMITS },
        )
        .toArray();
      const byId = new Map(found.map((task) => [task._id.toHexString(), task]));
      return page.map((bid) => ({ bid, task: byId.get(bid.taskId.toHexString()) }));
    },

    async countOf(bidderId: string): Promise<number> {
      const options = { limit: MOST_COUNTED, ...READ_LIMITS };
      const filter = { bidderId, ...(await notOfDeletedTasks(database)) };
      return hints.using("bids", "bidder-newest", (hint) =>
        bids.countDocuments(filter, { ...options, ...hint }),
      );
    },
  };
}

function furtherBack([key, id]: BidPlace) {
  const createdAt = new Date(key ?? Number.NaN);
  return [{ createdAt, _id: { $lt: new ObjectId(id) } }, { createdAt: { $lt: createdAt } }];
}
