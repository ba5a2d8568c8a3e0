import type { User } from "../../auth/token-verifier.ts";
import { type Bid, type ClientRecord, mayAct, type Task } from "../../contract/index.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { TaskRow } from "../../db/documents/tasks.ts";
import { canSee } from "../../db/task-conditions.ts";
import { ProblemError } from "../../http/problem.ts";
import { type AddressStore, addressesFor } from "./shown-addresses.ts";
import { roleIn } from "./task-policy.ts";
import { presentTask } from "./task-presenter.ts";
import type { TaskQueries } from "./task-queries.ts";

/** How a bid looks to its freelancer; comes from the feature of bids. */
export type PresentBid = (bid: BidDoc, task: TaskRow) => Bid;

/** How many more bids somebody can place today; undefined while it is not few. Comes from the feature of bids. */
export type BidsLeft = (uid: string, now: Date) => Promise<number | undefined>;

/** A client's record; undefined for who has left. Comes from the feature of reviews. */
export type ClientRecordOf = (id: string, now: Date) => Promise<ClientRecord | undefined>;

type Deps = {
  queries: TaskQueries;
  addresses: AddressStore;
  presentBid: PresentBid;
  bidsLeft: BidsLeft;
  clientRecord: ClientRecordOf;
};

/**
 * Reads one task; a signed-in visitor also learns how they stand to it, and what its poster has done so far. A hidden task is there for its owner,
 * whoever was hired for it, and operators only.
 * @throws {ProblemError} `task-not-found`.
 */
export async function readTask(
  { queries, addresses, presentBid, bidsLeft, clientRecord }: Deps,
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
  // Operators see a hidden task too, but nobody bids on it.
  const mayBid = !bid && !task.hidden && mayAct("bid", role, response.state);
  const [{ contact, addressLimitReached, ...email }, client, left] = await Promise.all([
    addressesFor(addresses, role, task, visitor, now),
    role === "client" ? undefined : clientRecord(task.ownerId, now),
    mayBid ? bidsLeft(visitor.uid, now) : undefined,
  ]);
  return {
    ...response,
    ...email,
    client,
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
      showEmail: role === "client" ? task.showEmail : undefined,
    },
  };
}
