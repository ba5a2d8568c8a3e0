import * as z from "zod/mini";
import {
  BID_LIMITS,
  type BidState,
  bidTermsSchema,
  bidTriageSchema,
  MAX_SENT_TO,
  paragraph,
} from "../../contract/index.ts";
import { count, email, image, instant, name, objectId, uid } from "../mongo-schema.ts";
import type { TaskDoc } from "./tasks.ts";

const noteText = paragraph("Note", BID_LIMITS.note);
const messagePrint = z.object({ keys: z.array(z.int()), sketch: z.array(z.int()) });
export type MessagePrint = z.infer<typeof messagePrint>;

/** A freelancer's bid on a task; a unique index prevents a second one. */
export const bidDocument = z.extend(bidTermsSchema, {
  _id: objectId,
  taskId: objectId,
  bidderId: uid,
  bidderName: name,
  bidderEmail: email,
  bidderImage: z.optional(image),
  /** Finds similar messages, see `messagePrint`. Derived from the message, if that is long enough. */
  print: z.optional(messagePrint),
  /** The number of other tasks with nearly the same earlier message; absent if none. */
  sentTo: z.optional(count.check(z.gte(1), z.lte(MAX_SENT_TO))),
  /** The client's own triage, which an award does not change; see `bidState`. */
  state: bidTriageSchema.shape.state,
  /** What the client noted about it. */
  note: z.optional(noteText),
  /** When the client declined it; absent unless it is declined. */
  declinedAt: z.optional(instant),
  /** When its freelancer will be notified that it was declined: until then they see it as placed. */
  noticeAt: z.optional(instant),
  /** When the client last undid declining it. */
  restoredAt: z.optional(instant),
  createdAt: instant,
  updatedAt: instant,
});
export type BidDoc = z.infer<typeof bidDocument>;

/**
 * A bid's visible state. If the task has an award, that decides whether the bid is awarded or declined.
 * @param task undefined if it was deleted: then the stored state applies.
 */
export function bidState(
  { _id, state }: Pick<BidDoc, "_id" | "state">,
  task: Pick<TaskDoc, "award"> | undefined,
): BidState {
  if (task?.award) return task.award.bidId.equals(_id) ? "awarded" : "declined";
  return state;
}

/** A bid's state as its freelancer sees it, who does not see a decline yet that the client may still undo. */
export function stateForBidder(
  bid: Pick<BidDoc, "_id" | "state" | "noticeAt">,
  task: Pick<TaskDoc, "award">,
) {
  return bid.noticeAt && !task.award ? "placed" : bidState(bid, task);
}
