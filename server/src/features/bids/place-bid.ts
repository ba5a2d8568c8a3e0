import type { User } from "../../auth/token-verifier.ts";
import { calendarDate, type UpdateAnswer } from "../../contract/index.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { whyNoBid } from "./bid-policy.ts";
import type { BidStore } from "./bid-store.ts";

/**
 * Bids on a task at its fixed price. A freelancer's second bid changes nothing: `modifiedCount` is 1, then 0.
 * @throws {ProblemError} `task-not-found`, `own-task` or `task-expired`.
 */
export async function placeBid(store: BidStore, id: string, bidder: User, now: Date): Promise<UpdateAnswer> {
  const outcome = await store.place(id, bidder, { now, today: calendarDate(now) });
  if (outcome === "refused") throw await whyRefused(store, id, bidder, now);
  return { acknowledged: true, matchedCount: 1, modifiedCount: outcome === "placed" ? 1 : 0 };
}

async function whyRefused(store: BidStore, id: string, bidder: User, now: Date): Promise<ProblemError> {
  const task = await store.findTask(id);
  if (!task) return new ProblemError("task-not-found");
  // If nothing speaks against it any more, the owner moved the deadline between the two looks: it had passed.
  return new ProblemError(whyNoBid(task, bidder, now) ?? "task-expired");
}
