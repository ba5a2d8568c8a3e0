import type { ClientSession, ObjectId } from "mongodb";
import type { QueueKind } from "../contract/index.ts";
import type { Collections } from "./collections.ts";

/** What operators are to look at: a task, or a bid on it. */
type Subject = {
  taskId: ObjectId;
  bidId?: ObjectId | undefined;
  /** The uid of who wrote it. */
  personId: string;
};

/**
 * Puts something into the operators' queue; it stays as public as it was. There is one item for each kind and subject: one
 * that was looked at comes back only with another note, as a new one. To be called in the transaction that writes the subject.
 * @param note what was found, in a few words ("a phone number in the description"), where the kind does not say it.
 */
export async function queueForOperators(
  { operatorQueue }: Pick<Collections, "operatorQueue">,
  kind: QueueKind,
  { taskId, bidId, personId }: Subject,
  { note, now, session }: { note?: string; now: Date; session?: ClientSession | undefined },
): Promise<void> {
  const subject = bidId ? `bid:${bidId.toHexString()}` : `task:${taskId.toHexString()}`;
  const item = { kind, taskId, personId, ...(bidId && { bidId }), ...(note !== undefined && { note }) };
  const literally = Object.entries(item).map(([field, value]) => [field, { $literal: value }]);
  const isKnown = { $eq: [{ $ifNull: ["$note", ""] }, { $literal: note ?? "" }] };
  await operatorQueue.updateOne(
    { key: `${kind} ${subject}` },
    [
      {
        $set: {
          settled: { $and: [{ $ifNull: ["$settled", false] }, isKnown] },
          createdAt: { $cond: [isKnown, { $ifNull: ["$createdAt", now] }, now] },
        },
      },
      { $set: Object.fromEntries(literally) },
    ],
    { upsert: true, ...(session && { session }) },
  );
}
