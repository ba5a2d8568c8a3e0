import type { User } from "../../auth/token-verifier.ts";
import { type Bid, mayAct, type Task } from "../../contract/index.ts";
import type { BidDoc, TaskRow } from "../../db/documents.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { type AddressStore, addressesFor } from "./shown-addresses.ts";
import { canSee, roleIn } from "./task-policy.ts";
import { presentTask } from "./task-presenter.ts";
import type { TaskQueries } from "./task-queries.ts";

/** How a bid looks to its freelancer; comes from the feature of bids. */
export type PresentBid = (bid: BidDoc, task: TaskRow) => Bid;

/**
 * Reads one task; a signed-in visitor also learns how they stand to it. A hidden task is there for its owner,
 * whoever was hired for it, and operators only.
 * @throws {ProblemError} `task-not-found`.
 */
export async function readTask(
  {
    queries,
    addresses,
    presentBid,
  }: { queries: TaskQueries; addresses: AddressStore; presentBid: PresentBid },
  id: string,
  visitor: User | undefined,
  now: Date,
): Promise<Task> {
  const [task, bid] = await Promise.all([
    queries.find(id),
    visitor ? queries.findBid(id, visitor.uid) : undefined,
  ]);
  if (!task || !canSee(task, visitor)) throw new ProblemError("task-not-found");
  const response = presentTask(task, visitor, now);
  if (!visitor) return response;
  const role = roleIn(task, visitor);
  const mayReview = mayAct("review", role, response.state);
  const { contact, addressLimitReached, ...email } = await addressesFor(addresses, role, task, visitor, now);
  return {
    ...response,
    ...email,
    viewer: {
      isOwner: role === "client",
      hasBid: bid != null,
      role,
      bid: bid ? presentBid(bid, task) : undefined,
      contact,
      addressLimitReached,
      hasReviewed: mayReview && (await queries.hasReviewed(id, visitor.uid)),
      showEmail: role === "client" ? task.showEmail : undefined,
    },
  };
}
