import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import { notify } from "../../db/notices.ts";
import { titleFor } from "../../db/task-conditions.ts";

const BATCH = 500;

/**
 * Notifies freelancers whose bids were declined a minute ago, if that was not undone. The transaction also clears
 * `noticeAt`, so that a crash or another instance neither repeats nor loses a notification.
 * @returns a function that processes what is due.
 */
export function declineNotices(database: Database, { signal }: { signal?: AbortSignal } = {}) {
  const { tasks, bids, people, notifications, transactionOn } = database;

  const notifyOf = ({ _id, taskId, noticeAt }: BidDoc, now: Date) =>
    transactionOn([taskId], async (session) => {
      const task = await tasks.findOneAndUpdate({ _id: taskId }, { $inc: { bidsRevision: 1 } }, { session });
      const due = { _id, taskId, noticeAt };
      const bid = task && (await bids.findOneAndUpdate(due, { $unset: { noticeAt: "" } }, { session }));
      if (!bid) return;
      const { ownerId, name } = task;
      const client = await people.findOne({ _id: ownerId }, { session, projection: { name: 1 } });
      const { bidderId: recipientId } = bid;
      const notice = {
        recipientId,
        kind: "declined",
        task: { _id: taskId, title: titleFor(task, recipientId) },
        asClient: false,
        actor: { uid: ownerId, name: client?.name ?? name },
      } as const;
      await notify(notifications, [notice], { session, now });
    });

  return async (now: Date): Promise<void> => {
    const options = { sort: { noticeAt: 1 }, limit: BATCH, ...READ_LIMITS } as const;
    const due = await bids.find({ noticeAt: { $lte: now } }, { ...options, hint: "notice-due" }).toArray();
    for (const bid of due) if (!signal?.aborted) await notifyOf(bid, now);
  };
}
