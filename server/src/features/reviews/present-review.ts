import type { Review } from "../../contract/index.ts";
import type { ReviewDoc } from "../../db/documents/tasks.ts";

/** A review as everybody may read it. Somebody who deleted their account is not named, and has no page to lead to. */
export function presentReview(review: ReviewDoc): Review {
  const { authorId, authorName, authorImage, anonymous } = review;
  return {
    _id: review._id.toHexString(),
    taskTitle: review.taskTitle,
    role: review.role,
    author: {
      ...(!anonymous && { id: authorId, ...(authorImage && { image: authorImage }) }),
      name: authorName,
    },
    stars: review.stars,
    text: review.text,
    createdAt: review.createdAt.toISOString(),
  };
}
