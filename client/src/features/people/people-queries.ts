import { queryOptions } from "@tanstack/react-query";
import {
  insertResponseSchema,
  profileSchema,
  type ReviewDraft,
  reviewListSchema,
} from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";
import { listQuery, pageOf } from "../../lib/pages.ts";

const REVIEWS_PAGE_SIZE = 10;

const pathOf = (id: string) => `/profiles/${encodeURIComponent(id)}`;

/** GET /profiles/:id: a person's public profile. */
export function profileQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: ["people", id, "profile"],
    queryFn: async () => (await api.call(pathOf(id), { schema: profileSchema })).data,
  });
}

/** GET /profiles/:id/reviews: reviews of this person, newest first. */
export function reviewsQuery(api: Api, id: string) {
  return listQuery(["people", id, "reviews"], REVIEWS_PAGE_SIZE, async ({ limit, cursor }) => {
    const query = { limit: String(limit), cursor };
    return pageOf(await api.call(`${pathOf(id)}/reviews`, { schema: reviewListSchema, query }));
  });
}

/** POST /tasks/:id/reviews: one side of a completed task reviews the other. */
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
    schema: insertResponseSchema,
    auth: "required",
  });
}
