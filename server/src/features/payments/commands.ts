import { type Filter, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { calendarDate, type PaymentDraft, type Receipt } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { dequeue, enqueue } from "../../db/jobs.ts";
import { notify } from "../../domain/notify.ts";
import { inStatesFor } from "../../domain/task-conditions.ts";
import { recordStep } from "../../domain/timeline.ts";
import type { PaymentProvider } from "./provider.ts";
import { PAYMENT_TASK, type PaymentTask, paymentReminder, requireChangeable } from "./rules.ts";

type Payment = Omit<NonNullable<TaskDoc["payment"]>, "at">;
type Action = Parameters<typeof requireChangeable>[1];

/** Each is a step in the timeline, and a notification to the other side. */
const KINDS = { paid: "payment-sent", received: "payment-received", missing: "payment-missing" } as const;

const UNSETTLED = { "payment.state": { $ne: "received" } } as const;

/** Records what the two sides of a completed task say about its payment. */
export function paymentCommands(database: Database, provider: PaymentProvider) {
  const { tasks, people, notifications, transactionOn } = database;

  /** Applies the change if the filter matches, in one transaction with its step, notification and reminder. */
  function apply(
    { id, caller, now }: { id: string; caller: User; now: Date },
    action: Action,
    condition: Filter<TaskDoc>,
    { state, reference, note }: Payment,
  ): Promise<boolean> {
    const _id = new ObjectId(id);
    const byClient = action === "pay";
    const filter = { _id, ...condition, ...inStatesFor(action, calendarDate(now)) };
    const answer = { "payment.state": state, "payment.at": now, ...(note && { "payment.note": note }) };
    const payment = byClient ? { payment: { state, at: now, reference } } : answer;
    const change = { $set: { ...payment, updatedAt: now }, $inc: { revision: 1 } } as const;
    return transactionOn([_id], async (session) => {
      const options = { session, projection: PAYMENT_TASK };
      const task: PaymentTask | null = await tasks.findOneAndUpdate(filter, change, options);
      if (!task?.award)
        return requireChangeable(await tasks.findOne<PaymentTask>({ _id }, options), action, caller, state);
      const kind = KINDS[state];
      await recordStep(
        database,
        task,
        { kind, by: byClient ? "client" : "freelancer", note },
        { session, now },
      );
      const recipientId = byClient ? task.award.freelancerId : task.ownerId;
      const notice = { kind, recipientId, asClient: !byClient, task, actor: caller, text: reference ?? note };
      await notify(notifications, [notice], { session, now });
      const reminder = paymentReminder(_id, now);
      if (state === "received") await dequeue(database, reminder, session);
      else await enqueue(database, reminder, session);
      return true;
    });
  }

  return {
    /** The client says, or lets the provider see to it, that the task is paid. */
    async markPaid(id: string, caller: User, draft: PaymentDraft, now: Date): Promise<boolean> {
      const options = { projection: PAYMENT_TASK, ...READ_LIMITS };
      const task = await tasks.findOne<PaymentTask>({ _id: new ObjectId(id) }, options);
      if (
        !task?.award ||
        task.ownerId !== caller.uid ||
        task.state !== "completed" ||
        task.payment?.state === "received"
      )
        return requireChangeable(task, "pay", caller, "paid");
      const { freelancerId, amount } = task.award;
      const freelancer = await people.findOne(
        { _id: freelancerId },
        { projection: { payment: 1 }, ...READ_LIMITS },
      );
      const { state, reference } = await provider.pay({
        ...draft,
        taskId: id,
        amount,
        to: freelancer?.payment,
      });
      const payment = { state, reference: reference || undefined };
      return apply({ id, caller, now }, "pay", { ownerId: caller.uid, ...UNSETTLED }, payment);
    },

    /** The hired freelancer says whether the money has arrived, also unasked. */
    confirm(id: string, caller: User, { received, note }: Receipt, now: Date): Promise<boolean> {
      const hired = { "award.freelancerId": caller.uid };
      const condition = received ? UNSETTLED : { "payment.state": "paid" as const };
      const payment = received
        ? ({ state: "received" } as const)
        : ({ state: "missing", note: note || undefined } as const);
      return apply({ id, caller, now }, "confirm-payment", { ...hired, ...condition }, payment);
    },
  };
}
