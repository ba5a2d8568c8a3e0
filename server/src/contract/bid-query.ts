import * as z from "zod/mini";
import { BID_LIMITS, BID_SORTS, BID_STATES } from "./bid-answer.ts";
import { parameter } from "./query.ts";

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
