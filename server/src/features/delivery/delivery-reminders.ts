import type { UpdateFilter } from "mongodb";
import { type Database, drainBatches, READ_LIMITS } from "../../db/client.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { notify } from "../../db/notices.ts";
import { DELIVERY_TASK, type DeliveryTask } from "./delivery-commands.ts";
import { reminderDue } from "./delivery-policy.ts";

type Options = { batch?: number; signal?: AbortSignal };

const BATCH = 100;

/**
 * Reminds clients of deliveries that wait for them, and notifies the freelancer when they may complete the task. Each
 * reminder is claimed by the write that schedules the next one, in one transaction with the notification: so it is sent
 * once, even if several instances run this or one of them crashes.
 * @returns a function that sends what is due and resolves to how many people were notified.
 */
export function deliveryReminders({ tasks, notifications, transaction }: Database, options: Options = {}) {
  const { batch = BATCH, signal } = options;

  function readDue(now: Date): Promise<DeliveryTask[]> {
    const filter = { state: "delivered", "delivery.remindAt": { $lte: now } } as const;
    const read = { sort: { "delivery.remindAt": 1, _id: 1 }, limit: batch, ...READ_LIMITS } as const;
    return tasks
      .find<DeliveryTask>(filter, { ...read, projection: DELIVERY_TASK, hint: "delivery-due" })
      .toArray();
  }

  function remind({ _id, delivery }: DeliveryTask, now: Date): Promise<number> {
    return transaction(async (session) => {
      if (!delivery?.remindAt) return 0;
      const { recipient, next } = reminderDue(delivery, now);
      const update: UpdateFilter<TaskDoc> = next
        ? { $set: { "delivery.remindAt": next } }
        : { $unset: { "delivery.remindAt": "" } };
      const task = await tasks.findOneAndUpdate(
        { _id, state: "delivered", "delivery.remindAt": delivery.remindAt },
        update,
        { session, projection: DELIVERY_TASK },
      );
      if (!task?.award) return 0;
      const notice =
        recipient === "client"
          ? ({ kind: "delivery-waiting", recipientId: task.ownerId, asClient: true } as const)
          : ({ kind: "may-complete", recipientId: task.award.freelancerId, asClient: false } as const);
      await notify(notifications, [{ ...notice, task }], { session, now });
      return 1;
    });
  }

  return async (now: Date): Promise<number> => {
    let notified = 0;
    await drainBatches(
      async () => (signal?.aborted ? [] : readDue(now)),
      async (due) => {
        for (const task of due) notified += await remind(task, now);
      },
    );
    return notified;
  };
}
