import type { User } from "../../auth/token-verifier.ts";
import { type BidDraft, calendarDate, type UpdateAnswer } from "../../contract/index.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { whyNoBid } from "./bid-policy.ts";
import type { BidStore } from "./bid-store.ts";
import type { OwnBidStore } from "./own-bid-store.ts";

type Stores = { placing: BidStore; own: OwnBidStore };

/**
 * Bids on a task: at its fixed price, or with what the draft says. A freelancer's second bid changes the first one if it
 * says anything new, and nothing else: `modifiedCount` is 1, then 0.
 * @throws {ProblemError} `task-not-found`, `own-task`, `task-not-open` or `task-expired`.
 */
export async function placeBid(
  stores: Stores,
  id: string,
  draft: BidDraft,
  bidder: User,
  now: Date,
): Promise<UpdateAnswer> {
  const outcome = await placeOrChange(stores, id, draft, bidder, now);
  if (outcome === "refused") throw await whyRefused(stores.own, id, bidder, now);
  const modifiedCount = outcome === "placed" || outcome === "changed" ? 1 : 0;
  return { acknowledged: true, matchedCount: 1, modifiedCount };
}

async function placeOrChange({ placing, own }: Stores, id: string, draft: BidDraft, bidder: User, now: Date) {
  const times = { now, today: calendarDate(now) };
  const saysSomething = Object.values(draft).some((value) => value !== undefined);
  for (;;) {
    const placed = await placing.place(id, bidder, draft, times);
    if (placed !== "already-placed" || !saysSomething) return placed;
    const changed = await own.change(id, bidder, draft, times);
    // Withdrawn in another tab at this moment: then it is a first bid again.
    if (changed !== "gone") return changed;
  }
}

async function whyRefused(store: OwnBidStore, id: string, bidder: User, now: Date): Promise<ProblemError> {
  const task = await store.findTask(id);
  if (!task) return new ProblemError("task-not-found");
  // If nothing speaks against it any more, the owner opened the task between the two looks.
  return new ProblemError(whyNoBid(task, bidder, now) ?? "task-expired");
}
