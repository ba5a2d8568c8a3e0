import type { Db, Document } from "mongodb";
import { CONTENT_BUCKET as CONTENT } from "../../src/db/client.ts";

/** What must not be stored: in words, and the aggregation of a collection that finds it. */
type Check = { meaning: string; from: string; find: Document[] };

/** The states of a task that has an award. */
const HIRED = ["awarded", "delivered", "completed"];

/** Joins the documents of another collection whose field has the same value, with only the fields that are compared. */
const join = (
  from: string,
  [localField, foreignField]: [string, string],
  as: string,
  ...fields: string[]
) => ({
  $lookup: {
    ...{ from, localField, foreignField, as },
    pipeline: [{ $project: Object.fromEntries(["_id", ...fields].map((name) => [name, 1])) }],
  },
});

/** Computes a person's figure anew from the documents of another collection with their uid in this field. */
const compute = (as: string, from: string, foreignField: string, stages: Document[]) => ({
  $lookup: { from, localField: "_id", foreignField, as, pipeline: [...stages, { $unset: "_id" }] },
});

/** Their order is that in which they came. */
const OTHER_CATEGORIES = {
  $not: {
    $setEquals: ["$jobs.categories", "$stored.jobs.categories"].map((list) => ({ $ifNull: [list, []] })),
  },
};
const differs = (field: string) => ({ $ne: [`$${field}`, `$stored.${field}`] });

const CHECKS = {
  tasksWithWrongCount: {
    meaning: "tasks whose bidsCount is not the number of their bids",
    from: "tasks",
    find: [
      { $project: { missing: "$bidsCount", exists: { $literal: true } } },
      {
        $unionWith: { coll: "bids", pipeline: [{ $group: { _id: "$taskId", missing: { $sum: -1 } } }] },
      },
      { $group: { _id: "$_id", missing: { $sum: "$missing" }, exists: { $max: "$exists" } } },
      { $match: { missing: { $ne: 0 }, exists: true } },
    ],
  },
  bidsWithoutTask: {
    meaning: "bids without a task",
    from: "bids",
    find: [
      // Grouped, because a join for each task takes minutes.
      { $group: { _id: "$taskId" } },
      { $unionWith: { coll: "tasks", pipeline: [{ $project: { exists: { $literal: true } } }] } },
      { $group: { _id: "$_id", exists: { $max: "$exists" } } },
      { $match: { exists: null } },
      // Bids of a deleted task are removed in batches.
      join("jobs", ["_id", "announcement.taskId"], "jobs", "announcement.removesBids"),
      { $match: { "jobs.announcement.removesBids": { $ne: true } } },
      join("bids", ["_id", "taskId"], "bid"),
      { $unwind: "$bid" },
      { $project: { _id: "$bid._id" } },
    ],
  },
  secondBids: {
    meaning: "repeated bids of one person on one task",
    from: "bids",
    find: [
      {
        $group: { _id: { task: "$taskId", bidder: "$bidderId" }, count: { $sum: 1 }, bid: { $last: "$_id" } },
      },
      { $match: { count: { $gt: 1 } } },
      { $project: { _id: "$bid" } },
    ],
  },
  awardedTasksWithoutAward: {
    meaning: "awarded, delivered or completed tasks without an award",
    from: "tasks",
    find: [{ $match: { state: { $in: HIRED }, award: { $exists: false } } }],
  },
  awardsWithoutTheirBid: {
    meaning: "awards whose bid does not exist or is not awarded",
    from: "tasks",
    find: [
      { $match: { state: { $in: HIRED }, award: { $exists: true } } },
      join("bids", ["award.bidId", "_id"], "bid", "taskId", "bidderId"),
      { $set: { bid: { $first: "$bid" } } },
      {
        $match: {
          $expr: {
            $or: [{ $ne: ["$bid.taskId", "$_id"] }, { $ne: ["$bid.bidderId", "$award.freelancerId"] }],
          },
        },
      },
    ],
  },
  awardsOnOpenTasks: {
    meaning: "open tasks with an award",
    from: "tasks",
    find: [{ $match: { state: { $nin: [...HIRED, "cancelled"] }, award: { $exists: true } } }],
  },
  deliveriesOutOfPlace: {
    meaning: "delivered tasks without their delivery, or others with one",
    from: "tasks",
    find: [
      {
        $match: {
          $or: [
            { state: "delivered", delivery: { $exists: false } },
            { state: { $ne: "delivered" }, delivery: { $exists: true } },
          ],
        },
      },
    ],
  },
  conversationsWithWrongCount: {
    meaning: "conversations whose count is not the number of their messages",
    from: "conversations",
    find: [
      join("messages", ["_id", "conversationId"], "messages", "number"),
      {
        $match: {
          $expr: {
            $or: [
              { $ne: ["$count", { $size: "$messages" }] },
              { $ne: ["$count", { $max: [0, { $max: "$messages.number" }] }] },
            ],
          },
        },
      },
    ],
  },
  peopleWithWrongFigures: {
    meaning: "people whose rating or jobs are not those of their reviews and tasks",
    from: "people",
    find: [
      { $project: { stored: { rating: "$rating", jobs: "$jobs" } } },
      compute("rating", "reviews", "subjectId", [
        { $match: { shown: true } },
        { $group: { _id: null, average: { $avg: "$stars" }, count: { $sum: 1 } } },
      ]),
      compute("jobs", "tasks", "award.freelancerId", [
        { $match: { state: "completed" } },
        {
          $group: {
            ...{ _id: null, count: { $sum: 1 }, categories: { $addToSet: "$category" } },
            ...{ from: { $min: "$award.amount" }, to: { $max: "$award.amount" } },
          },
        },
      ]),
      { $set: { rating: { $first: "$rating" }, jobs: { $first: "$jobs" } } },
      {
        $match: {
          $expr: {
            $or: [...["rating", "jobs.count", "jobs.from", "jobs.to"].map(differs), OTHER_CATEGORIES],
          },
        },
      },
      // Of an account that is being deleted, reviews and tasks go first.
      join("deletions", ["_id", "_id"], "deletion", "finishedAt"),
      { $match: { deletion: { $not: { $elemMatch: { finishedAt: null } } } } },
    ],
  },
  tasksWithWrongRating: {
    meaning: "tasks with another rating than their client's",
    from: "people",
    find: [
      { $match: { rating: { $exists: true } } },
      { $set: { halfStars: { $divide: [{ $floor: { $multiply: ["$rating.average", 2] } }, 2] } } },
      join("tasks", ["_id", "ownerId"], "task", "clientRating"),
      { $unwind: "$task" },
      { $match: { $expr: { $ne: ["$task.clientRating", "$halfStars"] } } },
      { $project: { _id: "$task._id" } },
    ],
  },
  filesWithoutContent: {
    meaning: "files whose content is missing",
    from: "files",
    find: [
      { $match: { state: "ready" } },
      join(`${CONTENT}.files`, ["_id", "_id"], "content"),
      { $match: { content: [] } },
    ],
  },
  contentWithoutFile: {
    meaning: "contents without a file",
    from: `${CONTENT}.files`,
    find: [join("files", ["_id", "_id"], "file"), { $match: { file: [] } }],
  },
  partsWithoutUpload: {
    meaning: "parts of uploads that are not pending",
    from: "fileParts",
    find: [
      { $group: { _id: "$fileId" } },
      join("files", ["_id", "_id"], "file", "state"),
      { $match: { "file.state": { $nin: ["uploading", "checking", "unused"] } } },
    ],
  },
} satisfies Record<string, Check>;

export type Finding = keyof typeof CHECKS;
export const FINDINGS = Object.keys(CHECKS) as Finding[];
/** Those about stored files; the first two hold only if their content is in the database. */
const FILE_FINDINGS = ["filesWithoutContent", "contentWithoutFile", "partsWithoutUpload"] as const;
/** All others. */
const RECORD_FINDINGS = FINDINGS.filter((finding) => !FILE_FINDINGS.some((each) => each === finding));

export const meaningOf = (finding: Finding): string => CHECKS[finding].meaning;

/** The most ids listed of each kind. */
export const MAX_OFFENDERS = 100;

/**
 * Checks what is stored. Each check reads one snapshot, because a running product keeps writing tasks and bids together.
 * @returns the ids of inconsistent documents, at most {@link MAX_OFFENDERS} of each kind; nothing of a kind without any.
 */
export async function verifyData(
  db: Db,
  findings: readonly Finding[] = FINDINGS,
): Promise<Partial<Record<Finding, string[]>>> {
  const options = { allowDiskUse: true, readConcern: { level: "snapshot" } } as const;
  const offenders: Partial<Record<Finding, string[]>> = {};
  // In sequence, because each check may read everything.
  for (const finding of findings) {
    const { from, find } = CHECKS[finding];
    const stages = [...find, { $project: { _id: 1 } }, { $limit: MAX_OFFENDERS }];
    const found = await db.collection(from).aggregate(stages, options).toArray();
    if (found.length > 0) offenders[finding] = found.map(({ _id }) => String(_id));
  }
  return offenders;
}

/** What `npm run verify` finds, without files, a line each. */
export async function verifyProblems(
  db: Db,
  findings: readonly Finding[] = RECORD_FINDINGS,
): Promise<string[]> {
  const offenders = await verifyData(db, findings);
  return Object.entries(offenders).flatMap(([finding, ids]) => ids.map((id) => `verify: ${finding} ${id}`));
}
