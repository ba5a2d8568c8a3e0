import { type Condition, ObjectId, type UpdateFilter } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { calendarDate, type PaymentDraft, type Receipt } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { dequeue, enqueue } from "../../db/jobs.ts";
import { notify } from "../../domain/notify.ts";
import { paymentReminder, summarized, turnsOf } from "../../domain/payments.ts";
import { inStatesFor } from "../../domain/task-conditions.ts";
import { recordStep } from "../../domain/timeline.ts";
import type { PaymentProvider } from "./provider.ts";
import { PAYMENT_TASK, type PaymentTask, requireChangeable } from "./rules.ts";

type Payment = Omit<NonNullable<TaskDoc["payment"]>, "at">;
type Action = Parameters<typeof requireChangeable>[1];

/** Each is a step in the timeline, and a notification to the other side. */
const KINDS = { paid: "payment-sent", received: "payment-received", missing: "payment-missing" } as const;

/** Records what the two sides of a completed task say about its payment. */
export function paymentCommands(database: Database, provider: PaymentProvider) {
  const { tasks, people, notifications, transactionOn } = database;

  /**
   * Applies the change if the payment is in one of these states, in one transaction with its step, notification and
   * reminder. The payment of a milestone is in the award, and can be settled once that is accepted.
   */
  function apply(
    { id, caller, now, milestone }: { id: string; caller: User; now: Date; milestone: number | undefined },
    action: Action,
    from: Condition<Payment["state"]>,
    { state, reference, note }: Payment,
  ): Promise<boolean> {
    const _id = new ObjectId(id);
    const byClient = action === "pay";
    const path = milestone === undefined ? "payment" : `award.milestones.${milestone}.payment`;
    const today = calendarDate(now);
    const filter = {
      _id,
      ...(byClient ? { ownerId: caller.uid } : { "award.freelancerId": caller.uid }),
      [`${path}.state`]: from,
      ...(milestone === undefined
        ? { ...inStatesFor(action, today), "award.milestones": { $exists: false } }
        : { ...inStatesFor("settle-milestone", today), "award.accepted": { $gt: milestone } }),
    };
    const answer = {
      [`${path}.state`]: state,
      [`${path}.at`]: now,
      ...(note !== undefined && { [`${path}.note`]: note }),
    };
    const payment = byClient ? { [path]: { state, at: now, ...(reference && { reference }) } } : answer;
    const change = { $set: { ...payment, updatedAt: now }, $inc: { revision: 1 } } as UpdateFilter<TaskDoc>;
    return transactionOn([_id], async (session) => {
      const options = { session, projection: PAYMENT_TASK };
      const after = { ...options, returnDocument: "after" } as const;
      const task: PaymentTask | null = await tasks.findOneAndUpdate(filter, change, after);
      if (!task?.award) {
        const found = await tasks.findOne<PaymentTask>({ _id }, options);
        return requireChangeable(found, action, caller, state, milestone);
      }
      const { milestones, freelancerId } = task.award;
      const summary = milestones && task.state === "completed" ? summarized(milestones) : undefined;
      if (summary) await tasks.updateOne({ _id }, { $set: { payment: summary } }, { session });
      const kind = KINDS[state];
      await recordStep(
        database,
        task,
        { kind, by: byClient ? "client" : "freelancer", note },
        { session, now },
      );
      const recipientId = byClient ? freelancerId : task.ownerId;
      const text = [milestone !== undefined && milestones?.[milestone]?.name, reference ?? note];
      const words = text.filter(Boolean).join(": ") || undefined;
      const notice = { kind, recipientId, asClient: !byClient, task, actor: caller, text: words };
      await notify(notifications, [notice], { session, now });
      const reminder = paymentReminder(_id, now);
      if (turnsOf(task).size > 0) await enqueue(database, reminder, session);
      else await dequeue(database, reminder, session);
      return true;
    });
  }

  return {
    /** The client says, or lets the provider see to it, that the task is paid. */
    async markPaid(id: string, caller: User, draft: PaymentDraft, now: Date): Promise<boolean> {
      const options = { projection: PAYMENT_TASK, ...READ_LIMITS };
      const task = await tasks.findOne<PaymentTask>({ _id: new ObjectId(id) }, options);
      const { milestone, reference: given } = draft;
      const due = task && payable(task, milestone);
      if (!task?.award || typeof due !== "number" || task.ownerId !== caller.uid)
        return requireChangeable(task, "pay", caller, "paid", milestone);
      const { freelancerId } = task.award;
      const freelancer = await people.findOne(
        { _id: freelancerId },
        { projection: { payment: 1 }, ...READ_LIMITS },
      );
      const { state, reference } = await provider.pay({
        reference: given,
        taskId: id,
        amount: due,
        to: freelancer?.payment,
      });
      const payment = { state, reference: reference || undefined };
      return apply({ id, caller, now, milestone }, "pay", { $ne: "received" }, payment);
    },

    /** The hired freelancer says whether the money has arrived, also unasked. */
    confirm(id: string, caller: User, receipt: Receipt, now: Date): Promise<boolean> {
      const { received, note, milestone } = receipt;
      const payment = received
        ? ({ state: "received" } as const)
        : ({ state: "missing", note: note || undefined } as const);
      const from = received ? { $ne: "received" as const } : ("paid" as const);
      return apply({ id, caller, now, milestone }, "confirm-payment", from, payment);
    },
  };
}

/** What the client can pay now, in USD; undefined if nothing is due. */
function payable({ state, award, payment }: PaymentTask, milestone: number | undefined): number | undefined {
  if (milestone === undefined)
    return state === "completed" && !award?.milestones && payment?.state !== "received"
      ? award?.amount
      : undefined;
  const part = milestone < (award?.accepted ?? 0) ? award?.milestones?.[milestone] : undefined;
  return part?.payment?.state === "received" ? undefined : part?.amount;
}
