import * as z from "zod/mini";
import { BID_LIMITS, bidSchema } from "./bid-answer.ts";
import { usd } from "./money.ts";
import { TASK_STATES } from "./task-state.ts";
import { optionalParagraph } from "./text.ts";

export * from "./bid-answer.ts";
export * from "./bid-query.ts";

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

/** A bid as the task's client sees it (`GET /tasks/:id/bids`). How to reach who was hired, the task itself says. */
export const receivedBidSchema = z.extend(bidSchema, {
  freelancerId: z.string(),
  name: z.string(),
  image: z.optional(z.string()),
});
export type ReceivedBid = z.infer<typeof receivedBidSchema>;
export const receivedBidListSchema = z.array(receivedBidSchema);

/** One of the caller's own bids with what it is for (`GET /me/bids`). */
export const myBidSchema = z.extend(bidSchema, {
  task: z.object({
    _id: z.string(),
    title: z.string(),
    /** An operator hides the task from the caller, and its title with it. */
    hidden: z.optional(z.boolean()),
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
