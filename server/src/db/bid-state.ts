import type { BidState } from "../contract/index.ts";
import type { BidDoc, TaskDoc } from "./documents.ts";

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
