import {
  type BidDraft,
  type BidTriage,
  bidDraftSchema,
  deleteResponseSchema,
  type MyBid,
  myBidListSchema,
  type ReceivedBid,
  receivedBidListSchema,
  updateResponseSchema,
  usd,
} from "@tasklane/server/contract";
import * as z from "zod/mini";
import type { Api } from "../../lib/api.ts";
import { type Page, pageOf } from "../../lib/pages.ts";

/** What the form of a bid asks for: unlike in a request, an empty amount is not "as it was". */
export const bidFormSchema = z.extend(bidDraftSchema, { amount: usd("Amount") });

type PageOptions = { limit: number; cursor: string | undefined; signal: AbortSignal };

const taskPath = (taskId: string) => `/tasks/${encodeURIComponent(taskId)}`;

/**
 * PATCH /tasks/:id/bid, without a body for a bid at the task's own price. Resolves to whether anything changed: false
 * for a bid that was there already, as it is.
 */
export async function placeBid(api: Api, taskId: string, draft?: BidDraft): Promise<boolean> {
  const { data } = await api.call(`${taskPath(taskId)}/bid`, {
    method: "PATCH",
    ...(draft ? { body: draft } : {}),
    answer: updateResponseSchema,
    auth: "required",
  });
  return data.modifiedCount > 0;
}

/** DELETE /tasks/:id/bid. A bid that is gone already counts as withdrawn. */
export async function withdrawBid(api: Api, taskId: string): Promise<void> {
  await api.call(`${taskPath(taskId)}/bid`, {
    method: "DELETE",
    answer: deleteResponseSchema,
    auth: "required",
  });
}

/** GET /tasks/:id/bids, one page; the task's owner only. Empty `state` means all. */
export async function listReceivedBids(
  api: Api,
  taskId: string,
  { signal, limit, ...query }: PageOptions & { sort: string; state: string },
): Promise<Page<ReceivedBid>> {
  const answer = await api.call(`${taskPath(taskId)}/bids`, {
    answer: receivedBidListSchema,
    query: { ...query, limit: String(limit) },
    auth: "required",
    signal,
  });
  return pageOf(answer);
}

/** PATCH /tasks/:id/bids/:bidId: shortlists or declines a bid, or takes that back. */
export async function sortBid(api: Api, taskId: string, bidId: string, sorting: BidTriage): Promise<void> {
  await api.call(`${taskPath(taskId)}/bids/${encodeURIComponent(bidId)}`, {
    method: "PATCH",
    body: sorting,
    answer: updateResponseSchema,
    auth: "required",
  });
}

/** POST /tasks/:id/award: hires the freelancer of this bid. */
export async function awardBid(api: Api, taskId: string, bidId: string): Promise<void> {
  await api.call(`${taskPath(taskId)}/award`, {
    method: "POST",
    body: { bidId },
    answer: updateResponseSchema,
    auth: "required",
  });
}

/** GET /me/bids, one page, newest first. */
export async function listMyBids(api: Api, { signal, limit, cursor }: PageOptions): Promise<Page<MyBid>> {
  const answer = await api.call("/me/bids", {
    answer: myBidListSchema,
    query: { cursor, limit: String(limit) },
    auth: "required",
    signal,
  });
  return pageOf(answer);
}
