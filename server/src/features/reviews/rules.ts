import {
  mayAct,
  type OwnReview,
  ownReviewSchema,
  REVIEW_LIMITS,
  type Review,
  reviewSchema,
  taskState,
} from "../../contract/index.ts";
import type { ReviewDoc, TaskDoc } from "../../db/documents/tasks.ts";
import type { PersonName } from "../../domain/people.ts";
import { type Presented, pick } from "../../domain/present.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { type Caller, otherSideLeft, requireSide, type TaskSides } from "../../domain/task-conditions.ts";

/** What the rules of reviewing need to know about a task. */
export type ReviewedTask = TaskSides & Pick<TaskDoc, "state" | "deadline" | "hidden">;

/**
 * The task, the author's side of it and the person they may review.
 * @throws {ProblemError} if they may not review anybody.
 */
export function sidesOfReview<T extends ReviewedTask>(found: T | null, author: Caller, now: Date) {
  const { task, side: role } = requireSide(found, author);
  // If nobody was hired, the client has nobody to review yet.
  if (!task.award || !mayAct("review", "client", taskState(task, now))) throw new ProblemError("wrong-state");
  if (otherSideLeft(task, author.uid)) throw new ProblemError("person-not-found", { detail: LEFT });
  return { task, role, subjectId: role === "client" ? task.award.freelancerId : task.ownerId };
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
export function presentOwnReview(review: ReviewDoc): Presented<OwnReview> {
  const editableUntil = new Date(review.createdAt.getTime() + EDIT_MS);
  return { ...pick(review, ownReviewSchema), shownFrom: shownFrom(review), editableUntil };
}

const LEFT = "The other side of this task has deleted their account, so there is nobody to review.";

/** A review as the public sees it. Authors who deleted their account are anonymous, without a profile link. */
export function presentReview(review: ReviewDoc, author: PersonName | undefined): Presented<Review> {
  const { name, image } = author ?? { name: review.authorName, image: review.authorImage };
  return {
    ...pick(review, reviewSchema),
    author: review.anonymous ? { name } : { id: review.authorId, image, name },
  };
}
