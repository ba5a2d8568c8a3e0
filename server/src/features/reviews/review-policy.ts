import { type ErrorCode, mayAct, taskState } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { canSee, otherSideLeft, type TaskSides } from "../../db/task-conditions.ts";

/** What the rules of reviewing need to know of a task. */
export type ReviewedTask = TaskSides & Pick<TaskDoc, "state" | "deadline" | "hidden">;

export type Refusal = { refused: ErrorCode; detail?: string };

type Sides = { role: "client" | "freelancer"; subjectId: string };

/** The side of the task that this person was on and the one that they may review now, or why they may review nobody. */
export function mayReview(
  task: ReviewedTask | null,
  author: { uid: string; isOperator?: true },
  now: Date,
): Sides | Refusal {
  const { uid } = author;
  const sides = task && sidesOf(task, uid);
  // Hidden from the public, but not from those who worked on it.
  if (!task || !canSee(task, author)) return { refused: "task-not-found" };
  // The poster of a task that hired nobody is a side of it, only there is nobody to review.
  if (!sides) return { refused: uid === task.ownerId ? "wrong-state" : "not-your-review" };
  const role = sides.role === "client" ? "client" : "hired";
  if (!mayAct("review", role, taskState(task, now))) return { refused: "wrong-state" };
  return otherSideLeft(task, uid) ? { refused: "person-not-found", detail: LEFT } : sides;
}

const LEFT = "The other side of this task has deleted their account, so there is nobody to review.";

function sidesOf({ ownerId, award }: ReviewedTask, uid: string): Sides | undefined {
  if (!award) return undefined;
  const { freelancerId } = award;
  if (uid === ownerId) return { role: "client", subjectId: freelancerId };
  if (uid === freelancerId) return { role: "freelancer", subjectId: ownerId };
  return undefined;
}
