import * as z from "zod/mini";
import { paragraph, wholeNumber } from "./fields.ts";

export const REVIEW_LIMITS = { stars: 5, text: 1_000 } as const;

/** `POST /tasks/:id/reviews`: each side of a completed task reviews the other once. */
export const reviewDraftSchema = z.object({
  stars: wholeNumber(REVIEW_LIMITS.stars, `Choose 1 to ${REVIEW_LIMITS.stars} stars.`),
  text: paragraph("Review", REVIEW_LIMITS.text),
});
export type ReviewDraft = z.infer<typeof reviewDraftSchema>;

/** One review. `role` is its author's; an author who deleted their account has no `id`. */
export const reviewSchema = z.extend(reviewDraftSchema, {
  _id: z.string(),
  taskTitle: z.string(),
  role: z.enum(["client", "freelancer"]),
  author: z.object({ id: z.optional(z.string()), name: z.string(), image: z.optional(z.string()) }),
  createdAt: z.string(),
});
export type Review = z.infer<typeof reviewSchema>;
export const reviewListSchema = z.array(reviewSchema);
