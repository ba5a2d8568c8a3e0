import { type Filter, ObjectId, type UpdateFilter } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import {
  type ChangeRequest,
  calendarDate,
  type DeliveryDraft,
  type TaskAction,
} from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { type Notice, notify } from "../../db/notices.ts";
import type { ReadCache } from "../../db/read-cache.ts";
import { inStatesFor } from "../../db/task-conditions.ts";
import { recordStep, type Step } from "../../db/timeline.ts";
import type { Outcome } from "../../db/transaction.ts";
import { refusalOf } from "./delivery-refusal.ts";
import { deliveredAt } from "./delivery-schedule.ts";

export const DELIVERY_TASK = {
  title: 1,
  ownerId: 1,
  state: 1,
  deadline: 1,
  award: 1,
  delivery: 1,
  hidden: 1,
} as const;
/** What of a task decides whether it may move on, and whom that is told. */
export type DeliveryTask = Pick<TaskDoc, "_id" | keyof typeof DELIVERY_TASK>;

type Move = {
  action: TaskAction;
  /** The caller's side of the task. */
  side: Filter<TaskDoc>;
  update: UpdateFilter<TaskDoc>;
  step: Step;
  notice: Pick<Notice, "kind" | "text" | "amount">;
};

/**
 * Hands work in, sends it back, and completes it in place of a client who does not react. Who may do it and in which state
 * stands in the filter of each write: of two that come at once one is done, and the other is told what happened.
 */
export function deliveryCommands(
  database: Pick<Database, "tasks" | "notifications" | "timeline" | "transactionOn">,
  { invalidateAfter }: Pick<ReadCache, "invalidateAfter">,
) {
  const { tasks, notifications, transactionOn } = database;

  /** Moves the task on if the filter holds, in one transaction with its timeline and whom it is told. */
  function move(id: string, caller: User, { action, side, update, step, notice }: Move, now: Date) {
    const _id = new ObjectId(id);
    const filter = { _id, ...side, ...inStatesFor(action, calendarDate(now)) };
    const change = { ...update, $set: { ...update.$set, updatedAt: now }, $inc: { revision: 1 } };
    const moving = transactionOn([_id], async (session): Promise<Outcome> => {
      const options = { session, projection: DELIVERY_TASK };
      const task = await tasks.findOneAndUpdate(filter, change as UpdateFilter<TaskDoc>, options);
      if (!task?.award) return refusalOf(await tasks.findOne({ _id }, options), action, caller);
      await recordStep(database, task, step, { session, now });
      const asClient = step.by === "freelancer";
      const recipientId = asClient ? task.ownerId : task.award.freelancerId;
      await notify(notifications, [{ ...notice, recipientId, asClient, task, actor: caller }], {
        session,
        now,
      });
      return { changed: true };
    });
    return invalidateAfter(() => moving);
  }

  return {
    /** The hired freelancer hands in the work. */
    deliver: (id: string, caller: User, { note, links }: DeliveryDraft, now: Date): Promise<Outcome> =>
      move(
        id,
        caller,
        {
          action: "deliver",
          side: { "award.freelancerId": caller.uid },
          update: { $set: { state: "delivered", delivery: deliveredAt(now) } },
          step: { kind: "delivered", by: "freelancer", note, links },
          notice: { kind: "work-delivered" },
        },
        now,
      ),

    /** The client sends delivered work back, and says what is missing. */
    requestChanges: (id: string, caller: User, { reason }: ChangeRequest, now: Date): Promise<Outcome> =>
      move(
        id,
        caller,
        {
          action: "request-changes",
          side: { ownerId: caller.uid },
          update: { $set: { state: "awarded" }, $unset: { delivery: "" } },
          step: { kind: "changes-requested", by: "client", reason },
          notice: { kind: "changes-requested", text: reason },
        },
        now,
      ),

    /** The freelancer completes what the client did not react to in time. */
    completeUnanswered: (id: string, caller: User, now: Date): Promise<Outcome> =>
      move(
        id,
        caller,
        {
          action: "complete-unanswered",
          side: { "award.freelancerId": caller.uid, "delivery.mayCompleteFrom": { $lte: now } },
          update: { $set: { state: "completed", endedAt: now }, $unset: { delivery: "" } },
          step: { kind: "completed", by: "freelancer" },
          notice: { kind: "completed-unanswered" },
        },
        now,
      ),
  };
}
