import type { Collections } from "./collections.ts";
import { MAX_OFFENDERS } from "./verify-bids.ts";

/**
 * Ids of conversations whose `count` is not the number of their messages, or whose messages are not numbered up to it
 * without gaps; at most {@link MAX_OFFENDERS}. Both are read as of one instant.
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
