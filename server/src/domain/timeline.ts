import { ObjectId } from "mongodb";
import type { Collections } from "../db/collections.ts";
import type { TaskDoc, TimelineDoc } from "../db/documents/tasks.ts";

/** What happened, who did it, and what they wrote about it. */
export type Step = Pick<TimelineDoc, "kind" | "by" | "note" | "links" | "reason">;

/**
 * Adds a step to a task's timeline, in the transaction of what happened, so that neither exists without the other. Its
 * time is after that of the previous step, even if its request started earlier.
 * @returns its id.
 */
export async function recordStep(
  { timeline }: Collections,
  { _id: taskId, ownerId: clientId, award }: Pick<TaskDoc, "_id" | "ownerId" | "award">,
  step: Step,
  now: Date,
): Promise<ObjectId> {
  const last = await timeline.findOne({ taskId }, { sort: { at: -1 }, projection: { at: 1 } });
  const at = last && last.at >= now ? new Date(last.at.getTime() + 1) : now;
  const sides = { clientId, freelancerId: award?.freelancerId };
  const _id = new ObjectId();
  await timeline.insertOne({ _id, taskId, ...sides, ...step, at });
  return _id;
}
