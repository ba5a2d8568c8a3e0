import type { ObjectId } from "mongodb";
import { CONTENT_BUCKET as CONTENT } from "../../src/db/client.ts";
import type { Collections } from "../../src/db/collections.ts";

/** The inconsistencies between tasks and bids that are checked. */
export const FINDINGS = [
  "tasksWithWrongCount",
  "bidsWithoutTask",
  "secondBids",
  "awardedTasksWithoutAward",
  "awardsWithoutTheirBid",
  "awardsOnOpenTasks",
  "deliveriesOutOfPlace",
] as const;
export type Finding = (typeof FINDINGS)[number];

export type Verdict = {
  tasks: number;
  bids: number;
  awards: number;
  /** Ids of inconsistent documents, at most {@link MAX_OFFENDERS} of each kind. */
  offenders: Record<Finding, string[]>;
};

/** The states of a task that has an award. */
const HIRED = ["awarded", "delivered", "completed"] as const;

/** The most ids listed of each kind. */
export const MAX_OFFENDERS = 100;

/**
 * Checks the stored data: every task counts its bids correctly, every bid has a task and is the only one of its
 * freelancer there, every awarded task has an award with an existing bid, and exactly the delivered tasks have a
 * delivery. Tasks and bids are read once each, in parallel and in the same order, so memory is bounded and time is
 * linear; awards are joined in the database. Findings are checked a second time, so that a bid placed between two reads
 * does not count.
 */
export async function verifyBids({ tasks, bids }: Pick<Collections, "tasks" | "bids">): Promise<Verdict> {
  const suspects = await compareSideBySide({ tasks, bids });
  // Each check reads a snapshot, because a running product keeps writing tasks and bids together.
  const options = { allowDiskUse: true, readConcern: { level: "snapshot" } } as const;
  const limit = { $limit: MAX_OFFENDERS };
  const idsOf = async (rows: AsyncIterable<{ _id: unknown }>) => {
    const ids: string[] = [];
    for await (const { _id } of rows) ids.push(String(_id));
    return ids;
  };
  const inTasks = (stages: object[]) => idsOf(tasks.aggregate<{ _id: unknown }>([...stages, limit], options));
  const inBids = (stages: object[]) => idsOf(bids.aggregate<{ _id: unknown }>([...stages, limit], options));

  const awarded = { $match: { state: { $in: [...HIRED] } } };
  const withAwardedBid = {
    $lookup: {
      from: "bids",
      localField: "award.bidId",
      foreignField: "_id",
      as: "bid",
      pipeline: [{ $project: { taskId: 1, bidderId: 1 } }],
    },
  };
  const withTask = {
    $lookup: {
      from: "tasks",
      localField: "taskId",
      foreignField: "_id",
      as: "task",
      pipeline: [{ $project: { _id: 1 } }],
    },
  };
  // Bids of a deleted task are removed in batches.
  const withRemoval = {
    $lookup: {
      from: "jobs",
      localField: "taskId",
      foreignField: "announcement.taskId",
      as: "removal",
      pipeline: [{ $match: { "announcement.removesBids": true } }, { $project: { _id: 1 } }],
    },
  };
  // In sequence, because each check may read everything.
  const offenders: Record<Finding, string[]> = {
    tasksWithWrongCount: await inTasks([
      { $match: { _id: { $in: suspects.counts } } },
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
      { $match: { taskId: { $in: suspects.missing } } },
      { $project: { taskId: 1 } },
      withTask,
      withRemoval,
      { $match: { task: { $size: 0 }, removal: { $size: 0 } } },
    ]),
    secondBids: await inBids([
      { $match: { taskId: { $in: suspects.doubled } } },
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
            $or: [{ $ne: ["$bid.taskId", "$_id"] }, { $ne: ["$bid.bidderId", "$award.freelancerId"] }],
          },
        },
      },
    ]),
    awardsOnOpenTasks: await inTasks([
      { $match: { state: { $nin: [...HIRED, "cancelled"] }, award: { $exists: true } } },
    ]),
    deliveriesOutOfPlace: await inTasks([
      {
        $match: {
          $or: [
            { state: "delivered", delivery: { $exists: false } },
            { state: { $ne: "delivered" }, delivery: { $exists: true } },
          ],
        },
      },
    ]),
  };
  return {
    tasks: await tasks.countDocuments(),
    bids: await bids.countDocuments(),
    awards: await tasks.countDocuments({ state: { $in: [...HIRED] } }),
    offenders,
  };
}

/** Ids of tasks with a wrong count, of missing tasks that have bids, and of tasks with two bids of one person. */
type Suspects = { counts: ObjectId[]; missing: ObjectId[]; doubled: ObjectId[] };

async function compareSideBySide({ tasks, bids }: Pick<Collections, "tasks" | "bids">): Promise<Suspects> {
  const suspects: Suspects = { counts: [], missing: [], doubled: [] };
  const note = (list: ObjectId[], id: ObjectId) => void (list.length < MAX_OFFENDERS && list.push(id));
  const options = { batchSize: 5_000, allowDiskUse: true };
  const counted = tasks.find({}, { ...options, sort: { _id: 1 }, projection: { bidsCount: 1 } });
  // Read from the unique index alone.
  const projection = { _id: 0, taskId: 1, bidderId: 1 } as const;
  const live = bids.find({}, { ...options, sort: { taskId: 1, bidderId: 1 }, projection });
  let bid = await live.next();

  /** Counts the next bids if they are on this task, and advances past them. */
  async function countBids(taskId: ObjectId): Promise<number> {
    let count = 0;
    let last: string | undefined;
    for (; bid?.taskId.equals(taskId); bid = await live.next()) {
      if (bid.bidderId === last) note(suspects.doubled, taskId);
      last = bid.bidderId;
      count++;
    }
    return count;
  }
  /** Notes and skips bids on missing tasks, up to this task id. */
  async function skipMissing(before?: string): Promise<void> {
    while (bid && (before === undefined || bid.taskId.toHexString() < before)) {
      const { taskId } = bid;
      note(suspects.missing, taskId);
      await countBids(taskId);
    }
  }

  try {
    for await (const { _id, bidsCount } of counted) {
      await skipMissing(_id.toHexString());
      if ((await countBids(_id)) !== bidsCount) note(suspects.counts, _id);
    }
    await skipMissing();
  } finally {
    await Promise.all([counted.close(), live.close()]);
  }
  return suspects;
}

/**
 * Ids of conversations whose `count` differs from the number of their messages or from the last message's number; at
 * most {@link MAX_OFFENDERS}.
 */
export async function conversationsWithWrongCount({
  conversations,
}: Pick<Collections, "conversations">): Promise<string[]> {
  const stored = (field: string) => ({ $ifNull: [`$stored.${field}`, 0] });
  const found = conversations.aggregate<{ _id: unknown }>(
    [
      { $project: { count: 1 } },
      {
        $lookup: {
          from: "messages",
          localField: "_id",
          foreignField: "conversationId",
          as: "stored",
          pipeline: [{ $group: { _id: null, count: { $sum: 1 }, last: { $max: "$number" } } }],
        },
      },
      { $set: { stored: { $first: "$stored" } } },
      {
        $match: {
          $expr: { $or: [{ $ne: ["$count", stored("count")] }, { $ne: ["$count", stored("last")] }] },
        },
      },
      { $limit: MAX_OFFENDERS },
    ],
    { allowDiskUse: true, readConcern: { level: "snapshot" } },
  );
  return (await found.toArray()).map(({ _id }) => String(_id));
}

/** What is wrong with stored files. */
export type FileFinding = "filesWithoutContent" | "contentWithoutFile" | "partsWithoutUpload";

/**
 * Ids of checked files whose content is not in the database, of content without a file, and of parts of uploads that
 * are not pending; at most {@link MAX_OFFENDERS} of each.
 */
export async function strayFiles({
  files,
}: Pick<Collections, "files">): Promise<Record<FileFinding, string[]>> {
  const { db } = files;
  /** Those in a collection without a counterpart in another. */
  async function without(from: string, [own, other]: [string, string], filter: object, states?: string[]) {
    const pipeline = [
      { $match: filter },
      {
        $lookup: {
          from: other,
          localField: own,
          foreignField: "_id",
          as: "found",
          pipeline: [{ $project: { state: 1 } }],
        },
      },
      { $match: states ? { "found.state": { $nin: states } } : { found: { $size: 0 } } },
      { $group: { _id: `$${own}` } },
      { $limit: MAX_OFFENDERS },
    ];
    const options = { allowDiskUse: true, readConcern: { level: "snapshot" } } as const;
    return (await db.collection(from).aggregate(pipeline, options).toArray()).map(({ _id }) => String(_id));
  }
  return {
    filesWithoutContent: await without("files", ["_id", `${CONTENT}.files`], { state: "ready" }),
    contentWithoutFile: await without(`${CONTENT}.files`, ["_id", "files"], {}),
    partsWithoutUpload: await without("fileParts", ["fileId", "files"], {}, [
      "uploading",
      "checking",
      "unused",
    ]),
  };
}
