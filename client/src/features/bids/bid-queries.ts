import type { BidState } from "@tasklane/server/contract";
import { listQuery } from "../../lib/queries.tsx";

/** Bids per "Load more". */
export const PAGE_SIZE = 20;

/** Prefix of the query keys of the viewer's own bids. */
export const MY_BIDS_KEY = ["bids", "mine"];

/** The viewer's bids, newest first; of one state, or of all; with this text in the task's title or the client's name. */
export function myBidsQuery(filters: { state: BidState | undefined; search: string | undefined }) {
  return listQuery([...MY_BIDS_KEY, filters], PAGE_SIZE, "GET /me/bids", { query: filters });
}

/** Prefix of the query keys of the bids on a task. */
export const receivedBidsKey = (taskId: string) => ["bids", "received", taskId];

/** The bids on the viewer's own task. An empty `state` means all. */
export function receivedBidsQuery(id: string, view: { sort: string; state: string }) {
  const request = { params: { id }, query: view };
  return listQuery([...receivedBidsKey(id), view], PAGE_SIZE, "GET /tasks/:id/bids", request);
}
