import { ObjectId } from "mongodb";
import type { Rating } from "../contract/index.ts";
import type { Database } from "./client.ts";
import { READ_LIMITS } from "./mongo.ts";

/** What others think of these people, each on average; whoever has no review is left out. */
export async function ratingsOf(
  { reviews, hints }: Pick<Database, "reviews" | "hints">,
  subjectIds: readonly string[],
): Promise<Map<string, Rating>> {
  const found = await hints.using("reviews", "subject-stars", (hint) =>
    reviews
      .aggregate<Rating & { _id: string }>(ratingsPlan(subjectIds), { ...READ_LIMITS, ...hint })
      .toArray(),
  );
  return new Map(found.map(({ _id, average, count }) => [_id, { average, count }]));
}

/** Averages the stars of each one's reviews; the index holds them. */
export function ratingsPlan(subjectIds: readonly string[]) {
  return [
    { $match: { subjectId: { $in: subjectIds } } },
    { $group: { _id: "$subjectId", average: { $avg: "$stars" }, count: { $sum: 1 } } },
  ];
}

/** Which of these tasks this person has reviewed. */
export async function reviewedBy(
  { reviews }: Pick<Database, "reviews">,
  authorId: string,
  taskIds: readonly string[],
): Promise<Set<string>> {
  if (taskIds.length === 0) return new Set();
  const filter = { taskId: { $in: taskIds.map((id) => new ObjectId(id)) }, authorId };
  const options = { ...READ_LIMITS, projection: { _id: 0, taskId: 1 } };
  const found = await reviews.find<{ taskId: ObjectId }>(filter, options).toArray();
  return new Set(found.map(({ taskId }) => taskId.toHexString()));
}
