import type { ApiServices } from "../../lib/api-context.tsx";
import { endpointQuery, listQuery } from "../../lib/queries.ts";

/** How many saved tasks each "Load more" fetches. */
const PAGE_SIZE = 20;
/** How long the cached ids count as fresh, in ms. */
const IDS_STALE_MS = 60_000;

const LIST_KEY = ["saved-tasks", "list"];

/** The viewer's saved tasks, most recently saved first. */
export const savedTasksQuery = listQuery(LIST_KEY, PAGE_SIZE, (api, query) =>
  api.call("GET /me/saved", { query }),
);

/** The ids of all saved tasks: one request for all hearts on a page. */
export const savedIdsQuery = {
  ...endpointQuery(["saved-tasks", "ids"], "GET /me/saved/ids", {}),
  staleTime: IDS_STALE_MS,
};

/** Saves a task or removes it, and updates all hearts and the cached list. */
export async function setSaved(
  { api, queryClient }: ApiServices,
  taskId: string,
  saved: boolean,
): Promise<void> {
  const options = { params: { id: taskId }, keepsCache: true, isRepeatable: true };
  const added = saved
    ? (await api.call("PUT /me/saved/:id", options)).data.modifiedCount
    : -(await api.call("DELETE /me/saved/:id", options)).data.deletedCount;
  const { queryKey } = savedIdsQuery;
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, (ids) => {
    const others = ids?.filter((id) => id !== taskId);
    return saved && others ? [taskId, ...others] : others;
  });
  // Updates only the total: a removed task stays in the list for now, so that a removal by mistake can be undone.
  queryClient.setQueryData(savedTasksQuery.queryKey, (list) => {
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
