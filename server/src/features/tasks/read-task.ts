import type { User } from "../../auth/token-verifier.ts";
import { mayAct, type Task } from "../../contract/index.ts";
import type { DailyLimit } from "../../domain/daily-limit.ts";
import type { Invitations } from "../../domain/invitations.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { canSee, roleIn } from "../../domain/task-conditions.ts";
import { presentBid } from "../bids/present-bid.ts";
import type { ProfileQueries } from "../reviews/profile-store.ts";
import { presentOwnReview } from "../reviews/rules.ts";
import { presentTask } from "./list-tasks.ts";
import { type AddressStore, addressesFor } from "./shown-addresses.ts";
import type { TaskQueries } from "./store.ts";

type Deps = {
  queries: TaskQueries;
  addresses: AddressStore;
  bidsLeft: DailyLimit["fewLeft"];
  clientRecord: ProfileQueries["clientRecord"];
  invited: Pick<Invitations, "isInvited" | "count">;
};

/**
 * Reads one task. Signed-in visitors also get their role, their own bid and the client's record. Only the owner, the
 * hired freelancer and operators can read a hidden task.
 * @throws {ProblemError} `task-not-found`.
 */
export async function readTask(
  { queries, addresses, bidsLeft, clientRecord, invited }: Deps,
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
  const review = mayReview ? await queries.ownReview(task._id, visitor.uid) : null;
  // Operators see hidden tasks too, but nobody bids on them.
  const mayBid = !bid && !task.hidden && mayAct("bid", role, response.state);
  const [{ contact, addressLimitReached, ...email }, client, left, hiddenBecause, isInvited, invitedCount] =
    await Promise.all([
      addressesFor(addresses, role, task, visitor, now),
      role === "client" ? undefined : clientRecord(task.ownerId, now),
      mayBid ? bidsLeft(visitor.uid, now) : undefined,
      task.hidden && role === "client" ? queries.whyHidden(task._id) : undefined,
      mayBid ? invited.isInvited(task._id, visitor.uid) : undefined,
      role === "client" && response.state === "open" ? invited.count(task._id) : undefined,
    ]);
  return {
    ...response,
    ...email,
    client,
    hiddenBecause,
    reviewDue: (mayReview && !review && !response.otherSideLeft) || undefined,
    viewer: {
      isOwner: role === "client",
      hasBid: bid != null,
      role,
      bid: bid ? presentBid(bid, task) : undefined,
      bidsLeft: left,
      contact,
      addressLimitReached,
      hasReviewed: review !== null,
      review: review ? presentOwnReview(review) : undefined,
      invited: isInvited || undefined,
      invitedCount,
      showEmail: role === "client" ? task.showEmail : undefined,
    },
  };
}
