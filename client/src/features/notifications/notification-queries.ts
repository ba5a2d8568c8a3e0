import { type InfiniteData, useMutation, useQueryClient } from "@tanstack/react-query";
import { MAX_READ_AT_ONCE, type Notification, type ReadNotifications } from "@tasklane/server/contract";
import { useApi } from "../../lib/api-context.tsx";
import { setLive } from "../../lib/live.ts";
import type { Page } from "../../lib/pages.ts";
import { listQuery } from "../../lib/queries.ts";

export const NOTIFICATIONS_KEY = ["notifications"];

const PAGE_SIZE = 20;

/** The person's notifications, newest first. They come with the number of unread ones. */
export const notificationsQuery = listQuery(NOTIFICATIONS_KEY, PAGE_SIZE, async (api, query, queryClient) => {
  const response = await api.call("GET /me/notifications", { query });
  const unread = response.headers.get("X-Unread-Count");
  if (unread !== null) setLive(queryClient, () => ({ unread: Number(unread) }));
  return response;
});

type Pages = InfiniteData<Page<Notification>, string | undefined>;

/** Marks these unread notifications, or all, as read: at once, and reverted if that fails. */
export function useMarkRead() {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (ids?: readonly string[]) => {
      const send = (body: ReadNotifications) =>
        api.call("POST /me/notifications/read", { body, isRepeatable: true, keepsCache: true });
      if (!ids) await send({});
      else
        for (let sent = 0; sent < ids.length; sent += MAX_READ_AT_ONCE)
          await send({ ids: ids.slice(sent, sent + MAX_READ_AT_ONCE) });
    },
    onMutate: async (ids) => {
      await queryClient.cancelQueries({ queryKey: NOTIFICATIONS_KEY });
      const before = queryClient.getQueryData<Pages>(NOTIFICATIONS_KEY);
      const withRead = (page: Page<Notification>) => ({
        ...page,
        items: page.items.map((one) => (ids && !ids.includes(one._id) ? one : { ...one, read: true })),
      });
      queryClient.setQueryData<Pages>(
        NOTIFICATIONS_KEY,
        before && { ...before, pages: before.pages.map(withRead) },
      );
      let unreadBefore: number | null = null;
      setLive(queryClient, ({ unread }) => {
        unreadBefore = unread;
        return { unread: ids ? Math.max(0, (unread ?? 0) - ids.length) : 0 };
      });
      return { before, unreadBefore };
    },
    onError: (_error, _ids, reverted) => {
      queryClient.setQueryData(NOTIFICATIONS_KEY, reverted?.before);
      setLive(queryClient, () => ({ unread: reverted?.unreadBefore ?? null }));
    },
    // The list comes with the true count.
    onSettled: () => queryClient.invalidateQueries({ queryKey: NOTIFICATIONS_KEY }),
  });
}
