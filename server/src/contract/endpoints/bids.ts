import { endpoints } from "../endpoint.ts";
import {
  awardSchema,
  bidDraftSchema,
  bidTriageSchema,
  deleteResponseSchema,
  myBidListSchema,
  myBidsQuerySchema,
  receivedBidListSchema,
  receivedBidsQuerySchema,
  updateResponseSchema,
} from "../index.ts";

const updated = [{ status: 200, schema: updateResponseSchema }] as const;
const deleted = [{ status: 200, schema: deleteResponseSchema }] as const;

export const bidEndpoints = endpoints("Bids", {
  placeBid: {
    method: "PATCH",
    path: "/tasks/:id/bid",
    summary: "Bid on a task, or change the own bid",
    description:
      "Without a payload, a bid at the task's fixed price. `modifiedCount` is 1 for a first bid and for a change, 0 for a " +
      "repeated one. Where the task has a screening question, a bid needs an `answer` to it. Only so many first bids are " +
      "possible on one day (UTC), withdrawn ones included. With the task's tag in `If-Match`, the bid is for the task as it " +
      "was read: if its client has changed it since, `changed-meanwhile`, and no bid is placed.",
    access: "not-owner",
    body: { schema: bidDraftSchema, optional: true },
    accepts: ["If-Match"],
    responses: updated,
    errors: ["task-not-found", "task-not-open", "task-expired", "bid-limit-reached"],
  },
  withdrawBid: {
    method: "DELETE",
    path: "/tasks/:id/bid",
    summary: "Withdraw the own bid",
    access: "signed-in",
    responses: deleted,
    errors: ["task-not-found", "wrong-state"],
  },
  listReceivedBids: {
    method: "GET",
    path: "/tasks/:id/bids",
    summary: "Bids on the own task",
    access: "owner",
    query: receivedBidsQuerySchema,
    responses: [{ status: 200, schema: receivedBidListSchema, headers: ["Link", "X-Total-Count"] }],
    errors: ["task-not-found", "invalid-cursor"],
  },
  sortBid: {
    method: "PATCH",
    path: "/tasks/:id/bids/:bidId",
    summary: "Shortlist or decline a bid, or take that back",
    access: "owner",
    body: { schema: bidTriageSchema },
    responses: updated,
    errors: ["task-not-found", "bid-not-found", "wrong-state"],
  },
  awardTask: {
    method: "POST",
    path: "/tasks/:id/award",
    summary: "Award the task to a bid",
    description:
      "One winner: the same bid again changes nothing, another one is refused. With the bid's `updatedAt` as it was read, " +
      "`changed-meanwhile` if its freelancer has changed the bid since.",
    access: "owner",
    body: { schema: awardSchema },
    responses: updated,
    errors: ["task-not-found", "bid-not-found", "wrong-state", "freelancer-suspended", "changed-meanwhile"],
  },
  listMyBids: {
    method: "GET",
    path: "/me/bids",
    summary: "The caller's own bids, newest first",
    description:
      "With a `state` a page may be short although a next one follows, and `X-Total-Count` is left out.",
    access: "signed-in",
    query: myBidsQuerySchema,
    responses: [{ status: 200, schema: myBidListSchema, headers: ["Link", "X-Total-Count"] }],
    errors: ["invalid-cursor"],
  },
});
