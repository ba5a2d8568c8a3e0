import type { User } from "../../auth/token-verifier.ts";
import { type Bid, type ClientRecord, mayAct, type Task } from "../../contract/index.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { TaskRow } from "../../db/documents/tasks.ts";
import type { Invitations } from "../../db/invitations.ts";
import { canSee, roleIn } from "../../db/task-conditions.ts";
import { ProblemError } from "../../http/problem.ts";
import { presentTask } from "./list-tasks.ts";
import { type AddressStore, addressesFor } from "./shown-addresses.ts";
import type { TaskQueries } from "./task-queries.ts";

/** Presents a bid to its freelancer; provided by the bids feature. */
export type PresentBid = (bid: BidDoc, task: TaskRow) => Bid;

/** How many more bids somebody can place today, undefined unless few are left; provided by the bids feature. */
export type BidsLeft = (uid: string, now: Date) => Promise<number | undefined>;

/** A client's record, undefined if they deleted their account; provided by the reviews feature. */
export type ClientRecordOf = (id: string, now: Date) => Promise<ClientRecord | undefined>;

type Deps = {
  queries: TaskQueries;
  addresses: AddressStore;
  presentBid: PresentBid;
  bidsLeft: BidsLeft;
  clientRecord: ClientRecordOf;
  invited: Pick<Invitations, "isInvited" | "count">;
};

/**
 * Reads one task. Signed-in visitors also get their role, their own bid and the client's record. Only the owner, the
 * hired freelancer and operators can read a hidden task.
 * @throws {ProblemError} `task-not-found`.
 */
export async function readTask(
  { queries, addresses, presentBid, bidsLeft, clientRecord, invited }: Deps,
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
  const hasReviewed = mayReview && (await queries.reviewedBy(visitor.uid, [id])).size > 0;
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
    reviewDue: (mayReview && !hasReviewed && !response.otherSideLeft) || undefined,
    viewer: {
      isOwner: role === "client",
      hasBid: bid != null,
      role,
      bid: bid ? presentBid(bid, task) : undefined,
      bidsLeft: left,
      contact,
      addressLimitReached,
      hasReviewed,
      invited: isInvited || undefined,
      invitedCount,
      showEmail: role === "client" ? task.showEmail : undefined,
    },
  };
}
