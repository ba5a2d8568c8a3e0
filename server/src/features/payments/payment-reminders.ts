import type { Database } from "../../db/client.ts";
import type { Work } from "../../db/jobs.ts";
import { notifySide } from "../../domain/notify.ts";
import { turnsOf } from "../../domain/payments.ts";

/** Reminds whoever has not said anything about a payment for a week: the client who owes it, the freelancer who was paid, or both. */
export function paymentReminders(database: Database): Work {
  return ({ subject: [_id], now, complete }) =>
    database.transaction(async () => {
      const task = await database.tasks.findOne({ _id });
      await complete();
      if (!task) return;
      for (const side of turnsOf(task)) {
        const kind = side === "client" ? "payment-due" : "payment-unconfirmed";
        await notifySide(database, side, task, { kind }, now);
      }
    });
}
