import * as z from "zod/mini";

/** Bounds of a bid's fields: whole days to deliver, characters, and bids in one page. */
export const BID_LIMITS = { days: 365, message: 2_000, pageSize: 100 } as const;

/** `declined` also stands for the bids that were not chosen when the task was awarded to another. */
export const BID_STATES = ["placed", "shortlisted", "declined", "awarded"] as const;
export type BidState = (typeof BID_STATES)[number];

/** A bid as its freelancer sees it. `amount` in USD, `createdAt` and `updatedAt` ISO instants. */
export const bidSchema = z.object({
  _id: z.string(),
  amount: z.number(),
  days: z.optional(z.number()),
  message: z.optional(z.string()),
  state: z.enum(BID_STATES),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Bid = z.infer<typeof bidSchema>;

/** Orders of the client's inbox: when placed, or what the bids offer. */
export const BID_SORTS = ["newest", "amount-asc", "amount-desc", "days-asc"] as const;
export type BidSort = (typeof BID_SORTS)[number];
