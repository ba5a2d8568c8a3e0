import { queryOptions } from "@tanstack/react-query";
import {
  deleteResponseSchema,
  savedTaskIdsSchema,
  savedTaskListSchema,
  updateResponseSchema,
} from "@tasklane/server/contract";
import { type Api, newIdempotencyKey } from "../../lib/api.ts";
import type { ApiServices } from "../../lib/api-context.tsx";
import { listQuery, pageOf } from "../../lib/pages.ts";

/** Saved tasks in one step of "Load more". */
export const PAGE_SIZE = 20;
/** For so long the hearts of every list are shown without asking again, in ms. */
const IDS_STALE_MS = 60_000;

const LIST_KEY = ["saved-tasks", "list"];

/** GET /me/saved, the latest saved first. */
export function savedTasksQuery(api: Api) {
  return listQuery(LIST_KEY, PAGE_SIZE, async ({ limit, cursor }) => {
    const query = { limit: String(limit), cursor };
    return pageOf(await api.call("/me/saved", { schema: savedTaskListSchema, query, auth: "required" }));
  });
}

/** GET /me/saved/ids: one request, whatever number of hearts is on the page. */
export function savedIdsQuery(api: Api) {
  return queryOptions({
    queryKey: ["saved-tasks", "ids"],
    queryFn: async () =>
      (await api.call("/me/saved/ids", { schema: savedTaskIdsSchema, auth: "required" })).data,
    staleTime: IDS_STALE_MS,
  });
}

/** Saves a task, or removes it, and has every heart and the list know. */
export async function setSaved(
  { api, queryClient }: ApiServices,
  taskId: string,
  saved: boolean,
): Promise<void> {
  const path = `/me/saved/${encodeURIComponent(taskId)}`;
  const options = {
    auth: "required",
    keepsCache: true,
    // Of one's own for each: after "saved, removed, saved" the first must not be taken for the last.
    headers: { "Idempotency-Key": newIdempotencyKey() },
  } as const;
  const more = saved
    ? (await api.call(path, { ...options, method: "PUT", schema: updateResponseSchema })).data.modifiedCount
    : -(await api.call(path, { ...options, method: "DELETE", schema: deleteResponseSchema })).data
        .deletedCount;
  const { queryKey } = savedIdsQuery(api);
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, (ids) => {
    const others = ids?.filter((id) => id !== taskId);
    return saved && others ? [taskId, ...others] : others;
  });
  // The list itself stays as it is while it is looked at, but for their number: what was removed by mistake can be saved
  // again.
  queryClient.setQueryData(savedTasksQuery(api).queryKey, (list) => {
    const pages = list?.pages.map((page) => ({
      ...page,
      total: page.total === null ? null : page.total + more,
    }));
    return list && pages && { ...list, pages };
  });
  void queryClient.invalidateQueries({ queryKey: LIST_KEY, refetchType: "none" });
  if (!queryClient.getQueryData(queryKey)) void queryClient.invalidateQueries({ queryKey });
}
