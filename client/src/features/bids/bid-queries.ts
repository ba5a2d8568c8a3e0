import {
  type AwardDraft,
  BID_LIMITS,
  type BidDraft,
  type BidState,
  type BidTriage,
  bidDraftSchema,
  deleteResponseSchema,
  myBidListSchema,
  paragraph,
  receivedBidListSchema,
  updateResponseSchema,
  usd,
} from "@tasklane/server/contract";
import * as z from "zod/mini";
import type { Api } from "../../lib/api.ts";
import { listQuery, pageOf } from "../../lib/pages.ts";

/** What the form of a bid asks for: unlike in a request, an empty amount is not "as it was". */
export const bidFormSchema = z.extend(bidDraftSchema, { amount: usd("Amount") });
/** The same where the client asks a question. */
export const answeringFormSchema = z.extend(bidFormSchema, {
  answer: paragraph("Answer", BID_LIMITS.answer),
});

/** Bids in one step of "Load more". */
export const PAGE_SIZE = 20;

const taskPath = (taskId: string) => `/tasks/${encodeURIComponent(taskId)}`;

/** The key of all that was read of one's own bids. */
export const MY_BIDS_KEY = ["bids", "mine"];

/** GET /me/bids, newest first; of one state, or all. */
export function myBidsQuery(api: Api, state: BidState | undefined) {
  return listQuery([...MY_BIDS_KEY, state], PAGE_SIZE, async ({ limit, cursor }) => {
    const query = { state, cursor, limit: String(limit) };
    return pageOf(await api.call("/me/bids", { schema: myBidListSchema, query, auth: "required" }));
  });
}

/** The key of all that was read of the bids on a task. */
export const receivedBidsKey = (taskId: string) => ["bids", "received", taskId];

/** GET /tasks/:id/bids; the task's owner only. Empty `state` means all. */
export function receivedBidsQuery(api: Api, taskId: string, view: { sort: string; state: string }) {
  return listQuery([...receivedBidsKey(taskId), view], PAGE_SIZE, async ({ limit, cursor }) => {
    const query = { ...view, cursor, limit: String(limit) };
    const path = `${taskPath(taskId)}/bids`;
    return pageOf(await api.call(path, { schema: receivedBidListSchema, query, auth: "required" }));
  });
}

/**
 * PATCH /tasks/:id/bid. Resolves to whether anything changed: false for a bid that was there already, as it is.
 * @param bid amount and more; or the version of the task at whose price to bid, which is then sent without a body.
 */
export async function placeBid(
  api: Api,
  taskId: string,
  bid: { draft: BidDraft } | { version: string },
): Promise<boolean> {
  const { data } = await api.call(`${taskPath(taskId)}/bid`, {
    method: "PATCH",
    ...("draft" in bid ? { body: bid.draft } : { headers: { "If-Match": `"${bid.version}"` } }),
    schema: updateResponseSchema,
    auth: "required",
  });
  return data.modifiedCount > 0;
}

/** DELETE /tasks/:id/bid. A bid that is gone already counts as withdrawn. */
export async function withdrawBid(api: Api, taskId: string): Promise<void> {
  await api.call(`${taskPath(taskId)}/bid`, {
    method: "DELETE",
    schema: deleteResponseSchema,
    auth: "required",
  });
}

/** PATCH /tasks/:id/bids/:bidId: shortlists or declines a bid, or takes that back. */
export async function triageBid(api: Api, taskId: string, bidId: string, triage: BidTriage): Promise<void> {
  await api.call(`${taskPath(taskId)}/bids/${encodeURIComponent(bidId)}`, {
    method: "PATCH",
    body: triage,
    schema: updateResponseSchema,
    auth: "required",
  });
}

/** POST /tasks/:id/award: hires the freelancer of this bid, as it was read. */
export async function awardBid(api: Api, taskId: string, award: AwardDraft): Promise<void> {
  await api.call(`${taskPath(taskId)}/award`, {
    method: "POST",
    body: award,
    schema: updateResponseSchema,
    auth: "required",
  });
}
