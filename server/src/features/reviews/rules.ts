import { mayAct, type OwnReview, REVIEW_LIMITS, taskState } from "../../contract/index.ts";
import type { ReviewDoc, TaskDoc } from "../../db/documents/tasks.ts";
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
  if (!sides) throw new ProblemError(uid === task.ownerId ? "wrong-state" : "not-a-side");
  const role = sides.role === "client" ? "client" : "hired";
  if (!mayAct("review", role, taskState(task, now))) throw new ProblemError("wrong-state");
  if (otherSideLeft(task, uid)) throw new ProblemError("person-not-found", { detail: LEFT });
  return { ...sides, task };
}

/** How long its author can change a review. */
export const EDIT_MS = REVIEW_LIMITS.editHours * 3_600_000;

/** When a review is shown that the other side has not returned. */
export function shownFrom({ createdAt }: Pick<ReviewDoc, "createdAt">): Date {
  return new Date(createdAt.getTime() + REVIEW_LIMITS.hiddenDays * 86_400_000);
}

/** The job that shows a review. */
export function showing({ _id, taskId }: Pick<ReviewDoc, "_id" | "taskId">) {
  return { kind: "review-shown", subject: [taskId, _id] } as const;
}

/** A review as its author sees it. */
export function presentOwnReview(review: ReviewDoc): OwnReview {
  const { stars, text, shown, createdAt } = review;
  const editableUntil = new Date(createdAt.getTime() + EDIT_MS).toISOString();
  return { stars, text, shown, shownFrom: shownFrom(review).toISOString(), editableUntil };
}

const LEFT = "The other side of this task has deleted their account, so there is nobody to review.";

function sidesOf({ ownerId, award }: ReviewedTask, uid: string): Sides | undefined {
  if (!award) return undefined;
  const { freelancerId } = award;
  if (uid === ownerId) return { role: "client", subjectId: freelancerId };
  if (uid === freelancerId) return { role: "freelancer", subjectId: ownerId };
  return undefined;
}
