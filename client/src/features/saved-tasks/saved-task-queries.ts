import { queryOptions } from "@tanstack/react-query";
import {
  deleteResponseSchema,
  savedTaskIdsSchema,
  savedTaskListSchema,
  updateResponseSchema,
} from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";
import type { ApiServices } from "../../lib/api-context.tsx";
import { listQuery, pageOf } from "../../lib/pages.ts";

/** How many saved tasks each "Load more" fetches. */
export const PAGE_SIZE = 20;
/** How long the cached ids count as fresh, in ms. */
const IDS_STALE_MS = 60_000;

const LIST_KEY = ["saved-tasks", "list"];

/** GET /me/saved, most recently saved first. */
export function savedTasksQuery(api: Api) {
  return listQuery(LIST_KEY, PAGE_SIZE, async ({ limit, cursor }) => {
    const query = { limit: String(limit), cursor };
    return pageOf(await api.call("/me/saved", { schema: savedTaskListSchema, query, auth: "required" }));
  });
}

/** GET /me/saved/ids: one request for all hearts on a page. */
export function savedIdsQuery(api: Api) {
  return queryOptions({
    queryKey: ["saved-tasks", "ids"],
    queryFn: async () =>
      (await api.call("/me/saved/ids", { schema: savedTaskIdsSchema, auth: "required" })).data,
    staleTime: IDS_STALE_MS,
  });
}

/** Saves a task or removes it, and updates all hearts and the cached list. */
export async function setSaved(
  { api, queryClient }: ApiServices,
  taskId: string,
  saved: boolean,
): Promise<void> {
  const path = `/me/saved/${encodeURIComponent(taskId)}`;
  const options = { auth: "required", keepsCache: true, isRepeatable: true } as const;
  const added = saved
    ? (await api.call(path, { ...options, method: "PUT", schema: updateResponseSchema })).data.modifiedCount
    : -(await api.call(path, { ...options, method: "DELETE", schema: deleteResponseSchema })).data
        .deletedCount;
  const { queryKey } = savedIdsQuery(api);
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, (ids) => {
    const others = ids?.filter((id) => id !== taskId);
    return saved && others ? [taskId, ...others] : others;
  });
  // Updates only the total: a removed task stays in the list for now, so that a removal by mistake can be undone.
  queryClient.setQueryData(savedTasksQuery(api).queryKey, (list) => {
    const pages = list?.pages.map((page) => ({
      ...page,
      total: page.total === null ? null : page.total + added,
    }));
    return list && pages && { ...list, pages };
  });
  void queryClient.invalidateQueries({ queryKey: LIST_KEY, refetchType: "none" });
  // Hearts show what was pressed until this resolves.
  if (!queryClient.getQueryData(queryKey)) await queryClient.invalidateQueries({ queryKey });
}
