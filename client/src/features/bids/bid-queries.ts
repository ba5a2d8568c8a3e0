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

/** The bid form's schema. Unlike in the API's, the amount is required: there an empty one means "unchanged". */
export const bidFormSchema = z.extend(bidDraftSchema, { amount: usd("Amount") });
/** The same for a task with a screening question. */
export const screenedBidFormSchema = z.extend(bidFormSchema, {
  answer: paragraph("Answer", BID_LIMITS.answer),
});

/** Bids per "Load more". */
export const PAGE_SIZE = 20;

const taskPath = (taskId: string) => `/tasks/${encodeURIComponent(taskId)}`;

/** Prefix of the query keys of the viewer's own bids. */
export const MY_BIDS_KEY = ["bids", "mine"];

/** GET /me/bids, newest first; of one state, or of all. */
export function myBidsQuery(api: Api, state: BidState | undefined) {
  return listQuery([...MY_BIDS_KEY, state], PAGE_SIZE, async ({ limit, cursor }) => {
    const query = { state, cursor, limit: String(limit) };
    return pageOf(await api.call("/me/bids", { schema: myBidListSchema, query, auth: "required" }));
  });
}

/** Prefix of the query keys of the bids on a task. */
export const receivedBidsKey = (taskId: string) => ["bids", "received", taskId];

/** GET /tasks/:id/bids, for the task's owner only. An empty `state` means all. */
export function receivedBidsQuery(api: Api, taskId: string, view: { sort: string; state: string }) {
  return listQuery([...receivedBidsKey(taskId), view], PAGE_SIZE, async ({ limit, cursor }) => {
    const query = { ...view, cursor, limit: String(limit) };
    const path = `${taskPath(taskId)}/bids`;
    return pageOf(await api.call(path, { schema: receivedBidListSchema, query, auth: "required" }));
  });
}

/**
 * PATCH /tasks/:id/bid. Resolves to whether anything changed: false if the bid was already like that or, with a
 * version, if there already was one.
 * @param bid the bid's fields, or the version of the task to bid on at its price, sent as `If-Match` without a body.
 */
export async function placeBid(
  api: Api,
  taskId: string,
  bid: { draft: BidDraft } | { version: string },
): Promise<boolean> {
  const { data } = await api.call(`${taskPath(taskId)}/bid`, {
    method: "PATCH",
    // Repeated, a one-click bid would be refused as the second.
    ...("draft" in bid
      ? { body: bid.draft, isRepeatable: true }
      : { headers: { "If-Match": `"${bid.version}"` } }),
    schema: updateResponseSchema,
    auth: "required",
  });
  return data.modifiedCount > 0;
}

/** DELETE /tasks/:id/bid. Succeeds even if the bid no longer exists. */
export async function withdrawBid(api: Api, taskId: string): Promise<void> {
  await api.call(`${taskPath(taskId)}/bid`, {
    method: "DELETE",
    isRepeatable: true,
    schema: deleteResponseSchema,
    auth: "required",
  });
}

/** PATCH /tasks/:id/bids/:bidId: shortlists or declines a bid, or undoes that. */
export async function triageBid(api: Api, taskId: string, bidId: string, triage: BidTriage): Promise<void> {
  await api.call(`${taskPath(taskId)}/bids/${encodeURIComponent(bidId)}`, {
    method: "PATCH",
    body: triage,
    isRepeatable: true,
    schema: updateResponseSchema,
    auth: "required",
  });
}

/** POST /tasks/:id/award: awards the task to this bid, if the bid is still at the given `updatedAt`. */
export async function awardBid(api: Api, taskId: string, award: AwardDraft): Promise<void> {
  await api.call(`${taskPath(taskId)}/award`, {
    method: "POST",
    body: award,
    isRepeatable: true,
    schema: updateResponseSchema,
    auth: "required",
  });
}
