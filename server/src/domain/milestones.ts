import type { Filter, ObjectId } from "mongodb";
import { calendarDate, type TaskAction } from "../contract/index.ts";
import type { Database } from "../db/client.ts";
import type { AwardDoc, TaskDoc } from "../db/documents/tasks.ts";
import { enqueue } from "../db/jobs.ts";
import { type Notice, notifySide } from "./notify.ts";
import { paymentReminder } from "./payments.ts";
import { countJob } from "./people.ts";
import { inStatesFor, otherSide } from "./task-conditions.ts";
import { recordStep } from "./timeline.ts";

/** Matches tasks of which another milestone is left after the current one. */
const HAS_NEXT: Filter<TaskDoc> = {
  $expr: {
    $lt: [
      { $add: [{ $ifNull: ["$award.accepted", 0] }, 1] },
      { $size: { $ifNull: ["$award.milestones", []] } },
    ],
  },
};

/**
 * Accepts the current milestone of a task, by the rule for completing a task, if another one follows: that is done next.
 * With its timeline step, notification and reminder of the payment.
 * @returns false if this is the last one, or the task has none: then the task itself is completed.
 */
export async function acceptMilestone(
  database: Database,
  {
    _id,
    action,
    condition,
    actor,
  }: {
    _id: ObjectId;
    action: TaskAction & ("complete" | "complete-unanswered");
    condition: Filter<TaskDoc>;
    actor: NonNullable<Notice["actor"]>;
  },
  now: Date,
): Promise<boolean> {
  const task = await database.tasks.findOneAndUpdate(
    { $and: [{ _id, ...inStatesFor(action, calendarDate(now)) }, condition, HAS_NEXT] },
    {
      $set: { state: "awarded", updatedAt: now },
      // A proposal to end the task early, or a dispute, goes on.
      $unset: { delivery: true, "award.sentBack": true },
      $inc: { revision: 1, bidsRevision: 1, "award.accepted": 1 },
    },
  );
  if (!task?.award) return false;
  const { milestones = [], accepted = 0 } = task.award;
  const { name = "", amount = 0 } = milestones[accepted] ?? {};
  const kind = "milestone-accepted";
  const by = action === "complete" ? "client" : "freelancer";
  await recordStep(database, task, { kind, by, note: name }, now);
  const notice = { kind, text: name, about: accepted, amount, actor } as const;
  await notifySide(database, otherSide(by), task, notice, now);
  await enqueue(database, paymentReminder(_id, now));
  return true;
}

type FinishedTask = Pick<TaskDoc, "_id" | "category"> & {
  award?: Pick<AwardDoc, "freelancerId" | "amount" | "milestones"> | undefined;
};

/**
 * What completing a task changes besides its state: it counts among the freelancer's jobs, and all of its milestones
 * are accepted.
 */
export async function finishTask(database: Database, { _id, category, award }: FinishedTask): Promise<void> {
  if (!award) return;
  await countJob(database, { category, award });
  const { milestones } = award;
  if (!milestones) return;
  const accepted = { "award.accepted": milestones.length };
  await database.tasks.updateOne({ _id }, { $set: accepted });
}
