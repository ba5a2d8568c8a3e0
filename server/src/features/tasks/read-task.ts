import type { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { mayAct, type Task } from "../../contract/index.ts";
import { type Database, joined } from "../../db/client.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import type { PersonDoc } from "../../db/documents/people.ts";
import { type ReviewDoc, SHOWN_TASK, type TaskDoc } from "../../db/documents/tasks.ts";
import type { DailyLimit } from "../../domain/daily-limit.ts";
import { invitationsTo } from "../../domain/invitations.ts";
import { reasonInWords } from "../../domain/operators.ts";
import { withNamesFrom } from "../../domain/people.ts";
import type { Presented } from "../../domain/present.ts";
import { requireVisible, roleIn } from "../../domain/task-conditions.ts";
import { presentBid } from "../bids/present-bid.ts";
import type { ProfileQueries } from "../reviews/profile-store.ts";
import { presentOwnReview } from "../reviews/rules.ts";
import { presentTask } from "./list-tasks.ts";
import { addressesFor } from "./shown-addresses.ts";

type Deps = {
  database: Database;
  bidsLeft: DailyLimit["fewLeft"];
  clientRecord: ProfileQueries["clientRecord"];
};

/** A task with its two sides and, for somebody signed in, their bid and review, and all invitations. */
type Found = TaskDoc & {
  people: PersonDoc[];
  bids?: BidDoc[];
  reviews?: ReviewDoc[];
  notifications?: NotificationDoc[];
};

/** Reads a task with everything that belongs to it and to this visitor. */
function taskPlan(_id: ObjectId, visitor: User | undefined) {
  const own = visitor && [
    joined("bids", { taskId: _id, bidderId: visitor.uid }),
    joined("reviews", { taskId: _id, authorId: visitor.uid }),
    joined("notifications", invitationsTo(_id)),
  ];
  return [
    { $match: { _id } },
    { $project: SHOWN_TASK },
    { $set: { sides: ["$ownerId", "$award.freelancerId"] } },
    { $lookup: { from: "people", localField: "sides", foreignField: "_id", as: "people" } },
    ...(own ?? []),
  ];
}

/**
 * Reads one task. Signed-in visitors also get their role, their own bid and the client's record. Only the owner, the
 * hired freelancer and operators can read a hidden task.
 * @throws {ProblemError} `task-not-found`.
 */
export async function readTask(
  { database, bidsLeft, clientRecord }: Deps,
  _id: ObjectId,
  visitor: User | undefined,
  now: Date,
): Promise<Presented<Task>> {
  const [found = null] = await database.tasks.aggregate<Found>(taskPlan(_id, visitor)).toArray();
  requireVisible(found, visitor);
  const known = new Map(found.people.map((person) => [person._id, person]));
  const task = withNamesFrom(known, found);
  const response = presentTask(task, visitor, now);
  if (!visitor) return response;
  const { bids: [bid] = [], notifications: invitations = [] } = task;
  const role = roleIn(task, visitor);
  const isOwner = role === "client";
  const mayReview = mayAct("review", role, response.state);
  const review = mayReview ? task.reviews?.[0] : undefined;
  // Operators see hidden tasks too, but nobody bids on them.
  const mayBid = !bid && !task.hidden && mayAct("bid", role, response.state);
  const client = isOwner ? undefined : known.get(task.ownerId);
  const pending = invitations.filter(({ declined }) => !declined);
  const isInvited = pending.some(({ recipientId }) => recipientId === visitor.uid);
  const [{ contact, addressLimitReached, ...email }, record, left, hiddenBecause] = await Promise.all([
    addressesFor(database, role, task, visitor, { now, known }),
    client && clientRecord(client, now),
    mayBid ? bidsLeft(visitor.uid, now) : undefined,
    task.hidden && isOwner ? whyHidden(database, task._id) : undefined,
  ]);
  return {
    ...response,
    ...email,
    client: record,
    hiddenBecause,
    reviewDue: (mayReview && !review && !response.otherSideLeft) || undefined,
    viewer: {
      isOwner,
      hasBid: bid !== undefined,
      role,
      bid: bid && presentBid(bid, task),
      bidsLeft: left,
      contact,
      addressLimitReached,
      hasReviewed: review !== undefined,
      review: review && presentOwnReview(review),
      invited: (mayBid && isInvited) || undefined,
      invitedCount: isOwner && response.state === "open" ? pending.length : undefined,
      showEmail: isOwner ? task.showEmail : undefined,
    },
  };
}

/** Why an operator hid the task, in words. */
async function whyHidden({ operatorLog }: Database, taskId: ObjectId): Promise<string | undefined> {
  const sort = { taskId: -1, createdAt: -1, _id: -1 } as const;
  const act = await operatorLog.findOne({ taskId, kind: "task-hidden" }, { sort });
  return act?.reason && reasonInWords(act.reason, act.text);
}
