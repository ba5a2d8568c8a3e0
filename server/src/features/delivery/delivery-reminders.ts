import type { UpdateFilter } from "mongodb";
import { type Database, drainBatches, READ_LIMITS } from "../../db/client.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { notify } from "../../db/notices.ts";
import { DELIVERY_TASK, type DeliveryTask } from "./delivery-commands.ts";
import { reminderDue } from "./delivery-schedule.ts";

type Deps = Pick<Database, "tasks" | "notifications" | "transaction" | "hints">;
type Options = { batch?: number; signal?: AbortSignal };

const BATCH = 100;

/**
 * Reminds clients of work that waits for them, and tells its freelancer when they may mark the task as completed. Each
 * reminder is claimed by the filter of the write that sets the next one, in one transaction with the notification: so it is
 * told once, on however many instances this runs, and also if one of them dies in the middle.
 * @returns goes through what is due, and resolves to how many people were told.
 */
export function deliveryReminders({ tasks, notifications, transaction, hints }: Deps, options: Options = {}) {
  const { batch = BATCH, signal } = options;

  function readDue(now: Date): Promise<DeliveryTask[]> {
    const filter = { state: "delivered", "delivery.remindAt": { $lte: now } } as const;
    const read = { sort: { "delivery.remindAt": 1, _id: 1 }, limit: batch, ...READ_LIMITS } as const;
    return hints.using("tasks", "delivery-due", (hint) =>
      tasks.find<DeliveryTask>(filter, { ...read, projection: DELIVERY_TASK, ...hint }).toArray(),
    );
  }

  function remind({ _id, delivery }: DeliveryTask, now: Date): Promise<number> {
    return transaction(async (session) => {
      if (!delivery?.remindAt) return 0;
      const { whom, next } = reminderDue(delivery, now);
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
        whom === "client"
          ? ({ kind: "delivery-waiting", recipientId: task.ownerId, asClient: true } as const)
          : ({ kind: "may-complete", recipientId: task.award.freelancerId, asClient: false } as const);
      await notify(notifications, [{ ...notice, task }], { session, now });
      return 1;
    });
  }

  return async (now: Date): Promise<number> => {
    let told = 0;
    await drainBatches(
      async () => (signal?.aborted ? [] : readDue(now)),
      async (due) => {
        for (const task of due) told += await remind(task, now);
      },
    );
    return told;
  };
}
