import * as z from "zod/mini";
import { linkedPersonSchema, paragraph, sideSchema, wholeNumber } from "./fields.ts";

/** Characters of its texts; `hiddenDays`: when a review is shown that the other side has not returned. */
export const REVIEW_LIMITS = { stars: 5, text: 1_000, reply: 1_000, editHours: 24, hiddenDays: 14 } as const;

/**
 * `POST /tasks/:id/reviews`: each side of a completed task reviews the other once. Neither is shown before both are
 * written or {@link REVIEW_LIMITS}`.hiddenDays` have passed. `PUT` changes it within a day.
 */
export const reviewDraftSchema = z.object({
  stars: wholeNumber(REVIEW_LIMITS.stars, `Choose 1 to ${REVIEW_LIMITS.stars} stars.`),
  text: paragraph("Review", REVIEW_LIMITS.text),
});

/** `PUT /me/reviews/:id/reply`: what somebody replies to a review of themselves, once. */
export const reviewReplySchema = z.object({ text: paragraph("Reply", REVIEW_LIMITS.reply) });

/** The caller's own review. `shown`: whether others see it; otherwise `shownFrom` is when they do at the latest. */
export const ownReviewSchema = z.extend(reviewDraftSchema, {
  shown: z.boolean(),
  shownFrom: z.string(),
  editableUntil: z.string(),
});

export type OwnReview = z.infer<typeof ownReviewSchema>;

/** One review. `role` is its author's; an author who deleted their account has no `id`. */
export const reviewSchema = z.extend(reviewDraftSchema, {
  _id: z.string(),
  taskTitle: z.string(),
  role: sideSchema,
  /** True if the task was ended by an operator's decision. */
  endedByDecision: z.optional(z.boolean()),
  author: linkedPersonSchema,
  createdAt: z.string(),
  reply: z.optional(z.object({ text: z.string(), createdAt: z.string() })),
});
export type Review = z.infer<typeof reviewSchema>;
