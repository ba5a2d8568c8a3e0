import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { MAX_READ_AT_ONCE, type Notification, type ReadNotifications } from "@tasklane/server/contract";
import { BellOff, CloudOff } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { formatRelativeDay } from "../../lib/format.ts";
import { setLive, useLive } from "../../lib/live.ts";
import { firstItems, type Page } from "../../lib/pages.ts";
import { paths } from "../../lib/paths.ts";
import { problemText } from "../../lib/problem.ts";
import { listQuery, useApi } from "../../lib/queries.tsx";
import { LoadMoreButton } from "../../ui/load-more.tsx";
import { useNow } from "../../ui/now.tsx";
import { Spinner } from "../../ui/state-panel.tsx";
import { NotificationItem } from "./notification-kinds.tsx";

export const NOTIFICATIONS_KEY = ["notifications"];

const PAGE_SIZE = 20;

/** The server counts unread ones up to this number. */
const MAX_COUNTED = 1_000;

/** The person's notifications, newest first. They come with the number of unread ones. */
export const notificationsQuery = listQuery(
  NOTIFICATIONS_KEY,
  PAGE_SIZE,
  "GET /me/notifications",
  {},
  (headers, queryClient) => {
    const unread = headers.get("X-Unread-Count");
    if (unread !== null) setLive(queryClient, () => ({ unread: Number(unread) }));
  },
);

type Pages = InfiniteData<Page<Notification>, string | undefined>;

/** Marks these unread notifications, or all that are loaded or older, as read: at once, and reverted if that fails. */
function useMarkRead() {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    // Each call retries by itself.
    retry: false,
    mutationFn: async (ids?: readonly string[]) => {
      const send = (body: ReadNotifications) =>
        api.call("POST /me/notifications/read", { body, isRepeatable: true, keepsCache: true });
      // What has arrived since, nobody has seen.
      if (!ids)
        await send({ upTo: queryClient.getQueryData<Pages>(NOTIFICATIONS_KEY)?.pages[0]?.items[0]?._id });
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

type Props = {
  /** The level of the headings of the days. */
  heading: "h2" | "h3";
};

/** The list of notifications, in the bell's panel and on its own page. */
export function NotificationList({ heading: Heading }: Props) {
  const { unread, isDown } = useLive();
  const list = useInfiniteQuery({ ...notificationsQuery, retryOnMount: true });
  const { items } = firstItems(list.data);
  const keys = keysOf(items);
  const markRead = useMarkRead();
  const loadFailure = list.isFetching ? null : list.error;
  const failure = loadFailure ?? markRead.error;
  const retry = () => void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch());
  useNow();
  return (
    <div className="space-y-3">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-2">
        <p className="quiet text-sm">
          {unread === null
            ? ""
            : unread === 0
              ? "You are up to date."
              : `${unread.toLocaleString("en-US")}${unread < MAX_COUNTED ? "" : "+"} unread`}
        </p>
        {(unread ?? 0) > 0 && (
          <button type="button" className="btn btn-ghost btn-sm" onClick={() => markRead.mutate(undefined)}>
            Mark all as read
          </button>
        )}
      </div>
      {isDown && (
        <p className="quiet text-sm">Reconnecting… New notifications appear once you are connected again.</p>
      )}
      {failure && (
        <Note icon={<CloudOff className="size-6" />} role="alert">
          <p>{problemText(failure)}</p>
          {loadFailure && (
            <button type="button" className="btn btn-outline btn-sm" onClick={retry}>
              Try again
            </button>
          )}
        </Note>
      )}
      {list.isLoading && <Spinner label="Loading your notifications" />}
      {list.data && items.length === 0 && (
        <Note icon={<BellOff className="size-6" />}>
          <p className="font-medium">No notifications yet</p>
          <p className="quiet text-sm">Bids, awards and changes to tasks you take part in appear here.</p>
          <Link to={paths.browse} className="btn btn-outline btn-sm">
            Browse Tasks
          </Link>
        </Note>
      )}
      {items.length > 0 && (
        <div className="space-y-5">
          {groupByDay(items).map(({ name, items }) => (
            <section key={name}>
              <Heading className="quiet text-sm font-semibold">{name}</Heading>
              <ul className="-mx-2 divide-y divide-base-300">
                {items.map((item) => (
                  <NotificationItem
                    key={keys.get(item)}
                    notification={item}
                    isToday={name === "Today"}
                    onFollow={() => item.read || markRead.mutate([item._id])}
                  />
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
      {!loadFailure && (
        <LoadMoreButton list={list} text="Load more" className="btn-block btn-outline btn-sm" />
      )}
    </div>
  );
}

/** Keys by which one that replaces an earlier one about the same keeps its element, and with it the focus. */
function keysOf(newestFirst: readonly Notification[]): Map<Notification, string> {
  const keys = new Map<string, Notification>();
  for (const one of newestFirst) {
    const topic = [one.kind, one.taskId, one.actor].join();
    keys.set(keys.has(topic) ? one._id : topic, one);
  }
  return new Map([...keys].map(([key, one]) => [one, key]));
}

function Note({ icon, role, children }: { icon: ReactNode; role?: "alert"; children: ReactNode }) {
  return (
    <div role={role} className="flex flex-col items-center gap-2 px-4 py-8 text-center">
      <span aria-hidden="true" className={role ? "text-error" : "text-primary"}>
        {icon}
      </span>
      {children}
    </div>
  );
}

type Day<T> = { name: string; items: T[] };

/** Groups notifications by day, newest first: they are listed as they arrived, and some are delivered late. */
export function groupByDay<T extends Notification>(items: readonly T[], now?: Date): Day<T>[] {
  const days: Day<T>[] = [];
  for (const item of [...items].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))) {
    const name = formatRelativeDay(item.createdAt, now);
    const day = days.at(-1);
    if (day?.name === name) day.items.push(item);
    else days.push({ name, items: [item] });
  }
  return days;
}
