import * as z from "zod/mini";
import { BID_STATES, type BidState, bidTermsSchema, MAX_SENT_TO } from "../../contract/index.ts";
import { count, email, image, instant, name, objectId, text, uid } from "../mongo-schema.ts";
import type { TaskDoc } from "./tasks.ts";

const messagePrint = z.object({ keys: z.array(z.int()), sketch: z.array(z.int()) });
export type MessagePrint = z.infer<typeof messagePrint>;

/** One freelancer's bid on one task; there is never a second one (unique index). */
export const bidDocument = z.extend(bidTermsSchema, {
  _id: objectId,
  taskId: objectId,
  bidderId: uid,
  bidderName: name,
  bidderEmail: email,
  bidderImage: z.optional(image),
  /** To find nearly the same messages by, see `messagePrint`: derived, and written with every message that is long enough. */
  print: z.optional(messagePrint),
  /** On how many other tasks nearly the same message stood before; absent if on none. */
  sentTo: z.optional(count.check(z.gte(1), z.lte(MAX_SENT_TO))),
  /** That a bid was not chosen is not stored: see `bidState`. */
  state: z.enum(BID_STATES),
  /** When the task's client last took back that they had declined it. */
  restoredAt: z.optional(instant),
  createdAt: instant,
  updatedAt: instant,
});
export type BidDoc = z.infer<typeof bidDocument>;

/** How many bids somebody has placed on one day, withdrawn ones included; `_id` is a digest of the two. */
export const bidDayDocument = z.object({ _id: text(22, 1), bids: count, expireAt: instant });

/**
 * A bid's state as people see it. That a bid was not chosen is not stored: it is what the task's award says.
 * @param task without one (it was deleted) the stored state stands.
 */
export function bidState(
  { _id, state }: Pick<BidDoc, "_id" | "state">,
  task: Pick<TaskDoc, "award"> | undefined,
): BidState {
  if (task?.award) return task.award.bidId.equals(_id) ? "awarded" : "declined";
  return state;
}
