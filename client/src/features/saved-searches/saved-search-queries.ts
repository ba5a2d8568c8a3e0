import { queryOptions } from "@tanstack/react-query";
import {
  deleteResponseSchema,
  type EmailFrequency,
  insertResponseSchema,
  type SavedSearchChanges,
  type SavedSearchDraft,
  savedSearchListSchema,
  updateResponseSchema,
} from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";

/** GET /me/searches, newest first. */
export function savedSearchesQuery(api: Api) {
  return queryOptions({
    queryKey: ["saved-searches"],
    queryFn: async () =>
      (await api.call("/me/searches", { schema: savedSearchListSchema, auth: "required" })).data,
  });
}

/** POST /me/searches. */
export async function saveSearch(api: Api, draft: SavedSearchDraft, idempotencyKey: string): Promise<void> {
  await api.call("/me/searches", {
    method: "POST",
    headers: { "Idempotency-Key": idempotencyKey },
    body: draft,
    schema: insertResponseSchema,
    auth: "required",
  });
}

const pathOf = (id: string) => `/me/searches/${encodeURIComponent(id)}`;

/** PATCH /me/searches/:id. */
export async function changeSearch(api: Api, id: string, changes: SavedSearchChanges): Promise<void> {
  await api.call(pathOf(id), {
    method: "PATCH",
    body: changes,
    isRepeatable: true,
    schema: updateResponseSchema,
    auth: "required",
  });
}

/** DELETE /me/searches/:id. */
export async function deleteSearch(api: Api, id: string): Promise<void> {
  await api.call(pathOf(id), { method: "DELETE", schema: deleteResponseSchema, auth: "required" });
}

/** How often new tasks are emailed, as the options of a select. */
export const MAIL_OPTIONS = [
  ["at-once", "Immediately"],
  ["daily", "Once a day"],
  ["never", "Never"],
] as const satisfies [EmailFrequency, string][];
