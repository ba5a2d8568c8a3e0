import { type Filter, ObjectId, type Sort } from "mongodb";
import type { BidSort, BidState } from "../../contract/index.ts";
import { type Database, NEWEST_FIRST, newestAfter, type PageStart, READ_LIMITS } from "../../db/client.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { AwardDoc, TaskDoc } from "../../db/documents/tasks.ts";
import type { IndexName } from "../../db/indexes.ts";
import { notOfDeletedTasks } from "../../domain/announcements.ts";
import {
  introductionsOf,
  namesOf,
  ratingsOf,
  reviewedBy,
  suspendedOf,
  withNames,
} from "../../domain/people.ts";
import { MY_BID_TASK, type MyBidTask } from "./present-bid.ts";

/** A bid's place in an ordered list: the value it is ordered by (null if it has none) and its id. */
export type BidPlace = [key: string | number | null, id: string];

/** Which bids on a task its client wants to see, in which order and after which place. */
export type ReceivedBidsListing = {
  taskId: ObjectId;
  state?: BidState | undefined;
  /** The task's award, which decides which bids count as awarded and declined. */
  award?: AwardDoc | undefined;
  sort: BidSort;
  after?: BidPlace | undefined;
};

export type BidQueries = ReturnType<typeof bidQueries>;

// A count reads an index entry for every bid it counts, and nobody turns enough pages to need a higher figure.
const COUNT_LIMITS = { limit: 10_000, ...READ_LIMITS } as const;
const BIDS_TASK = { ownerId: 1, budget: 1, award: 1, bidsCount: 1, hidden: 1 } as const;
/** The fields of a task that decide who may read its bids and how they are presented. */
type BidsTask = Pick<TaskDoc, "_id" | keyof typeof BIDS_TASK>;

/** Reads the bids on a task for its client, and a freelancer's own, with people's current names. */
export function bidQueries(database: Database) {
  const { tasks, bids } = database;
  return {
    findTask(id: string): Promise<BidsTask | null> {
      return tasks.findOne<BidsTask>({ _id: new ObjectId(id) }, { projection: BIDS_TASK, ...READ_LIMITS });
    },

    /** A page of the bids on a task. */
    async listReceived(listing: ReceivedBidsListing, limit: number): Promise<BidDoc[]> {
      const { ranges, index } = planReceivedBids(listing);
      const page: BidDoc[] = [];
      for (const { filter, sort } of ranges) {
        const options = { sort, limit: limit - page.length, ...READ_LIMITS };
        if (options.limit === 0) break;
        const found = await bids.find(filter, { ...options, hint: index }).toArray();
        page.push(...found);
      }
      const known = await namesOf(
        database,
        page.map(({ bidderId }) => bidderId),
      );
      return page.map(({ bidderName, bidderImage, ...bid }) => {
        const { name, image } = known.get(bid.bidderId) ?? { name: bidderName, image: bidderImage };
        return { ...bid, bidderName: name, bidderImage: image };
      });
    },

    /** Counts the bids on the task in this state. */
    countReceived(listing: Pick<ReceivedBidsListing, "taskId" | "state" | "award">): Promise<number> {
      return bids.countDocuments(receivedFilter(listing), { ...COUNT_LIMITS, hint: "inbox-newest" });
    },

    /** A page of somebody's own bids, newest first, each with its task. */
    async listOwn(bidderId: string, { after, limit }: PageStart) {
      const filter = { bidderId, ...(await notOfDeletedTasks(database)), ...newestAfter(after) };
      const options = { sort: NEWEST_FIRST, limit, ...READ_LIMITS };
      const page = await bids.find(filter, { ...options, hint: "bidder-newest" }).toArray();
      const ids = page.map(({ taskId }) => taskId);
      const found = await tasks
        .find<MyBidTask>({ _id: { $in: ids } }, { projection: MY_BID_TASK, ...READ_LIMITS })
        .toArray();
      const named = await withNames(database, found);
      const byId = new Map(named.map((task) => [task._id.toHexString(), task]));
      return page.map((bid) => ({ bid, task: byId.get(bid.taskId.toHexString()) }));
    },

    ratingsOf: (people: readonly string[]) => ratingsOf(database, people),

    introductionsOf: (people: readonly string[]) => introductionsOf(database, people),

    suspendedOf: (people: readonly string[]) => suspendedOf(database, people),

    /** Which of these tasks this person has reviewed. */
    reviewedBy: (uid: string, taskIds: readonly string[]) => reviewedBy(database, uid, taskIds),

    async countOwn(bidderId: string): Promise<number> {
      const filter = { bidderId, ...(await notOfDeletedTasks(database)) };
      return bids.countDocuments(filter, { ...COUNT_LIMITS, hint: "bidder-newest" });
    },
  };
}

type SortKey = "createdAt" | "amount" | "days";
type Order = { key: SortKey; direction: 1 | -1; index: IndexName<"bids"> };

const ORDERS: Record<BidSort, Order> = {
  newest: { key: "createdAt", direction: -1, index: "inbox-newest" },
  "amount-asc": { key: "amount", direction: 1, index: "inbox-by-amount" },
  "amount-desc": { key: "amount", direction: -1, index: "inbox-by-amount" },
  "days-asc": { key: "days", direction: 1, index: "inbox-by-days" },
};

/** Plans how a page of received bids is read: as consecutive ranges of one index, bids without days last. */
export function planReceivedBids(listing: ReceivedBidsListing) {
  const { sort, after } = listing;
  const { key, direction, index } = ORDERS[sort];
  const order: Sort = { [key]: direction, _id: direction };
  const base = receivedFilter(listing);
  const further = direction === 1 ? "$gt" : "$lt";
  const afterId = after && { _id: { [further]: new ObjectId(after[1]) } };
  // Combined with $and, because two conditions on `_id` would overwrite each other.
  const and = (...parts: Filter<BidDoc>[]): Filter<BidDoc> => ({ $and: [base, ...parts] });

  const inWithoutDays = after?.[0] === null;
  const withoutDays = {
    filter: and({ days: null as never }, ...(inWithoutDays ? [afterId ?? {}] : [])),
    sort: { _id: 1 } as Sort,
  };
  if (inWithoutDays) return { ranges: [withoutDays], index };
  const value = typeof after?.[0] === "string" ? new Date(after[0]) : after?.[0];
  const filter = after
    ? { $or: [and({ [key]: value, ...afterId }), and({ [key]: { [further]: value } })] }
    : and(...(sort === "days-asc" ? [{ days: { $gt: 0 } }] : []));
  const ranges = [{ filter, sort: order }];
  return { ranges: sort === "days-asc" ? [...ranges, withoutDays] : ranges, index };
}

/** Selects the bids by the state in which they are presented, which after an award differs from the stored one. */
function receivedFilter({
  taskId,
  state,
  award,
}: Pick<ReceivedBidsListing, "taskId" | "state" | "award">): Filter<BidDoc> {
  if (state === undefined) return { taskId };
  if (award) {
    if (state === "awarded") return { taskId, _id: award.bidId };
    return { taskId, _id: state === "declined" ? { $ne: award.bidId } : { $in: [] } };
  }
  return { taskId, state: state === "awarded" ? { $in: [] } : state };
}

/** A bid's place in a list of this order, as stored in a cursor. */
export function bidPlaceOf(bid: BidDoc, sort: BidSort): BidPlace {
  const value = bid[ORDERS[sort].key] ?? null;
  return [value instanceof Date ? value.toISOString() : value, bid._id.toHexString()];
}
