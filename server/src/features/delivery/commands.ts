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
import { enqueue, type Jobs } from "../../db/jobs.ts";
import { announce } from "../../domain/announcements.ts";
import { attachFiles } from "../../domain/files.ts";
import { acceptMilestone, finishMilestones } from "../../domain/milestones.ts";
import { type Notice, notify } from "../../domain/notify.ts";
import { paymentReminder } from "../../domain/payments.ts";
import { inStatesFor } from "../../domain/task-conditions.ts";
import { recordStep, type Step } from "../../domain/timeline.ts";
import { deliveredAt, firstReminder, requirePossible } from "./rules.ts";

/** The task's fields that decide whether a command is allowed and whom it notifies. */
export const DELIVERY_TASK = {
  title: 1,
  ownerId: 1,
  state: 1,
  deadline: 1,
  award: 1,
  delivery: 1,
  hidden: 1,
  revision: 1,
} as const;

/** While there is a dispute, an operator decides. */
const UNDISPUTED = { "award.ending": { $ne: "operator" } } as const;

type Transition = {
  action: TaskAction;
  /** Matches tasks on which the caller may do this. */
  condition: Filter<TaskDoc>;
  update: UpdateFilter<TaskDoc>;
  step: Step;
  notice: Pick<Notice, "kind" | "text" | "amount">;
  files?: string[] | undefined;
};

/**
 * Delivers work, requests changes, and completes a task whose client does not react. The filter of each write says who
 * may do it in which state: of two concurrent requests one succeeds, and the other's refusal says what happened.
 */
export function deliveryCommands(database: Database, { nudge }: Pick<Jobs, "nudge">) {
  const { tasks, notifications, transactionOn } = database;

  /** Applies the transition if the filter matches, in one transaction with its timeline step and notification. */
  function apply(
    id: string,
    caller: User,
    { action, condition, update, step, notice, files }: Transition,
    now: Date,
  ) {
    const _id = new ObjectId(id);
    const filter = { _id, ...condition, ...inStatesFor(action, calendarDate(now)) };
    const change = { ...update, $set: { ...update.$set, updatedAt: now }, $inc: { revision: 1 } };
    const applied = transactionOn([_id], async (session) => {
      if (action === "complete-unanswered") {
        const accepting = { _id, action, condition, actor: caller };
        if (await acceptMilestone(database, accepting, { session, now })) return true;
      }
      const options = { session, projection: DELIVERY_TASK };
      const task = await tasks.findOneAndUpdate(filter, change as UpdateFilter<TaskDoc>, options);
      if (!task?.award) return requirePossible(await tasks.findOne({ _id }, options), action, caller);
      const on = await recordStep(database, task, step, { session, now });
      const readers = [task.ownerId, task.award.freelancerId];
      const place = { kind: "delivery", on, taskId: _id, by: "freelancer", readers } as const;
      await attachFiles(database, caller.uid, files, place, { session, now });
      const asClient = step.by === "freelancer";
      const recipientId = asClient ? task.ownerId : task.award.freelancerId;
      await notify(notifications, [{ ...notice, recipientId, asClient, task, actor: caller }], {
        session,
        now,
      });
      const announcement = { kind: "task-completed", to: "watchers", task, actor: caller } as const;
      if (step.kind === "delivered") {
        const reminder = { kind: "delivery-reminder", subject: [_id], dueAt: firstReminder(now) } as const;
        await enqueue(database, reminder, session);
      }
      if (step.kind === "completed") {
        await finishMilestones(database, task, session);
        await enqueue(database, paymentReminder(_id, now), session);
        await announce(database, { ...announcement, except: task.award.bidId }, { session, now });
      }
      return true;
    });
    return applied.finally(() => nudge("announcement"));
  }

  return {
    /** The hired freelancer delivers the work. */
    deliver: (id: string, caller: User, { note, links, files }: DeliveryDraft, now: Date): Promise<boolean> =>
      apply(
        id,
        caller,
        {
          action: "deliver",
          condition: { "award.freelancerId": caller.uid },
          update: {
            $set: { state: "delivered", delivery: deliveredAt(now) },
            $unset: { "award.sentBack": "" },
          },
          step: { kind: "delivered", by: "freelancer", note, links },
          notice: { kind: "work-delivered" },
          files,
        },
        now,
      ),

    /** The client sends delivered work back, and says what is missing. */
    requestChanges: (id: string, caller: User, { reason }: ChangeRequest, now: Date): Promise<boolean> =>
      apply(
        id,
        caller,
        {
          action: "request-changes",
          condition: { ownerId: caller.uid },
          update: { $set: { state: "awarded", "award.sentBack": true }, $unset: { delivery: "" } },
          step: { kind: "changes-requested", by: "client", reason },
          notice: { kind: "changes-requested", text: reason },
        },
        now,
      ),

    /** The freelancer completes the task if its client did not react to the delivery in time. */
    completeUnanswered: (id: string, caller: User, now: Date): Promise<boolean> =>
      apply(
        id,
        caller,
        {
          action: "complete-unanswered",
          condition: {
            "award.freelancerId": caller.uid,
            "delivery.mayCompleteFrom": { $lte: now },
            ...UNDISPUTED,
          },
          update: { $set: { state: "completed", endedAt: now }, $unset: { delivery: "" } },
          step: { kind: "completed", by: "freelancer" },
          notice: { kind: "completed-unanswered" },
        },
        now,
      ),
  };
}
