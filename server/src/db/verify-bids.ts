import type { Collections } from "./collections.ts";

/** What can be wrong between tasks and bids. Each name says what was found; offenders are ids. */
export const FINDINGS = [
  "tasksWithWrongCount",
  "bidsWithoutTask",
  "secondBids",
  "awardedTasksWithoutAward",
  "awardsWithoutTheirBid",
  "awardsOnOpenTasks",
  "bidsAwardedButNotByTheirTask",
] as const;
export type Finding = (typeof FINDINGS)[number];

export type Verdict = {
  tasks: number;
  bids: number;
  awards: number;
  /** Ids of what is wrong, at most {@link MOST_OFFENDERS} of each kind. */
  offenders: Record<Finding, string[]>;
};

/** More of one kind tell nobody more. */
export const MOST_OFFENDERS = 100;

/**
 * Proves on the stored data that every task counts its live bids, no bid is without its task or doubled, and every
 * awarded task has one award with a bid that exists. Everything is joined and compared in the database, through indexes
 * and on its disk where it needs room; only offenders come here, so memory stays bounded however much there is.
 * Read beside writes it may name a task whose bid is being placed at this moment: what it names twice is wrong.
 */
export async function verifyBids({ tasks, bids }: Pick<Collections, "tasks" | "bids">): Promise<Verdict> {
  const options = { allowDiskUse: true };
  const limit = { $limit: MOST_OFFENDERS };
  const idsOf = async (rows: AsyncIterable<{ _id: unknown }>) => {
    const ids: string[] = [];
    for await (const { _id } of rows) ids.push(String(_id));
    return ids;
  };
  const inTasks = (stages: object[]) => idsOf(tasks.aggregate<{ _id: unknown }>([...stages, limit], options));
  const inBids = (stages: object[]) => idsOf(bids.aggregate<{ _id: unknown }>([...stages, limit], options));

  const awarded = { $match: { state: { $in: ["awarded", "completed"] } } };
  const withAwardedBid = {
    $lookup: {
      from: "bids",
      localField: "award.bidId",
      foreignField: "_id",
      as: "bid",
      pipeline: [{ $project: { taskId: 1, bidderId: 1, state: 1 } }],
    },
  };
  const withTask = {
    $lookup: {
      from: "tasks",
      localField: "taskId",
      foreignField: "_id",
      as: "task",
      pipeline: [{ $project: { award: 1, state: 1 } }],
    },
  };
  // One after another: each may read everything.
  const offenders: Record<Finding, string[]> = {
    tasksWithWrongCount: await inTasks([
      { $project: { bidsCount: 1 } },
      {
        $lookup: {
          from: "bids",
          localField: "_id",
          foreignField: "taskId",
          as: "live",
          pipeline: [{ $count: "n" }],
        },
      },
      { $set: { live: { $ifNull: [{ $first: "$live.n" }, 0] } } },
      { $match: { $expr: { $ne: ["$bidsCount", "$live"] } } },
    ]),
    bidsWithoutTask: await inBids([
      { $project: { taskId: 1 } },
      withTask,
      { $match: { task: { $size: 0 } } },
    ]),
    secondBids: await inBids([
      { $sort: { taskId: 1, bidderId: 1 } },
      {
        $group: { _id: { taskId: "$taskId", bidderId: "$bidderId" }, n: { $sum: 1 }, bid: { $last: "$_id" } },
      },
      { $match: { n: { $gt: 1 } } },
      { $project: { _id: "$bid" } },
    ]),
    awardedTasksWithoutAward: await inTasks([awarded, { $match: { award: { $exists: false } } }]),
    awardsWithoutTheirBid: await inTasks([
      awarded,
      { $match: { award: { $exists: true } } },
      { $project: { award: 1 } },
      withAwardedBid,
      { $set: { bid: { $first: "$bid" } } },
      {
        $match: {
          $expr: {
            $or: [
              { $ne: ["$bid.taskId", "$_id"] },
              { $ne: ["$bid.bidderId", "$award.freelancerId"] },
              { $ne: ["$bid.state", "awarded"] },
            ],
          },
        },
      },
    ]),
    awardsOnOpenTasks: await inTasks([
      { $match: { state: { $nin: ["awarded", "completed", "cancelled"] }, award: { $exists: true } } },
    ]),
    bidsAwardedButNotByTheirTask: await inBids([
      { $match: { state: "awarded" } },
      { $project: { taskId: 1 } },
      withTask,
      { $set: { task: { $first: "$task" } } },
      { $match: { $expr: { $ne: ["$task.award.bidId", "$_id"] } } },
    ]),
  };
  return {
    tasks: await tasks.countDocuments(),
    bids: await bids.countDocuments(),
    awards: await tasks.countDocuments({ state: { $in: ["awarded", "completed"] } }),
    offenders,
  };
}
