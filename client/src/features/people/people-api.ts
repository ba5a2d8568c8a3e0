import {
  insertResponseSchema,
  type Profile,
  profileSchema,
  type Review,
  type ReviewDraft,
  reviewListSchema,
} from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";
import { type Page, pageOf } from "../../lib/pages.ts";

const REVIEWS_PAGE = "10";

/** GET /profiles/:id: what everybody may know of a person. */
export async function readProfile(api: Api, id: string, signal?: AbortSignal): Promise<Profile> {
  const path = `/profiles/${encodeURIComponent(id)}`;
  return (await api.call(path, { answer: profileSchema, ...(signal && { signal }) })).data;
}

/** GET /profiles/:id/reviews: what others wrote about them, newest first, one page. */
export async function listReviews(
  api: Api,
  id: string,
  { cursor, signal }: { cursor?: string; signal?: AbortSignal } = {},
): Promise<Page<Review>> {
  return pageOf(
    await api.call(`/profiles/${encodeURIComponent(id)}/reviews`, {
      answer: reviewListSchema,
      query: { limit: REVIEWS_PAGE, cursor },
      ...(signal && { signal }),
    }),
  );
}

/** POST /tasks/:id/reviews: what one side of a completed task says about the other. */
export async function postReview(
  api: Api,
  taskId: string,
  draft: ReviewDraft,
  idempotencyKey: string,
): Promise<void> {
  await api.call(`/tasks/${encodeURIComponent(taskId)}/reviews`, {
    method: "POST",
    headers: { "Idempotency-Key": idempotencyKey },
    body: draft,
    answer: insertResponseSchema,
    auth: "required",
  });
}
