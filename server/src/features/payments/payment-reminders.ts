import { ObjectId } from "mongodb";
import type { Database } from "../../db/client.ts";
import type { Work } from "../../db/jobs.ts";
import { notify } from "../../domain/notify.ts";
import { turnsOf } from "../../domain/payments.ts";
import { PAYMENT_TASK, type PaymentTask } from "./rules.ts";

/** Reminds whoever has not said anything about a payment for a week: the client who owes it, the freelancer who was paid, or both. */
export function paymentReminders({ tasks, notifications, transaction }: Database): Work {
  return ({ subject: [id], now, complete }) =>
    transaction(async (session) => {
      const options = { session, projection: PAYMENT_TASK };
      const task = await tasks.findOne<PaymentTask>({ _id: new ObjectId(id) }, options);
      await complete(session);
      if (!task?.award) return;
      const { ownerId, award } = task;
      const notices = [...turnsOf(task)].map((side) =>
        side === "client"
          ? ({ kind: "payment-due", recipientId: ownerId, asClient: true, task } as const)
          : ({
              kind: "payment-unconfirmed",
              recipientId: award.freelancerId,
              asClient: false,
              task,
            } as const),
      );
      await notify(notifications, notices, { session, now });
    });
}
