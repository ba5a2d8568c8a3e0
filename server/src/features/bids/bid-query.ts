import { type Filter, ObjectId, type Sort } from "mongodb";
import type { BidSort, BidState } from "../../contract/index.ts";
import type { AwardDoc, BidDoc } from "../../db/collections.ts";
import type { IndexName } from "../../db/declared-indexes.ts";

/** The place in an ordered list after one bid: the value it was ordered by (null: it has none), and its id. */
export type BidPlace = [key: string | number | null, id: string];

/** Which bids on a task its client wants to see, and from where. */
export type InboxListing = {
  taskId: ObjectId;
  state?: BidState | undefined;
  /** The task's award: it decides which bids are awarded and declined. */
  award?: AwardDoc | undefined;
  sort: BidSort;
  after?: BidPlace | undefined;
};

/** Ranges of one index that stand one behind the other: together they are the list. */
export type BidPlan = { ranges: { filter: Filter<BidDoc>; sort: Sort }[]; index: IndexName<"bids"> };

type SortKey = "createdAt" | "amount" | "days";
type Order = { key: SortKey; direction: 1 | -1; index: IndexName<"bids"> };

const ORDERS: Record<BidSort, Order> = {
  newest: { key: "createdAt", direction: -1, index: "inbox-newest" },
  "amount-asc": { key: "amount", direction: 1, index: "inbox-by-amount" },
  "amount-desc": { key: "amount", direction: -1, index: "inbox-by-amount" },
  "days-asc": { key: "days", direction: 1, index: "inbox-by-days" },
};

/** How a page of the client's inbox is read. Bids that name no days come after those that do. */
export function planInbox(listing: InboxListing): BidPlan {
  const { sort, after } = listing;
  const { key, direction, index } = ORDERS[sort];
  const order: Sort = { [key]: direction, _id: direction };
  const base = inboxFilter(listing);
  const further = direction === 1 ? "$gt" : "$lt";
  const afterId = after && { _id: { [further]: new ObjectId(after[1]) } };
  // Two filters of the id must not overwrite each other.
  const and = (...parts: Filter<BidDoc>[]): Filter<BidDoc> => ({ $and: [base, ...parts] });

  const withoutDays = {
    filter: and({ days: null as never }, ...(after?.[0] === null ? [afterId ?? {}] : [])),
    sort: { _id: 1 },
  } as const;
  if (after?.[0] === null) return { ranges: [withoutDays], index };
  const named = sort === "days-asc" ? [{ days: { $gt: 0 } }] : [];
  const value = typeof after?.[0] === "string" ? new Date(after[0]) : after?.[0];
  const filter = after
    ? { $or: [and({ [key]: value, ...afterId }), and({ [key]: { [further]: value } })] }
    : and(...named);
  const ranges = [{ filter, sort: order }];
  return { ranges: sort === "days-asc" ? [...ranges, withoutDays] : ranges, index };
}

/** Which bids of the task are meant: presented as in this state, whatever is stored. */
export function inboxFilter({ taskId, state, award }: Omit<InboxListing, "sort" | "after">): Filter<BidDoc> {
  if (state === undefined) return { taskId };
  if (award) {
    if (state === "awarded") return { taskId, _id: award.bidId };
    return { taskId, _id: state === "declined" ? { $ne: award.bidId } : { $in: [] } };
  }
  // What is missing is placed.
  if (state === "placed") return { taskId, state: { $nin: ["shortlisted", "declined", "awarded"] } };
  return { taskId, state };
}

/** Where a bid stands in a list of that order, as a cursor holds it. */
export function bidPlaceOf(bid: BidDoc, sort: BidSort): BidPlace {
  const { key } = ORDERS[sort];
  const value = bid[key] ?? null;
  return [value instanceof Date ? value.toISOString() : value, bid._id.toHexString()];
}
