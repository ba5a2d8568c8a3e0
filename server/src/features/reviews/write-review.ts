import type { User } from "../../auth/token-verifier.ts";
import type { InsertResponse, ReviewDraft } from "../../contract/index.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { sidesOf, whyNoReview } from "./review-policy.ts";
import type { ReviewStore } from "./review-store.ts";

/**
 * One side of a completed task says what the other was like, once; the other is told.
 * @throws {ProblemError} `task-not-found`, `not-your-review`, `wrong-state` or `already-reviewed`.
 */
export async function writeReview(
  store: ReviewStore,
  taskId: string,
  draft: ReviewDraft,
  author: User,
  now: Date,
): Promise<InsertResponse> {
  const task = await store.findTask(taskId);
  const sides = task && sidesOf(task, author);
  // Hidden from the public, but not from those who worked on it.
  if (!task || (task.hidden && !sides && task.ownerId !== author.uid))
    throw new ProblemError("task-not-found");
  const refusal = whyNoReview(task, author, now);
  if (refusal || !sides) throw new ProblemError(refusal ?? "not-your-review");
  const outcome = await store.write(task, {
    authorId: author.uid,
    authorName: author.name,
    ...(author.picture && { authorImage: author.picture }),
    ...sides,
    stars: draft.stars,
    text: draft.text,
    anonymous: false,
    createdAt: now,
  });
  // Between the two looks the task was deleted, or one of its sides was.
  if (outcome === "refused") throw new ProblemError("wrong-state");
  if (outcome === "already-reviewed") throw new ProblemError("already-reviewed");
  return { acknowledged: true, insertedId: outcome.written };
}
