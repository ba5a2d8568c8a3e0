import * as z from "zod/mini";
import type { User } from "../../auth/token-verifier.ts";
import type { MyBid, MyBidsQuery, ReceivedBid, ReceivedBidsQuery } from "../../contract/index.ts";
import { type BidDoc, stateForBidder } from "../../db/documents/bids.ts";
import { ProblemError } from "../../domain/problem-error.ts";
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
import { isReviewable, type MyBidTask, presentMyBid, presentReceivedBid } from "./present-bid.ts";
import { type BidQueries, bidPlaceOf } from "./store.ts";

const placeSchema = z.tuple([z.nullable(z.union([z.number(), instantKey])), idKey]);

/**
 * Lists the bids on a task for its client.
 * @throws {ProblemError} `task-not-found`, `not-your-task` or `invalid-cursor`.
 */
export async function listReceivedBids(
  queries: BidQueries,
  id: string,
  caller: User,
  call: PageCall<ReceivedBidsQuery>,
): Promise<ReceivedBid[]> {
  const task = await queries.findTask(id);
  if (!task) throw new ProblemError("task-not-found");
  requireClient(task, caller);
  const { sort = "newest", state } = call.query;
  const listing = { taskId: task._id, state, award: task.award };
  const [page, total] = await Promise.all([
    readPage(call, {
      list: `received bids ${id} ${sort} ${state ?? ""}`,
      order: { key: placeSchema, keyOf: (bid: BidDoc) => bidPlaceOf(bid, sort) },
      read: ({ after, limit }) => queries.listReceived({ ...listing, sort, after }, limit),
    }),
    state === undefined ? task.bidsCount : queries.countReceived(listing),
  ]);
  call.response.setHeader("X-Total-Count", total);
  const freelancers = page.map(({ bidderId }) => bidderId);
  const [ratings, introductions, suspended] = await Promise.all([
    queries.ratingsOf(freelancers),
    queries.introductionsOf(freelancers),
    queries.suspendedOf(freelancers),
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
  queries: BidQueries,
  { uid }: User,
  now: Date,
  { query, request, response }: PageCall<MyBidsQuery>,
): Promise<MyBid[]> {
  const { state, search } = query;
  const isFiltered = state !== undefined || search !== undefined;
  const list = `own bids ${uid} ${state ?? ""} ${search ?? ""}`;
  const limit = pageLimit(query);
  const start = readCursor(list, query.cursor, newestFirst.key);
  const [{ page, last }, total] = await Promise.all([
    readOwnBids(),
    isFiltered ? undefined : queries.countOwn(uid),
  ]);
  if (last)
    response.setHeader("Link", linkToNext(request, query, writeCursor(list, newestFirst.keyOf(last))));
  if (total !== undefined) response.setHeader("X-Total-Count", total);
  const reviewable = page.flatMap(({ bid, task }) =>
    isReviewable(bid, task) ? [task._id.toHexString()] : [],
  );
  const reviewed = await queries.reviewedBy(uid, reviewable);
  return page.map(({ bid, task }) => presentMyBid(bid, task, now, reviewed.has(task._id.toHexString())));

  function isWanted(bid: BidDoc, task: MyBidTask): boolean {
    if (state && stateForBidder(bid, task) !== state) return false;
    const texts = [titleFor(task, uid), task.name];
    return !search || texts.some((text) => text.toLowerCase().includes(search.trim().toLowerCase()));
  }

  /** Reads until the page is full, but not more than MAX_SCANNED bids: the next page continues from there. */
  async function readOwnBids() {
    const page: { bid: BidDoc; task: MyBidTask }[] = [];
    let last: BidDoc | undefined;
    const batch = isFiltered ? BATCH : limit + 1;
    for (let scanned = 0; scanned < MAX_SCANNED; scanned += batch) {
      const after = last ? newestFirst.keyOf(last) : start;
      const found = await queries.listOwn(uid, { after, limit: batch });
      for (const { bid, task } of found) {
        if (page.length === limit) return { page, last };
        last = bid;
        // A task that is missing was deleted between the two reads, and its bids with it.
        if (task && isWanted(bid, task)) page.push({ bid, task });
      }
      if (found.length < batch) return { page, last: undefined };
    }
    return { page, last };
  }
}

const BATCH = 100;
/** How many bids are read at most for one page. */
const MAX_SCANNED = 1_000;
