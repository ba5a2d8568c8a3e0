import { type ErrorCode, mayAct, taskState } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { canSee, otherSideLeft, type TaskSides } from "../../db/task-conditions.ts";

/** What the rules of reviewing need to know about a task. */
export type ReviewedTask = TaskSides & Pick<TaskDoc, "state" | "deadline" | "hidden">;

export type Refusal = { refused: ErrorCode; detail?: string };

type Sides = { role: "client" | "freelancer"; subjectId: string };

/** The author's side of the task and the person they may review, or why they may not review anybody. */
export function mayReview(
  task: ReviewedTask | null,
  author: { uid: string; isOperator?: true },
  now: Date,
): Sides | Refusal {
  const { uid } = author;
  const sides = task && sidesOf(task, uid);
  // A task's two sides can see it even when it is hidden.
  if (!task || !canSee(task, author)) return { refused: "task-not-found" };
  // If nobody was hired, the client has nobody to review yet.
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
