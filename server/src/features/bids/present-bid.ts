import { type Bid, type MyBid, type ReceivedBid, taskState } from "../../contract/index.ts";
import { type BidDoc, bidState, type TaskDoc } from "../../db/documents.ts";
import { isSideOf, titleFor } from "../../db/task-conditions.ts";

/** What of a task decides how its bids look. */
export type BidTask = Pick<TaskDoc, "budget" | "award">;

/** A bid as its freelancer sees it. */
export function presentBid(bid: BidDoc, task: BidTask): Bid {
  return {
    _id: bid._id.toHexString(),
    amount: bid.amount,
    // What is undefined is not in the JSON.
    days: bid.days,
    message: bid.message,
    state: bidState(bid, task),
    createdAt: bid.createdAt.toISOString(),
    updatedAt: bid.updatedAt.toISOString(),
  };
}

/** A bid as the task's client sees it: with who made it. */
export function presentReceivedBid(bid: BidDoc, task: BidTask): ReceivedBid {
  return {
    ...presentBid(bid, task),
    freelancerId: bid.bidderId,
    name: bid.bidderName,
    image: bid.bidderImage,
  };
}

/** What a freelancer's own list of bids tells of a task. */
export type MyBidTask = BidTask &
  Pick<TaskDoc, "_id" | "title" | "category" | "state" | "deadline" | "name" | "ownerId" | "hidden">;

/** One of the caller's own bids with its task, whose title is withheld while an operator hides it from them. */
export function presentMyBid(bid: BidDoc, task: MyBidTask, now: Date): MyBid {
  const { deadline, category, budget, name } = task;
  return {
    ...presentBid(bid, task),
    task: {
      _id: task._id.toHexString(),
      title: titleFor(task, bid.bidderId),
      hidden: (task.hidden && !isSideOf(task, bid.bidderId)) || undefined,
      category,
      state: taskState(task, now),
      deadline,
      budget,
      name,
      clientId: task.ownerId,
    },
  };
}
