import * as z from "zod/mini";
import { BID_STATES, bidSchema } from "./bid-answer.ts";
import { usd } from "./money.ts";
import { parameter } from "./query.ts";
import { TASK_STATES } from "./task-state.ts";
import { optionalParagraph } from "./text.ts";

export * from "./bid-answer.ts";

/** Bounds of a bid's fields: whole days to deliver, characters, and bids in one page. */
export const BID_LIMITS = { days: 365, message: 2_000, pageSize: 100 } as const;

const DAYS = `Enter the days to deliver as a whole number from 1 to ${BID_LIMITS.days}.`;

/**
 * The optional body of `PATCH /tasks/:id/bid`. Without it, a first bid is one at the task's fixed price. What is absent
 * stays as it is; `days: null` and an empty `message` take them back. Other fields are ignored.
 */
export const bidDraftSchema = z.object({
  amount: z.optional(usd("Amount")),
  days: z.optional(z.nullable(z.int({ error: DAYS }).check(z.gte(1, DAYS), z.lte(BID_LIMITS.days, DAYS)))),
  message: z.optional(optionalParagraph("Message", BID_LIMITS.message)),
});
export type BidDraft = z.infer<typeof bidDraftSchema>;

/** A bid as the task's client sees it (`GET /tasks/:id/bids`). `email` is there once the task is awarded to them. */
export const receivedBidSchema = z.extend(bidSchema, {
  freelancerId: z.string(),
  name: z.string(),
  image: z.optional(z.string()),
  email: z.optional(z.string()),
});
export type ReceivedBid = z.infer<typeof receivedBidSchema>;
export const receivedBidListSchema = z.array(receivedBidSchema);

/** One of the caller's own bids with what it is for (`GET /me/bids`). */
export const myBidSchema = z.extend(bidSchema, {
  task: z.object({
    _id: z.string(),
    title: z.string(),
    category: z.string(),
    state: z.enum(TASK_STATES),
    deadline: z.string(),
    budget: z.number(),
    name: z.string(),
    clientId: z.string(),
  }),
});
export type MyBid = z.infer<typeof myBidSchema>;
export const myBidListSchema = z.array(myBidSchema);

/** Orders of the client's inbox: when placed, or what the bids offer. */
export const BID_SORTS = ["newest", "amount-asc", "amount-desc", "days-asc"] as const;
export type BidSort = (typeof BID_SORTS)[number];

const page = {
  limit: parameter(
    z
      .string({ error: "Give one limit." })
      .check(z.regex(/^([1-9]\d?|100)$/, `The limit is a whole number from 1 to ${BID_LIMITS.pageSize}.`)),
  ),
  cursor: parameter(
    z.string({ error: "Give one cursor." }).check(z.maxLength(512, "This cursor is too long.")),
  ),
};

/** The query of lists that only have pages: `/me/bids`, `/me/notifications`, `/people/:id/reviews`, `/reports`. */
export const pageQuerySchema = z.object(page);
export type PageQuery = z.infer<typeof pageQuerySchema>;

/** The query of `GET /tasks/:id/bids`. */
export const receivedBidsQuerySchema = z.object({
  ...page,
  sort: parameter(z.enum(BID_SORTS, { error: `Sort by one of ${BID_SORTS.join(", ")}.` })),
  state: parameter(z.enum(BID_STATES, { error: `Choose a state: ${BID_STATES.join(", ")}.` })),
});
export type ReceivedBidsQuery = z.infer<typeof receivedBidsQuerySchema>;

/** `PATCH /tasks/:id/bids/:bidId`: how the client sorts a bid. Awarding is a call of its own. */
export const bidSortingSchema = z.object({
  state: z.enum(["placed", "shortlisted", "declined"], {
    error: "Choose a state: placed, shortlisted, declined.",
  }),
});
export type BidSorting = z.infer<typeof bidSortingSchema>;

/** `POST /tasks/:id/award`. */
export const awardSchema = z.object({
  bidId: z
    .string({ error: "Name the bid to award." })
    .check(z.regex(/^[\da-f]{24}$/, "This is not the id of a bid.")),
});
