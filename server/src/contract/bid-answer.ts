import * as z from "zod/mini";

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
