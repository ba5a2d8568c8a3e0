import {
  type Bid,
  bidSchema,
  type MyBid,
  type ReceivedBid,
  receivedBidSchema,
} from "../../contract/index.ts";
import { type BidDoc, bidState, stateForBidder } from "../../db/documents/bids.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { isFormerMember } from "../../domain/notify.ts";
import { turnsOf } from "../../domain/payments.ts";
import { type Introduction, NO_RATING } from "../../domain/people.ts";
import { type Presented, pick } from "../../domain/present.ts";
import {
  agreedFor,
  canSee,
  dueFor,
  otherSideLeft,
  shownState,
  titleFor,
} from "../../domain/task-conditions.ts";

/** The fields of a task that decide how its bids are presented. */
export type BidTask = Pick<TaskDoc, "budget" | "award">;

/** A bid as its freelancer sees it. */
export function presentBid(bid: BidDoc, task: BidTask): Presented<Bid> {
  return { ...pick(bid, bidSchema), state: stateForBidder(bid, task) };
}

/** The id for a link to the person's profile; undefined if they deleted their account. */
function profileIdOf(uid: string): string | undefined {
  return isFormerMember(uid) ? undefined : uid;
}

/** A bid as the task's client sees it, with its freelancer, their rating and introduction. */
export function presentReceivedBid(
  bid: BidDoc,
  task: BidTask,
  rating = NO_RATING,
  introduction: Introduction = { jobsCompleted: 0 },
): Presented<ReceivedBid> {
  return {
    ...pick(bid, receivedBidSchema),
    state: bidState(bid, task),
    freelancerId: profileIdOf(bid.bidderId),
    name: bid.bidderName,
    image: bid.bidderImage,
    rating,
    ...introduction,
  };
}

/** Can the bid's freelancer review the client: was the work completed, and does the client still have an account? */
export function isReviewable(bid: BidDoc, task: TaskDoc): boolean {
  return (
    task.state === "completed" && bidState(bid, task) === "awarded" && !otherSideLeft(task, bid.bidderId)
  );
}

/** One of the caller's own bids with its task; the title is withheld while an operator hides the task from them. */
export function presentMyBid(bid: BidDoc, task: TaskDoc, now: Date, reviewed: boolean): Presented<MyBid> {
  const { deadline, category, budget, name } = task;
  return {
    ...presentBid(bid, task),
    reviewDue: (isReviewable(bid, task) && !reviewed) || undefined,
    confirmDue: (bidState(bid, task) === "awarded" && turnsOf(task).has("freelancer")) || undefined,
    task: {
      _id: task._id,
      title: titleFor(task, bid.bidderId),
      hidden: !canSee(task, { uid: bid.bidderId }) || undefined,
      category,
      state: shownState(task, bid.bidderId, now),
      deadline: dueFor(task, bid.bidderId) ?? deadline,
      agreedPrice: agreedFor(task, bid.bidderId)?.amount,
      budget,
      name,
      clientId: profileIdOf(task.ownerId),
    },
  };
}
