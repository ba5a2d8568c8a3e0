import * as z from "zod/mini";
import type { User } from "../../auth/token-verifier.ts";
import type { MyBid, PageQuery, ReceivedBid, ReceivedBidsQuery } from "../../contract/index.ts";
import { cutPage, idKey, instantKey, readCursor, writeCursor } from "../../http/pagination.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { isClient } from "./bid-policy.ts";
import { bidPlaceOf } from "./bid-query.ts";
import type { InboxStore } from "./inbox-store.ts";
import { presentMyBid, presentReceivedBid } from "./present-bid.ts";

/** One page of a list: `next` is the cursor of the page after it, if there is one; `total` counts all pages. */
export type BidPage<T> = { bids: T[]; next: string | undefined; total: number };

const PAGE_SIZE = 20;

/**
 * Lists the bids on a task for its client.
 * @throws {ProblemError} `task-not-found`, `not-your-task` or `invalid-cursor`.
 */
export async function listReceivedBids(
  store: InboxStore,
  id: string,
  query: ReceivedBidsQuery,
  caller: User,
): Promise<BidPage<ReceivedBid>> {
  const task = await store.findTask(id);
  if (!task) throw new ProblemError("task-not-found");
  if (!isClient(task, caller)) throw new ProblemError("not-your-task");
  const { sort = "newest", state } = query;
  if (sort.startsWith("amount")) await store.fillAmounts(task);
  const list = `inbox ${id} ${sort} ${state ?? ""}`;
  const choice = { taskId: task._id, state, award: task.award };
  const limit = Number(query.limit ?? PAGE_SIZE);
  const [found, total] = await Promise.all([
    store.list({ ...choice, sort, after: readCursor(list, query.cursor, placeSchema) }, limit + 1),
    state === undefined ? task.bidsCount : store.count(choice),
  ]);
  const { page, last } = cutPage(found, limit);
  return {
    bids: page.map((bid) => presentReceivedBid(bid, task)),
    next: last && writeCursor(list, bidPlaceOf(last, sort)),
    total,
  };
}

/**
 * Lists the caller's own bids, newest first.
 * @throws {ProblemError} `invalid-cursor`.
 */
export async function listMyBids(
  store: InboxStore,
  query: PageQuery,
  caller: User,
  now: Date,
): Promise<BidPage<MyBid>> {
  const list = `mine ${caller.uid}`;
  const limit = Number(query.limit ?? PAGE_SIZE);
  const [found, total] = await Promise.all([
    store.listOf(caller.uid, readCursor(list, query.cursor, placeSchema), limit + 1),
    store.countOf(caller.uid),
  ]);
  const { page, last } = cutPage(found, limit);
  return {
    // A task that was deleted between the two reads took its bids along.
    bids: page.flatMap(({ bid, task }) => (task ? [presentMyBid(bid, task, now)] : [])),
    next: last && writeCursor(list, bidPlaceOf(last.bid, "newest")),
    total,
  };
}

const placeSchema = z.tuple([z.nullable(z.union([z.number(), instantKey])), idKey]);
