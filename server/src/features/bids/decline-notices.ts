import { ObjectId } from "mongodb";
import type { Database } from "../../db/client.ts";
import type { Work } from "../../db/jobs.ts";
import { notify } from "../../domain/notify.ts";
import { titleFor } from "../../domain/task-conditions.ts";

/** Notifies a freelancer whose bid was declined a minute ago, if that was not undone. */
export function declineNotices({ tasks, bids, people, notifications, transactionOn }: Database): Work {
  return ({ subject, now, complete }) => {
    const [taskId, _id] = subject.map((id) => new ObjectId(id)) as [ObjectId, ObjectId];
    return transactionOn([taskId], async (session) => {
      await complete(session);
      const task = await tasks.findOneAndUpdate({ _id: taskId }, { $inc: { bidsRevision: 1 } }, { session });
      const due = { _id, taskId, noticeAt: { $exists: true } };
      const bid = task && (await bids.findOneAndUpdate(due, { $unset: { noticeAt: "" } }, { session }));
      if (!bid) return;
      const { ownerId: uid, name } = task;
      const { bidderId: recipientId } = bid;
      const client = await people.findOne({ _id: uid }, { session, projection: { name: 1 } });
      const title = titleFor(task, recipientId);
      const actor = { uid, name: client?.name ?? name };
      const notice = { recipientId, kind: "declined", asClient: false, actor } as const;
      await notify(notifications, [{ ...notice, task: { _id: taskId, title } }], { session, now });
    });
  };
}
