import * as z from "zod/mini";
import { endpoints, list } from "./endpoint.ts";
import {
  atMost,
  documentId,
  line,
  oneOf,
  optionalParagraph,
  pageQuerySchema,
  paragraph,
  parameter,
  searchText,
  usd,
  wholeNumber,
} from "./fields.ts";
import { fileIds } from "./file.ts";
import { ratingSchema } from "./person.ts";
import { TASK_STATES } from "./task-state.ts";

/** Bounds of a bid's fields: whole days to deliver, and characters. */
export const BID_LIMITS = {
  days: 365,
  message: 2_000,
  question: 200,
  answer: 1_000,
  note: 1_000,
  search: 100,
} as const;

/** The highest `sentTo`: more copies of a message are not counted. */
export const MAX_SENT_TO = 50;
/** How long a client can undo a decline before its freelancer is notified. */
export const DECLINE_PAUSE_MS = 60_000;
/** With this many bids left today or fewer, a freelancer sees the number. */
export const FEW_BIDS = 5;

/** `declined` includes the bids that lost when the task was awarded. */
export const BID_STATES = ["placed", "shortlisted", "declined", "awarded"] as const;
export type BidState = (typeof BID_STATES)[number];

const days = wholeNumber(BID_LIMITS.days, `Enter 1 to ${BID_LIMITS.days} whole days.`);

/** The terms of a bid, as stored and read. `amount` in USD, `days` whole days to deliver. */
export const bidTermsSchema = z.object({
  amount: usd("Amount"),
  days: z.optional(days),
  message: z.optional(paragraph("Message", BID_LIMITS.message)),
  /** The client's screening question, as worded when it was answered. */
  question: z.optional(line("Question", BID_LIMITS.question)),
  answer: z.optional(paragraph("Answer", BID_LIMITS.answer)),
});

/**
 * The optional body of `PATCH /tasks/:id/bid`. Without it, a first bid is at the task's fixed price. Absent fields stay
 * as they are; `days: null` and an empty `message` remove them. Other fields are ignored.
 *
 * If the task has a screening question, a bid needs an `answer` to it. `question` names the question that was answered,
 * so that an answer to an earlier wording is refused; by default it is the current one.
 */
export const bidDraftSchema = z.object({
  amount: z.optional(bidTermsSchema.shape.amount),
  days: z.optional(z.nullable(days)),
  message: z.optional(optionalParagraph("Message", BID_LIMITS.message)),
  question: bidTermsSchema.shape.question,
  answer: bidTermsSchema.shape.answer,
  files: fileIds(),
});
export type BidDraft = z.infer<typeof bidDraftSchema>;

/**
 * A bid as its freelancer sees it. `createdAt` and `updatedAt` are ISO instants. `sentTo`: on how many other tasks the
 * freelancer had sent nearly the same message before, up to {@link MAX_SENT_TO}; absent if none.
 */
export const bidSchema = z.extend(bidTermsSchema, {
  _id: z.string(),
  state: z.enum(BID_STATES),
  sentTo: z.optional(z.number()),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Bid = z.infer<typeof bidSchema>;

/**
 * A bid as the task's client sees it (`GET /tasks/:id/bids`), without `freelancerId` if the freelancer deleted their
 * account. The hired freelancer's contact data comes with the task.
 */
export const receivedBidSchema = z.extend(bidSchema, {
  freelancerId: z.optional(z.string()),
  name: z.string(),
  image: z.optional(z.string()),
  /** When the client declined it (ISO instant); its freelancer is notified a minute later, unless that is undone. */
  declinedAt: z.optional(z.string()),
  /** The freelancer's. */
  rating: ratingSchema,
  /** What they say about themselves in their profile, if they have written one. */
  headline: z.optional(z.string()),
  skills: z.optional(z.array(z.string())),
  /** The jobs that they have completed. */
  jobsCompleted: z.number(),
  /** True if the freelancer's account is suspended: the bid cannot be awarded. */
  suspended: z.optional(z.boolean()),
  /** The client's own note, which nobody else sees. */
  note: z.optional(z.string()),
});
export type ReceivedBid = z.infer<typeof receivedBidSchema>;

/** One of the caller's bids with its task (`GET /me/bids`), without `clientId` if the client deleted their account. */
export const myBidSchema = z.extend(bidSchema, {
  /** True if the work is completed and the caller has yet to review the client, who still has an account. */
  reviewDue: z.optional(z.boolean()),
  /** True if the client says that the completed work is paid, and the caller has yet to confirm it. */
  confirmDue: z.optional(z.boolean()),
  task: z.object({
    _id: z.string(),
    title: z.string(),
    /** True if an operator hides the task, title included, from the caller. */
    hidden: z.optional(z.boolean()),
    category: z.string(),
    state: z.enum(TASK_STATES),
    /** For the hired freelancer, the agreed date. */
    deadline: z.string(),
    /** For the hired freelancer, the agreed price in USD. */
    agreedPrice: z.optional(z.number()),
    budget: z.number(),
    name: z.string(),
    clientId: z.optional(z.string()),
  }),
});
export type MyBid = z.infer<typeof myBidSchema>;

/** Sort orders of received bids. */
export const BID_SORTS = ["newest", "amount-asc", "amount-desc", "days-asc"] as const;
export type BidSort = (typeof BID_SORTS)[number];

/** The query of `GET /tasks/:id/bids`. */
export const receivedBidsQuerySchema = z.extend(pageQuerySchema, {
  sort: parameter(oneOf(BID_SORTS, "Sort by one of")),
  state: parameter(oneOf(BID_STATES, "Choose a state:")),
});
export type ReceivedBidsQuery = z.infer<typeof receivedBidsQuerySchema>;

/**
 * The query of `GET /me/bids`; `search`: a text in the task's title or the client's name. Filtered, a page may be short
 * even if another follows, and there is no total: what is filtered by stands in the tasks, not in the bids.
 */
export const myBidsQuerySchema = z.extend(pageQuerySchema, {
  state: parameter(oneOf(BID_STATES, "Choose a state:")),
  search: parameter(searchText(BID_LIMITS.search)),
});
export type MyBidsQuery = z.infer<typeof myBidsQuerySchema>;

/** `PATCH /tasks/:id/bids/:bidId`: how the client triages a bid. Awarding is a separate endpoint. */
export const bidTriageSchema = z.object({
  state: oneOf(["placed", "shortlisted", "declined"], "Choose a state:"),
});
export type BidTriage = z.infer<typeof bidTriageSchema>;

/** `PUT /tasks/:id/bids/:bidId/note`: what the client notes about a bid for themselves; an empty one is removed. */
export const bidNoteSchema = z.object({ note: optionalParagraph("Note", BID_LIMITS.note) });
export type BidNote = z.infer<typeof bidNoteSchema>;

/**
 * `POST /tasks/:id/award`. `updatedAt` is the bid's own, as the client read it: if the bid has changed since, the award
 * is refused.
 */
export const awardSchema = award();

// @__NO_SIDE_EFFECTS__
function award() {
  const unread = "Give the bid's updatedAt as it was read.";
  return z.object({
    bidId: documentId("bid"),
    updatedAt: z.optional(z.string({ error: unread }).check(atMost(30, unread))),
  });
}
export type AwardDraft = z.infer<typeof awardSchema>;

/** How many people a client can invite to one task. */
export const MAX_INVITED = 20;

/** `POST /tasks/:id/invitations`: `personId` as in `GET /profiles/:id`. */
export const invitationSchema = z.object({
  personId: z.string({ error: "Name the person." }).check(z.minLength(1), z.maxLength(128)),
});
export type Invitation = z.infer<typeof invitationSchema>;

export const bidEndpoints = /* @__PURE__ */ endpoints("Bids", {
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
    body: bidDraftSchema,
    bodyIsOptional: true,
    accepts: ["If-Match"],
    errors: ["task-not-open", "task-expired", "bid-limit-reached"],
  },
  withdrawBid: {
    method: "DELETE",
    path: "/tasks/:id/bid",
    summary: "Withdraw the caller's bid",
    access: "signed-in",
    errors: ["task-not-found", "wrong-state"],
  },
  listReceivedBids: {
    method: "GET",
    path: "/tasks/:id/bids",
    summary: "Bids on the caller's task",
    access: "owner",
    query: receivedBidsQuerySchema,
    responses: [list(receivedBidSchema, "Link", "X-Total-Count")],
  },
  triageBid: {
    method: "PATCH",
    path: "/tasks/:id/bids/:bidId",
    summary: "Shortlist or decline a bid, or undo that",
    access: "owner",
    body: bidTriageSchema,
    errors: ["bid-not-found", "wrong-state"],
  },
  noteBid: {
    method: "PUT",
    path: "/tasks/:id/bids/:bidId/note",
    summary: "Save a private note about a bid",
    description: "Only the task's client sees it. An empty note removes it.",
    access: "owner",
    body: bidNoteSchema,
    errors: ["bid-not-found"],
  },
  invite: {
    method: "POST",
    path: "/tasks/:id/invitations",
    summary: "Invite somebody to bid on the caller's task",
    description:
      `At most ${MAX_INVITED} people, who are notified. Not those who are not in the directory, or where one of the two has ` +
      "blocked the other. `modifiedCount` is 0 if they are invited or have bid already.",
    access: "owner",
    body: invitationSchema,
    errors: ["person-not-found", "task-not-open", "cannot-invite", "too-many-invited"],
  },
  declineInvitation: {
    method: "DELETE",
    path: "/me/invitations/:id",
    summary: "Decline the invitation to a task",
    access: "signed-in",
  },
  awardTask: {
    method: "POST",
    path: "/tasks/:id/award",
    summary: "Award the task to a bid",
    description:
      "There is one winner: awarding the same bid again changes nothing, another one is refused. With the bid's " +
      "`updatedAt`, the response is `changed-meanwhile` if the freelancer has changed the bid since it was read.",
    access: "owner",
    body: awardSchema,
    errors: ["bid-not-found", "wrong-state", "freelancer-suspended", "changed-meanwhile"],
  },
  listMyBids: {
    method: "GET",
    path: "/me/bids",
    summary: "The caller's own bids, newest first",
    description:
      "Filtered, a page may be short even if another one follows, and `X-Total-Count` is left out.",
    access: "signed-in",
    query: myBidsQuerySchema,
    responses: [list(myBidSchema, "Link", "X-Total-Count")],
  },
});
