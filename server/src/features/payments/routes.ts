import type { Condition, ObjectId, UpdateFilter } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { Context } from "../../context.ts";
import { calendarDate } from "../../contract/index.ts";
import { paymentEndpoints } from "../../contract/payment.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { dequeue, enqueue } from "../../db/jobs.ts";
import { notifySide } from "../../domain/notify.ts";
import { paymentReminder, turnsOf } from "../../domain/payments.ts";
import { invalid } from "../../domain/problem-error.ts";
import { inStatesFor, otherSide } from "../../domain/task-conditions.ts";
import { recordStep } from "../../domain/timeline.ts";
import type { Api } from "../../http/mount.ts";
import { personStore } from "../people/store.ts";
import { manualProvider } from "./provider.ts";
import { INVALID_DETAILS, type PaymentAction, payable, requireChangeable } from "./rules.ts";

type Payment = Omit<NonNullable<TaskDoc["payment"]>, "at">;
type Target = { _id: ObjectId; caller: User; now: Date; milestone: number | undefined };

/** Each is a step in the timeline, and a notification to the other side. */
const KINDS = { paid: "payment-sent", received: "payment-received", missing: "payment-missing" } as const;

/** How freelancers are paid, and what the two sides of a completed task say about its payment. */
export function paymentRoutes(api: Api, { database }: Context): void {
  const { tasks, people, transactionOn } = database;
  const provider = manualProvider;
  const persons = personStore(database);

  /**
   * Applies the change if the payment is in one of these states, in one transaction with its step, notification and
   * reminder. The payment of a milestone is in the award, and can be settled once that is accepted.
   */
  function apply(
    { _id, caller, now, milestone }: Target,
    action: PaymentAction,
    from: Condition<Payment["state"]>,
    { state, reference, note }: Payment,
  ): Promise<boolean> {
    const by = action === "pay" ? "client" : "freelancer";
    const path = milestone === undefined ? "payment" : `award.milestones.${milestone}.payment`;
    const today = calendarDate(now);
    const filter = {
      _id,
      [by === "client" ? "ownerId" : "award.freelancerId"]: caller.uid,
      [`${path}.state`]: from,
      ...(milestone === undefined
        ? { ...inStatesFor(action, today), "award.milestones": { $exists: false } }
        : { ...inStatesFor("settle-milestone", today), "award.accepted": { $gt: milestone } }),
    };
    const payment =
      by === "client"
        ? { [path]: { state, at: now, reference } }
        : { [`${path}.state`]: state, [`${path}.at`]: now, [`${path}.note`]: note };
    const change = {
      $set: { ...payment, updatedAt: now },
      // Why it was missing before. What the client says replaces all of it.
      ...(by === "freelancer" && note === undefined && { $unset: { [`${path}.note`]: true } }),
      $inc: { revision: 1 },
    } as UpdateFilter<TaskDoc>;
    return transactionOn(_id, async () => {
      const task = await tasks.findOneAndUpdate(filter, change, { returnDocument: "after" });
      if (!task?.award) {
        const found = await tasks.findOne({ _id });
        return requireChangeable(found, action, caller, state, milestone);
      }
      const { milestones } = task.award;
      const kind = KINDS[state];
      await recordStep(database, task, { kind, by, note }, now);
      const text = [milestone !== undefined && milestones?.[milestone]?.name, reference ?? note];
      const notice = { kind, actor: caller, text: text.filter(Boolean).join(": "), about: milestone };
      await notifySide(database, otherSide(by), task, notice, now);
      const reminder = paymentReminder(_id, now);
      if (turnsOf(task).size > 0) await enqueue(database, reminder);
      else await dequeue(database, reminder);
      return true;
    });
  }

  api.mount(paymentEndpoints, {
    readPaymentDetails: ({ user }) => persons.paymentDetails(user.uid),

    savePaymentDetails: async ({ body, user, now }) => {
      const details = provider.normalize(body);
      if (!details) throw invalid("value", INVALID_DETAILS[body.way]);
      await persons.savePaymentDetails(user, details, now);
      return details;
    },

    // The client says, or lets the provider see to it, that the task is paid.
    markPaid: async ({ params: { id: _id }, body, user: caller, now }) => {
      const { milestone } = body;
      const task = await tasks.findOne({ _id });
      const amount = task && payable(task, milestone);
      if (!task?.award || typeof amount !== "number" || task.ownerId !== caller.uid)
        return requireChangeable(task, "pay", caller, "paid", milestone);
      const freelancer = await people.findOne(
        { _id: task.award.freelancerId },
        { projection: { payment: 1 } },
      );
      const order = { taskId: _id.toHexString(), amount, reference: body.reference, to: freelancer?.payment };
      const { state, reference } = await provider.pay(order);
      const payment = { state, reference: reference || undefined };
      return apply({ _id, caller, now, milestone }, "pay", { $ne: "received" }, payment);
    },

    // The hired freelancer says whether the money has arrived, also unasked.
    confirmPayment: ({ params: { id: _id }, body, user: caller, now }) => {
      const { received, note, milestone } = body;
      const target = { _id, caller, now, milestone };
      return received
        ? apply(target, "confirm-payment", { $ne: "received" }, { state: "received" })
        : apply(target, "confirm-payment", "paid", { state: "missing", note: note || undefined });
    },
  });
}
