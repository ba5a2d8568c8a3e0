import { DELETED, endpoints, UPDATED } from "../endpoint.ts";
import {
  awardSchema,
  bidDraftSchema,
  bidTriageSchema,
  invitationSchema,
  MAX_INVITED,
  myBidListSchema,
  myBidsQuerySchema,
  receivedBidListSchema,
  receivedBidsQuerySchema,
} from "../index.ts";

export const bidEndpoints = endpoints("Bids", {
  placeBid: {
    method: "PATCH",
    path: "/tasks/:id/bid",
    summary: "Bid on a task, or change the caller's bid",
    description:
      "Without a payload, bids the task's fixed price. `modifiedCount` is 1 for a first bid and for a change, 0 for a " +
      "repeated one. If the task has a screening question, a bid needs an `answer` to it. The number of first bids a day " +
      "(UTC) is limited, withdrawn ones included. With the task's tag in `If-Match`, no bid is placed if the client has " +
      "changed the task since it was read: the response is `changed-meanwhile`.",
    access: "not-owner",
    body: { schema: bidDraftSchema, optional: true },
    accepts: ["If-Match"],
    responses: [UPDATED],
    errors: ["task-not-found", "task-not-open", "task-expired", "bid-limit-reached"],
  },
  withdrawBid: {
    method: "DELETE",
    path: "/tasks/:id/bid",
    summary: "Withdraw the caller's bid",
    access: "signed-in",
    responses: [DELETED],
    errors: ["task-not-found", "wrong-state"],
  },
  listReceivedBids: {
    method: "GET",
    path: "/tasks/:id/bids",
    summary: "Bids on the caller's task",
    access: "owner",
    query: receivedBidsQuerySchema,
    responses: [{ status: 200, schema: receivedBidListSchema, headers: ["Link", "X-Total-Count"] }],
    errors: ["task-not-found", "invalid-cursor"],
  },
  triageBid: {
    method: "PATCH",
    path: "/tasks/:id/bids/:bidId",
    summary: "Shortlist or decline a bid, or undo that",
    access: "owner",
    body: { schema: bidTriageSchema },
    responses: [UPDATED],
    errors: ["task-not-found", "bid-not-found", "wrong-state"],
  },
  invite: {
    method: "POST",
    path: "/tasks/:id/invitations",
    summary: "Invite somebody to bid on the caller's task",
    description:
      `At most ${MAX_INVITED} people, who are notified. Not those who are not in the directory, or where one of the two has ` +
      "blocked the other. `modifiedCount` is 0 if they are invited or have bid already.",
    access: "owner",
    body: { schema: invitationSchema },
    responses: [UPDATED],
    errors: ["task-not-found", "person-not-found", "task-not-open", "cannot-invite", "too-many-invited"],
  },
  declineInvitation: {
    method: "DELETE",
    path: "/me/invitations/:id",
    summary: "Decline the invitation to a task",
    access: "signed-in",
    responses: [DELETED],
  },
  awardTask: {
    method: "POST",
    path: "/tasks/:id/award",
    summary: "Award the task to a bid",
    description:
      "There is one winner: awarding the same bid again changes nothing, another one is refused. With the bid's " +
      "`updatedAt`, the response is `changed-meanwhile` if the freelancer has changed the bid since it was read.",
    access: "owner",
    body: { schema: awardSchema },
    responses: [UPDATED],
    errors: ["task-not-found", "bid-not-found", "wrong-state", "freelancer-suspended", "changed-meanwhile"],
  },
  listMyBids: {
    method: "GET",
    path: "/me/bids",
    summary: "The caller's own bids, newest first",
    description:
      "With `state`, a page may be short even if another one follows, and `X-Total-Count` is left out.",
    access: "signed-in",
    query: myBidsQuerySchema,
    responses: [{ status: 200, schema: myBidListSchema, headers: ["Link", "X-Total-Count"] }],
    errors: ["invalid-cursor"],
  },
});
