import type { Database } from "../../db/client.ts";
import type { Work } from "../../db/jobs.ts";
import { notify } from "../../domain/notify.ts";
import { personIn } from "../../domain/people.ts";
import { titleFor } from "../../domain/task-conditions.ts";

/** Notifies a freelancer whose bid was declined a minute ago, if that was not undone. */
export function declineNotices(database: Database): Work {
  const { tasks, bids, notifications, transactionOn } = database;
  return ({ subject: [taskId, _id], now, complete }) =>
    transactionOn(taskId, async () => {
      await complete();
      const task = await tasks.findOneAndUpdate({ _id: taskId }, { $inc: { bidsRevision: 1 } });
      const due = { _id, taskId, noticeAt: { $exists: true } };
      const bid = task && (await bids.findOneAndUpdate(due, { $unset: { noticeAt: "" } }));
      if (!bid) return;
      const { ownerId: uid, name } = task;
      const { bidderId: recipientId } = bid;
      const title = titleFor(task, recipientId);
      const actor = (await personIn(database, uid)) ?? { uid, name };
      const notice = { recipientId, kind: "declined", asClient: false, actor } as const;
      await notify(notifications, [{ ...notice, task: { _id: taskId, title } }], now);
    });
}
