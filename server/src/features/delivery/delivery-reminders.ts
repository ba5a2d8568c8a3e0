import { ObjectId } from "mongodb";
import type { Database } from "../../db/client.ts";
import type { Work } from "../../db/jobs.ts";
import { notify } from "../../domain/notify.ts";
import { DELIVERY_TASK } from "./commands.ts";
import { reminderDue } from "./rules.ts";

/**
 * Reminds the client of a delivery that waits for them, and notifies the freelancer when they may complete the task. Each
 * reminder is written in one transaction with the time of the next.
 */
export function deliveryReminders({ tasks, notifications, transaction }: Database): Work {
  return ({ subject: [id], now, complete }) =>
    transaction(async (session) => {
      const filter = { _id: new ObjectId(id), state: "delivered" } as const;
      const task = await tasks.findOne(filter, { session, projection: DELIVERY_TASK });
      if (!task?.award || !task.delivery) return complete(session);
      const { recipient, next } = reminderDue(task.delivery, now);
      await complete(session, next && { dueAt: next });
      const notice =
        recipient === "client"
          ? ({ kind: "delivery-waiting", recipientId: task.ownerId, asClient: true } as const)
          : ({ kind: "may-complete", recipientId: task.award.freelancerId, asClient: false } as const);
      await notify(notifications, [{ ...notice, task }], { session, now });
    });
}
