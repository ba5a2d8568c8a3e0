import { ObjectId } from "mongodb";
import type { Database } from "../../db/client.ts";
import type { Work } from "../../db/jobs.ts";
import { notify } from "../../domain/notify.ts";
import { whoseTurn } from "../../domain/payments.ts";
import { PAYMENT_TASK, type PaymentTask } from "./rules.ts";

/** Reminds whoever has not said anything about a payment for a week: the client who owes it, or the freelancer. */
export function paymentReminders({ tasks, notifications, transaction }: Database): Work {
  return ({ subject: [id], now, complete }) =>
    transaction(async (session) => {
      const options = { session, projection: PAYMENT_TASK };
      const task = await tasks.findOne<PaymentTask>({ _id: new ObjectId(id) }, options);
      await complete(session);
      const turn = task && whoseTurn(task);
      if (!turn || !task.award) return;
      const asClient = turn === "client";
      const recipientId = asClient ? task.ownerId : task.award.freelancerId;
      const kind = asClient ? "payment-due" : "payment-unconfirmed";
      await notify(notifications, [{ kind, recipientId, asClient, task }], { session, now });
    });
}
