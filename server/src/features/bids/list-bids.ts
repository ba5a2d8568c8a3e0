import * as z from "zod/mini";
import type { User } from "../../auth/token-verifier.ts";
import type { BidState, MyBid, MyBidsQuery, ReceivedBid, ReceivedBidsQuery } from "../../contract/index.ts";
import { bidState } from "../../db/documents/bids.ts";
import { whyNotClient } from "../../db/task-conditions.ts";
import {
  cutPage,
  idKey,
  instantKey,
  newestFirstKey,
  newestFirstKeyOf,
  pageLimit,
  readCursor,
  writeCursor,
} from "../../http/pagination.ts";
import { ProblemError } from "../../http/problem.ts";
import { type BidQueries, bidPlaceOf } from "./bid-queries.ts";
import { isReviewable, presentMyBid, presentReceivedBid } from "./present-bid.ts";

/** One page of a list: `next` is the cursor of the next page, if there is one; `total` counts all pages. */
type BidPage<T> = { bids: T[]; next: string | undefined; total: number };
/** A page of one's own bids, which are not counted if the list is filtered. */
type OwnBidPage = Omit<BidPage<MyBid>, "total"> & { total: number | undefined };

const placeSchema = z.tuple([z.nullable(z.union([z.number(), instantKey])), idKey]);

/**
 * Lists the bids on a task for its client.
 * @throws {ProblemError} `task-not-found`, `not-your-task` or `invalid-cursor`.
 */
export async function listReceivedBids(
  queries: BidQueries,
  id: string,
  query: ReceivedBidsQuery,
  caller: User,
): Promise<BidPage<ReceivedBid>> {
  const task = await queries.findTask(id);
  if (!task) throw new ProblemError("task-not-found");
  const refusal = whyNotClient(task, caller);
  if (refusal) throw new ProblemError(refusal);
  const { sort = "newest", state } = query;
  const list = `received bids ${id} ${sort} ${state ?? ""}`;
  const listing = { taskId: task._id, state, award: task.award };
  const limit = pageLimit(query);
  const after = readCursor(list, query.cursor, placeSchema);
  const [found, total] = await Promise.all([
    queries.listReceived({ ...listing, sort, after }, limit + 1),
    state === undefined ? task.bidsCount : queries.countReceived(listing),
  ]);
  const { page, last } = cutPage(found, limit);
  const freelancers = page.map(({ bidderId }) => bidderId);
  const [ratings, suspended] = await Promise.all([
    queries.ratingsOf(freelancers),
    queries.suspendedOf(freelancers),
  ]);
  return {
    bids: page.map((bid) => ({
      ...presentReceivedBid(bid, task, ratings.get(bid.bidderId)),
      suspended: suspended.has(bid.bidderId) || undefined,
    })),
    next: last && writeCursor(list, bidPlaceOf(last, sort)),
    total,
  };
}

/**
 * Lists the caller's own bids, newest first.
 * @throws {ProblemError} `invalid-cursor`.
 */
export async function listMyBids(
  queries: BidQueries,
  query: MyBidsQuery,
  caller: User,
  now: Date,
): Promise<OwnBidPage> {
  const { state } = query;
  const list = `own bids ${caller.uid} ${state ?? ""}`;
  const limit = pageLimit(query);
  const place = readCursor(list, query.cursor, newestFirstKey);
  const [{ page, last }, total] = await Promise.all([
    state
      ? ownBidsOf(state)
      : queries.listOwn(caller.uid, place, limit + 1).then((all) => cutPage(all, limit)),
    state ? undefined : queries.countOwn(caller.uid),
  ]);
  const reviewable = page.flatMap(({ bid, task }) =>
    task && isReviewable(bid, task) ? [task._id.toHexString()] : [],
  );
  const reviewed = await queries.reviewedBy(caller.uid, reviewable);
  return {
    // A task that is missing was deleted between the two reads, and its bids with it.
    bids: page.flatMap(({ bid, task }) =>
      task ? [presentMyBid(bid, task, now, reviewed.has(task._id.toHexString()))] : [],
    ),
    next: last && writeCursor(list, newestFirstKeyOf(last.bid)),
    total,
  };

  /** A page of the own bids in this state. It ends early after MAX_SCANNED bids; the next page continues from there. */
  async function ownBidsOf(wanted: BidState) {
    const kept: OwnBid[] = [];
    let last: OwnBid | undefined;
    for (let scanned = 0; scanned < MAX_SCANNED; scanned += BATCH) {
      const some = await queries.listOwn(caller.uid, last ? newestFirstKeyOf(last.bid) : place, BATCH);
      for (const own of some) {
        if (kept.length === limit) return { page: kept, last };
        last = own;
        if (own.task && bidState(own.bid, own.task) === wanted) kept.push(own);
      }
      if (some.length < BATCH) return { page: kept, last: undefined };
    }
    return { page: kept, last };
  }
}

type OwnBid = Awaited<ReturnType<BidQueries["listOwn"]>>[number];

const BATCH = 100;
/** How many bids are read at most for one page. */
const MAX_SCANNED = 1_000;
