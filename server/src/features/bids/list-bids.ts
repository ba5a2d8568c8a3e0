import { type Filter, ObjectId, type Sort } from "mongodb";
import * as z from "zod/mini";
import type { User } from "../../auth/token-verifier.ts";
import type {
  BidSort,
  BidState,
  MyBid,
  MyBidsQuery,
  ReceivedBid,
  ReceivedBidsQuery,
} from "../../contract/index.ts";
import { type Database, NEWEST_FIRST, newestAfter } from "../../db/client.ts";
import { type BidDoc, stateForBidder } from "../../db/documents/bids.ts";
import { type AwardDoc, SHOWN_TASK, type TaskDoc } from "../../db/documents/tasks.ts";
import type { IndexName } from "../../db/indexes.ts";
import { notOfDeletedTasks } from "../../domain/announcements.ts";
import { introductionsOf, ratingsOf, reviewedBy, suspendedOf, withNames } from "../../domain/people.ts";
import type { Presented } from "../../domain/present.ts";
import { requireClient, titleFor } from "../../domain/task-conditions.ts";
import {
  idKey,
  instantKey,
  linkToNext,
  newestFirst,
  type PageCall,
  pageLimit,
  readCursor,
  readPage,
  writeCursor,
} from "../../http/pagination.ts";
import { isReviewable, presentMyBid, presentReceivedBid } from "./present-bid.ts";

/** A bid's place in an ordered list: the value it is ordered by (null if it has none) and its id. */
type BidPlace = [key: string | number | null, id: string];
const placeSchema = z.tuple([z.nullable(z.union([z.number(), instantKey])), idKey]);

/** Which bids on a task its client wants to see, in which order and after which place. */
type ReceivedBidsListing = {
  taskId: ObjectId;
  state?: BidState | undefined;
  /** The task's award, which decides which bids count as awarded and declined. */
  award?: AwardDoc | undefined;
  sort: BidSort;
  after?: BidPlace | undefined;
};

// A count reads an index entry for every bid it counts, and nobody turns enough pages to need a higher figure.
const MAX_COUNTED = 10_000;

/**
 * Lists the bids on a task for its client.
 * @throws {ProblemError} `task-not-found`, `not-your-task` or `invalid-cursor`.
 */
export async function listReceivedBids(
  database: Database,
  taskId: ObjectId,
  caller: User,
  call: PageCall<ReceivedBidsQuery>,
): Promise<Presented<ReceivedBid>[]> {
  const { tasks, bids } = database;
  const task = await tasks.findOne({ _id: taskId });
  requireClient(task, caller);
  const { sort = "newest", state } = call.query;
  const listing: ReceivedBidsListing = { taskId, state, award: task.award, sort };

  async function read(after: BidPlace | undefined, limit: number): Promise<BidDoc[]> {
    const { ranges, index } = planReceivedBids({ ...listing, after });
    const page: BidDoc[] = [];
    for (const { filter, sort } of ranges) {
      const options = { sort, limit: limit - page.length, hint: index };
      if (options.limit > 0) page.push(...(await bids.find(filter, options).toArray()));
    }
    return page;
  }

  const [page, total] = await Promise.all([
    readPage(call, {
      list: `received bids ${taskId} ${sort} ${state ?? ""}`,
      order: { key: placeSchema, keyOf: (bid: BidDoc) => bidPlaceOf(bid, sort) },
      read: ({ after, limit }) => read(after, limit),
    }),
    state === undefined
      ? task.bidsCount
      : bids.countDocuments(receivedFilter(listing), { limit: MAX_COUNTED, hint: "inbox-newest" }),
  ]);
  call.response.setHeader("X-Total-Count", total);
  const freelancers = page.map(({ bidderId }) => bidderId);
  const [ratings, introductions, suspended] = await Promise.all([
    ratingsOf(database, freelancers),
    introductionsOf(database, freelancers),
    suspendedOf(database, freelancers),
  ]);
  return page.map((bid) => ({
    ...presentReceivedBid(bid, task, ratings.get(bid.bidderId), introductions.get(bid.bidderId)),
    suspended: suspended.has(bid.bidderId) || undefined,
  }));
}

/**
 * Lists the caller's own bids, newest first. They are not counted if the list is filtered.
 * @throws {ProblemError} `invalid-cursor`.
 */
export async function listMyBids(
  database: Database,
  { uid }: User,
  now: Date,
  { query, request, response }: PageCall<MyBidsQuery>,
): Promise<Presented<MyBid>[]> {
  const { tasks, bids } = database;
  const { state, search } = query;
  const isFiltered = state !== undefined || search !== undefined;
  const list = `own bids ${uid} ${state ?? ""} ${search ?? ""}`;
  const limit = pageLimit(query);
  const start = readCursor(list, query.cursor, newestFirst.key);
  const own = { bidderId: uid, ...(await notOfDeletedTasks(database)) };
  const [{ page, last }, total] = await Promise.all([
    readOwnBids(),
    isFiltered ? undefined : bids.countDocuments(own, { limit: MAX_COUNTED }),
  ]);
  if (last)
    response.setHeader("Link", linkToNext(request, query, writeCursor(list, newestFirst.keyOf(last))));
  if (total !== undefined) response.setHeader("X-Total-Count", total);
  const reviewable = page.flatMap(({ bid, task }) => (isReviewable(bid, task) ? [task._id] : []));
  const reviewed = await reviewedBy(database, uid, reviewable);
  return page.map(({ bid, task }) => presentMyBid(bid, task, now, reviewed.has(task._id.toHexString())));

  function isWanted(bid: BidDoc, task: TaskDoc): boolean {
    if (state && stateForBidder(bid, task) !== state) return false;
    const texts = [titleFor(task, uid), task.name];
    return !search || texts.some((text) => text.toLowerCase().includes(search.trim().toLowerCase()));
  }

  /** Reads until the page is full, but not more than MAX_SCANNED bids: the next page continues from there. */
  async function readOwnBids() {
    const page: { bid: BidDoc; task: TaskDoc }[] = [];
    let last: BidDoc | undefined;
    const batch = isFiltered ? BATCH : limit + 1;
    for (let scanned = 0; scanned < MAX_SCANNED; scanned += batch) {
      const after = newestAfter(last ? newestFirst.keyOf(last) : start);
      const found = await bids.find({ ...own, ...after }, { sort: NEWEST_FIRST, limit: batch }).toArray();
      const taskOf = await readTasks(found.map(({ taskId }) => taskId));
      for (const bid of found) {
        if (page.length === limit) return { page, last };
        last = bid;
        const task = taskOf.get(bid.taskId.toHexString());
        // A task that is missing was deleted between the two reads, and its bids with it.
        if (task && isWanted(bid, task)) page.push({ bid, task });
      }
      if (found.length < batch) return { page, last: undefined };
    }
    return { page, last };
  }

  async function readTasks(ids: readonly ObjectId[]): Promise<Map<string, TaskDoc>> {
    const found = await tasks.find({ _id: { $in: [...ids] } }, { projection: SHOWN_TASK }).toArray();
    return new Map((await withNames(database, found)).map((task) => [task._id.toHexString(), task]));
  }
}

const BATCH = 100;
/** How many bids are read at most for one page. */
const MAX_SCANNED = 1_000;

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
function receivedFilter({ taskId, state, award }: ReceivedBidsListing): Filter<BidDoc> {
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
