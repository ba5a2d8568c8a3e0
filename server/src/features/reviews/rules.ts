import { mayAct, taskState } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { canSee, otherSideLeft, type TaskSides } from "../../domain/task-conditions.ts";

/** What the rules of reviewing need to know about a task. */
export type ReviewedTask = TaskSides & Pick<TaskDoc, "state" | "deadline" | "hidden">;

type Sides = { role: "client" | "freelancer"; subjectId: string };

/**
 * The author's side of the task and the person they may review.
 * @throws {ProblemError} if they may not review anybody.
 */
export function sidesOfReview<T extends ReviewedTask>(
  task: T | null,
  author: { uid: string; isOperator?: true },
  now: Date,
): Sides & { task: T } {
  const { uid } = author;
  const sides = task && sidesOf(task, uid);
  // A task's two sides can see it even when it is hidden.
  if (!task || !canSee(task, author)) throw new ProblemError("task-not-found");
  // If nobody was hired, the client has nobody to review yet.
  if (!sides) throw new ProblemError(uid === task.ownerId ? "wrong-state" : "not-your-review");
  const role = sides.role === "client" ? "client" : "hired";
  if (!mayAct("review", role, taskState(task, now))) throw new ProblemError("wrong-state");
  if (otherSideLeft(task, uid)) throw new ProblemError("person-not-found", { detail: LEFT });
  return { ...sides, task };
}

const LEFT = "The other side of this task has deleted their account, so there is nobody to review.";

function sidesOf({ ownerId, award }: ReviewedTask, uid: string): Sides | undefined {
  if (!award) return undefined;
  const { freelancerId } = award;
  if (uid === ownerId) return { role: "client", subjectId: freelancerId };
  if (uid === freelancerId) return { role: "freelancer", subjectId: ownerId };
  return undefined;
}
