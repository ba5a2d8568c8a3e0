import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { mayAct, type Task } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { DailyLimit } from "../../domain/daily-limit.ts";
import { countInvited, isInvited } from "../../domain/invitations.ts";
import { reasonInWords } from "../../domain/operators.ts";
import { requireVisible, roleIn } from "../../domain/task-conditions.ts";
import { presentBid } from "../bids/present-bid.ts";
import type { ProfileQueries } from "../reviews/profile-store.ts";
import { presentOwnReview } from "../reviews/rules.ts";
import { presentTask } from "./list-tasks.ts";
import { addressesFor } from "./shown-addresses.ts";
import type { TaskQueries } from "./store.ts";

type Deps = {
  database: Database;
  queries: TaskQueries;
  bidsLeft: DailyLimit["fewLeft"];
  clientRecord: ProfileQueries["clientRecord"];
};

/**
 * Reads one task. Signed-in visitors also get their role, their own bid and the client's record. Only the owner, the
 * hired freelancer and operators can read a hidden task.
 * @throws {ProblemError} `task-not-found`.
 */
export async function readTask(
  { database, queries, bidsLeft, clientRecord }: Deps,
  id: string,
  visitor: User | undefined,
  now: Date,
): Promise<Task> {
  const [task, bid] = await Promise.all([
    queries.find(id),
    visitor && database.bids.findOne({ taskId: new ObjectId(id), bidderId: visitor.uid }, READ_LIMITS),
  ]);
  requireVisible(task, visitor);
  const response = presentTask(task, visitor, now);
  if (!visitor) return response;
  const role = roleIn(task, visitor);
  const mayReview = mayAct("review", role, response.state);
  const ownReview = { taskId: task._id, authorId: visitor.uid };
  const review = mayReview ? await database.reviews.findOne(ownReview, READ_LIMITS) : null;
  // Operators see hidden tasks too, but nobody bids on them.
  const mayBid = !bid && !task.hidden && mayAct("bid", role, response.state);
  const [{ contact, addressLimitReached, ...email }, client, left, hiddenBecause, invited, invitedCount] =
    await Promise.all([
      addressesFor(database, role, task, visitor, now),
      role === "client" ? undefined : clientRecord(task.ownerId, now),
      mayBid ? bidsLeft(visitor.uid, now) : undefined,
      task.hidden && role === "client" ? whyHidden(database, task._id) : undefined,
      mayBid ? isInvited(database, task._id, visitor.uid) : undefined,
      role === "client" && response.state === "open" ? countInvited(database, task._id) : undefined,
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
      invited: invited || undefined,
      invitedCount,
      showEmail: role === "client" ? task.showEmail : undefined,
    },
  };
}

/** Why an operator hid the task, in words. */
async function whyHidden({ operatorLog }: Database, taskId: ObjectId): Promise<string | undefined> {
  const sort = { taskId: -1, createdAt: -1, _id: -1 } as const;
  const options = { sort, ...READ_LIMITS, hint: "task-order" };
  const act = await operatorLog.findOne({ taskId, kind: "task-hidden" }, options);
  return act?.reason && reasonInWords(act.reason, act.text);
}
