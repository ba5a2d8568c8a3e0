import type { User } from "../../auth/token-verifier.ts";
import { calendarDate, type DeleteAnswer } from "../../contract/index.ts";
import { ProblemError } from "../../http/problem-error.ts";
import type { OwnBidStore } from "./own-bid-store.ts";

/**
 * Takes the caller's bid on the task back; `deletedCount` is 0 if there was none.
 * @throws {ProblemError} `task-not-found`; `wrong-state` once the task was awarded.
 */
export async function withdrawBid(
  store: OwnBidStore,
  id: string,
  bidder: User,
  now: Date,
): Promise<DeleteAnswer> {
  const deletedCount = await store.withdraw(id, bidder, { now, today: calendarDate(now) });
  if (!deletedCount && !(await store.findTask(id))) throw new ProblemError("task-not-found");
  if (deletedCount === undefined) {
    const detail = "This task was awarded: bids on it cannot be withdrawn any more.";
    throw new ProblemError("wrong-state", { detail });
  }
  return { acknowledged: true, deletedCount };
}
