import type { User } from "../../auth/token-verifier.ts";
import { type Bid, mayAct, type Task, type TaskRole } from "../../contract/index.ts";
import type { BidDoc } from "../../db/collections.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { presentTask } from "./present-task.ts";
import { canSee, roleIn } from "./task-policy.ts";
import type { TaskRow, TaskStore } from "./task-store.ts";

/** How a bid looks to its freelancer; comes from the feature of bids. */
export type PresentBid = (bid: BidDoc, task: TaskRow) => Bid;

/**
 * Reads one task; a signed-in visitor also learns how they stand to it. A hidden task is there for its owner and for
 * operators only.
 * @throws {ProblemError} `task-not-found`.
 */
export async function readTask(
  { store, presentBid }: { store: TaskStore; presentBid: PresentBid },
  id: string,
  visitor: User | undefined,
  now: Date,
): Promise<Task> {
  const [task, bid] = await Promise.all([
    store.find(id),
    visitor ? store.findBid(id, visitor.uid) : undefined,
  ]);
  if (!task || !canSee(task, visitor)) throw new ProblemError("task-not-found");
  const answer = presentTask(task, visitor, now);
  if (!visitor) return answer;
  const role = roleIn(task, visitor);
  const mayReview = mayAct("review", role, answer.state);
  return {
    ...answer,
    viewer: {
      isOwner: role === "client",
      hasBid: bid != null,
      role,
      bid: bid ? presentBid(bid, task) : undefined,
      contact: contactFor(role, task, visitor),
      hasReviewed: mayReview && (await store.hasReviewed(id, visitor.uid)),
      showEmail: role === "client" ? task.showEmail !== false : undefined,
    },
  };
}

/** The other side of an award, for its two sides; also after it was cancelled, until the task is opened again. */
function contactFor(role: TaskRole, { award, ...task }: TaskRow, visitor: User) {
  if (!award) return undefined;
  const contact =
    role === "client"
      ? { id: award.freelancerId, name: award.name, email: award.email }
      : { id: task.ownerId, name: task.name, email: task.email };
  // Who deleted their account left no address.
  return (role === "client" || award.freelancerId === visitor.uid) && contact.email ? contact : undefined;
}
