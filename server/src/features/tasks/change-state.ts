import type { Filter, ObjectId, UpdateFilter } from "mongodb";
import type { Context } from "../../context.ts";
import {
  calendarDate,
  isOpen,
  mayAct,
  type StateChange,
  type TaskAction,
  taskState,
} from "../../contract/index.ts";
import { taskEndpoints } from "../../contract/task.ts";
import type { Database } from "../../db/client.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { enqueue } from "../../db/jobs.ts";
import { acceptMilestone, finishTask } from "../../domain/milestones.ts";
import { FORMER_MEMBERS } from "../../domain/notify.ts";
import { settleItem } from "../../domain/operators.ts";
import { paymentReminder } from "../../domain/payments.ts";
import { invalid, type ProblemError, wrongState } from "../../domain/problem-error.ts";
import { inStatesFor } from "../../domain/task-conditions.ts";
import { recordStep } from "../../domain/timeline.ts";
import type { Api } from "../../http/mount.ts";
import { notifyBidders, ownTask, pastDeadline, removeEarlyDelivery, requireOwn } from "./write-tasks.ts";

/** The action of `TASK_RULES` that leads to each state, and the step that it is. */
const MOVES = {
  open: { action: "reopen", kind: "reopened" },
  completed: { action: "complete", kind: "completed" },
  cancelled: { action: "cancel", kind: "cancelled" },
} as const satisfies Record<StateChange["state"], { action: TaskAction; kind: string }>;

/**
 * Completes, cancels or reopens the caller's own task, as `TASK_RULES` allow. Completing accepts the current milestone if
 * another one follows. The hired freelancer is notified, with the reason of a cancellation, or the bidders are.
 */
export function stateRoute(api: Api, { database }: Context): void {
  const { tasks, transactionOn } = database;

  api.mount(taskEndpoints, {
    changeTaskState: ({ params: { id: _id }, body, user: owner, now, versions }) => {
      const { state, deadline } = body;
      if (state === "open" && deadline !== undefined && !isOpen(deadline, now)) throw pastDeadline(now);
      const { action, kind } = MOVES[state];
      const reason = state === "cancelled" ? body.reason : undefined;
      const own = ownTask(owner, versions);
      const { condition, update } = changeTo(body, now);
      return transactionOn(_id, async () => {
        const accepting = { _id, action: "complete", condition: own, actor: owner } as const;
        if (state === "completed" && (await acceptMilestone(database, accepting, now))) return true;
        const task = await tasks.findOneAndUpdate(
          { _id, ...own, $and: [inStatesFor(action, calendarDate(now)), condition] },
          { ...update, $inc: { revision: 1, bidsRevision: 1 } },
        );
        if (!task) throw whyNot(await requireOwn(database, _id, owner, versions), body, now);
        if (state === "open") await prepareForBids(database, task);
        if (state === "completed") {
          await finishTask(database, task);
          await enqueue(database, paymentReminder(_id, now));
          // A dispute is over.
          await settleItem(database, "dispute", _id);
        }
        const after = state === "open" ? { ...task, award: undefined } : task;
        await recordStep(database, after, { kind, by: "client", reason }, now);
        await notifyBidders(database, `task-${kind}`, after, owner, now, reason);
        return true;
      });
    },
  });
}

/** What has to hold besides the rule for the action, and what changes. Reopening voids a previous award. */
function changeTo(
  { state, deadline, reason }: StateChange,
  now: Date,
): { condition: Filter<TaskDoc>; update: UpdateFilter<TaskDoc> } {
  if (state === "open")
    return {
      condition: deadline === undefined ? { deadline: { $gte: calendarDate(now) } } : {},
      update: {
        $set: { state, updatedAt: now, ...(deadline !== undefined && { deadline, editedAt: now }) },
        $unset: { award: "", endedAt: "" },
      },
    };
  const $set = { state, updatedAt: now, endedAt: now };
  if (state === "completed")
    return { condition: {}, update: { $set, $unset: { delivery: "", "award.ending": "" } } };
  return {
    condition: {
      ...(reason === undefined && { award: { $exists: false } }),
      // While there is a dispute, an operator decides.
      "award.ending": { $ne: "operator" },
      // What was accepted is owed: such a task is ended early by both.
      "award.accepted": { $not: { $gt: 0 } },
    },
    update: { $set },
  };
}

/** Removes what must not stay when a task takes bids again. */
async function prepareForBids(
  database: Database,
  { _id, award }: { _id: ObjectId; award?: unknown },
): Promise<void> {
  const { tasks, bids } = database;
  // Bids of people who have deleted their account.
  if (award) {
    const { deletedCount } = await bids.deleteMany({ taskId: _id, bidderId: FORMER_MEMBERS });
    if (deletedCount > 0) await tasks.updateOne({ _id }, { $inc: { bidsCount: -deletedCount } });
  }
  await removeEarlyDelivery(database, _id);
}

/** Why the task does not change to this state. */
function whyNot(task: TaskDoc, { state, reason }: StateChange, now: Date): ProblemError {
  const current = taskState(task, now);
  if (state === "cancelled" && task.award?.ending === "operator")
    return wrongState("There is a dispute about this task: an operator decides.");
  if (state === "cancelled" && task.award?.accepted)
    return wrongState(
      "You have accepted a part of the work, which is owed: propose to end the task early instead.",
    );
  if (state === "cancelled" && current === "awarded" && reason === undefined)
    return invalid("reason", "Say why you cancel: the freelancer you hired sees the reason.");
  if (state === "open" && mayAct("reopen", "client", current)) return pastDeadline(now);
  return wrongState(
    current === "delivered"
      ? "The freelancer has delivered the work: mark the task as completed, or ask for changes."
      : `The task is ${current}: this is not possible now.`,
  );
}
