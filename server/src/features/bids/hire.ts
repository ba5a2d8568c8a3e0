import type { User } from "../../auth/token-verifier.ts";
import { type BidSorting, calendarDate, type UpdateAnswer } from "../../contract/index.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { isClient, whyWrongState } from "./bid-policy.ts";
import type { HireOutcome, HireStore } from "./hire-store.ts";
import type { OwnBidStore } from "./own-bid-store.ts";

type Stores = { hiring: HireStore; own: Pick<OwnBidStore, "findTask"> };
/** A task's id, and that of a bid on it. */
type Named = { task: string; bid: string };

/**
 * Shortlists or declines a bid on the caller's own task, or takes that back.
 * @throws {ProblemError} `task-not-found`, `not-your-task`, `bid-not-found` or `wrong-state`.
 */
export async function sortBid(
  { hiring, own }: Stores,
  { task, bid }: Named,
  { state }: BidSorting,
  caller: User,
  now: Date,
): Promise<UpdateAnswer> {
  const outcome = await hiring.sortBid(task, bid, caller, state, { now, today: calendarDate(now) });
  return answerOf(outcome, own, task, caller, now);
}

/**
 * Awards the caller's own task to one of its bids. There is one winner, however many clicks, tabs or instances: the same
 * bid again changes nothing, another one is refused.
 * @throws {ProblemError} `task-not-found`, `not-your-task`, `bid-not-found` or `wrong-state`.
 */
export async function awardTask(
  { hiring, own }: Stores,
  { task, bid }: Named,
  caller: User,
  now: Date,
): Promise<UpdateAnswer> {
  const outcome = await hiring.award(task, bid, caller, { now, today: calendarDate(now) });
  return answerOf(outcome, own, task, caller, now);
}

async function answerOf(
  outcome: HireOutcome,
  own: Stores["own"],
  id: string,
  caller: User,
  now: Date,
): Promise<UpdateAnswer> {
  if (outcome === "no-bid") throw new ProblemError("bid-not-found");
  if (outcome !== "refused")
    return { acknowledged: true, matchedCount: 1, modifiedCount: outcome === "done" ? 1 : 0 };
  const task = await own.findTask(id);
  if (!task) throw new ProblemError("task-not-found");
  if (!isClient(task, caller)) throw new ProblemError("not-your-task");
  throw new ProblemError("wrong-state", { detail: whyWrongState(task, now) });
}
