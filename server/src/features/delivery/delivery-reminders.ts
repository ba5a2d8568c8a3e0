import type { Database } from "../../db/client.ts";
import type { Work } from "../../db/jobs.ts";
import { notifySide } from "../../domain/notify.ts";
import { reminderDue } from "./rules.ts";

/**
 * Reminds the client of a delivery that waits for them, and notifies the freelancer when they may complete the task. Each
 * reminder is written in one transaction with the time of the next.
 */
export function deliveryReminders(database: Database): Work {
  return ({ subject: [_id], now, complete }) =>
    database.transaction(async () => {
      const task = await database.tasks.findOne({ _id, state: "delivered" });
      if (!task?.delivery) return complete();
      const { recipient, next } = reminderDue(task.delivery, now);
      await complete(next && { dueAt: next });
      // While there is a dispute, an operator decides.
      if (task.award?.ending === "operator") return;
      const kind = recipient === "client" ? "delivery-waiting" : "may-complete";
      await notifySide(database, recipient, task, { kind }, now);
    });
}
