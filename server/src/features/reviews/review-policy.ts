import { type ErrorCode, mayAct, type StoredTaskState, taskState } from "../../contract/index.ts";

/** What the rules of reviewing need to know of a task. */
export type ReviewedTask = {
  ownerId: string;
  state: StoredTaskState;
  deadline: string;
  award?: { freelancerId: string } | undefined;
};

/** The side of the task that this person was on, and the one that they can review; undefined for all others. */
export function sidesOf(task: ReviewedTask, { uid }: { uid: string }) {
  if (!task.award) return undefined;
  const { freelancerId } = task.award;
  if (uid === task.ownerId) return { role: "client", subjectId: freelancerId } as const;
  if (uid === freelancerId) return { role: "freelancer", subjectId: task.ownerId } as const;
  return undefined;
}

/** Why may this person not review the other side now? Undefined if they may. */
export function whyNoReview(task: ReviewedTask, author: { uid: string }, now: Date): ErrorCode | undefined {
  const { ownerId } = task;
  const side = sidesOf(task, author);
  // The poster of a task that hired nobody is a side of it, only there is nobody to review.
  if (!side) return author.uid === ownerId ? "wrong-state" : "not-your-review";
  const role = side.role === "client" ? "client" : "hired";
  return mayAct("review", role, taskState(task, now)) ? undefined : "wrong-state";
}
