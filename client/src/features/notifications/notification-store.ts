import { type Notification, notificationListSchema, updateResponseSchema } from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";
import { type Page, pageOf } from "../../lib/pages.ts";
import { problemText } from "../../lib/problem.ts";

export type NotificationState = {
  /** Null until it is known. */
  unread: number | null;
  /** Newest first. What arrives live stands here too, also before the list was loaded. */
  items: readonly Notification[];
  next: string | null;
  list: "unasked" | "loading" | "loaded" | "failed";
  /** Why the list, or the last change of it, failed. */
  failure: string;
  /** The latest that arrived live. */
  arrived: Notification | null;
  /** Is the live connection down for longer than a moment? */
  troubled: boolean;
};

const EMPTY: NotificationState = {
  unread: null,
  items: [],
  next: null,
  list: "unasked",
  failure: "",
  arrived: null,
  troubled: false,
};

export type NotificationStore = ReturnType<typeof createNotificationStore>;

/** One person's notifications in this tab: pages of the list, what arrives live, and how many are unread. */
export function createNotificationStore() {
  let state = EMPTY;
  const listeners = new Set<() => void>();

  const set = (next: Partial<NotificationState>) => {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  };

  // The page that was last asked for: what failed is what is tried again.
  let wanted: string | undefined;

  const load = async (api: Api, cursor?: string) => {
    if (state.list === "loading") return;
    wanted = cursor;
    set({ list: "loading", failure: "" });
    try {
      const { items, next, unread } = await listNotifications(api, cursor);
      set({
        items: merge(cursor ? state.items : [], items, state.items),
        next,
        list: "loaded",
        ...(unread !== null && { unread }),
      });
    } catch (error) {
      set({ list: "failed", failure: problemText(error) });
    }
  };

  return {
    getState: () => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Reads the first page, or the page after what is shown. */
    load: (api: Api) => load(api),
    retry: (api: Api) => load(api, wanted),
    loadMore: (api: Api) => load(api, state.next ?? undefined),
    /** Takes one from the live stream, which may repeat itself. True if it is new. */
    receive(notification: Notification): boolean {
      if (state.items.some(({ _id }) => _id === notification._id)) return false;
      set({ items: merge(state.items, [notification], []), arrived: notification });
      return true;
    },
    setUnread: (unread: number) => set({ unread }),
    setTroubled: (troubled: boolean) => state.troubled !== troubled && set({ troubled }),
    /** Marks one as read, or all. At once on this page; what the server refuses is taken back and said. */
    async markRead(api: Api, id?: string): Promise<void> {
      const before = state;
      const meant = (one: Notification) => !one.read && (id === undefined || one._id === id);
      const count = state.items.filter(meant).length;
      if (id !== undefined && count === 0) return;
      set({
        items: state.items.map((one) => (meant(one) ? { ...one, read: true } : one)),
        unread: id === undefined ? 0 : Math.max(0, (state.unread ?? count) - count),
        failure: "",
      });
      try {
        await sendRead(api, id === undefined ? undefined : [id]);
      } catch (error) {
        const were = new Set(before.items.filter(meant).map(({ _id }) => _id));
        set({
          items: state.items.map((one) => (were.has(one._id) ? { ...one, read: false } : one)),
          unread: before.unread,
          failure: problemText(error),
        });
      }
    },
  };
}

/** `shown` and `loaded` as one list, each once, newest first; `arrived` live may be newer than a page under way. */
function merge(
  shown: readonly Notification[],
  loaded: readonly Notification[],
  arrived: readonly Notification[],
): Notification[] {
  const newest = loaded[0]?.createdAt ?? "";
  const kept = [...shown, ...arrived.filter(({ createdAt }) => createdAt > newest)];
  const byId = new Map([...kept, ...loaded].map((one) => [one._id, one]));
  return [...byId.values()].sort((a, b) => compare(b.createdAt, a.createdAt) || compare(b._id, a._id));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const PAGE_SIZE = "20";

/** One page of the signed-in person's notifications, newest first, and how many are unread in all. */
type NotificationPage = Page<Notification> & { unread: number | null };

/** GET /me/notifications. */
async function listNotifications(api: Api, cursor?: string): Promise<NotificationPage> {
  const response = await api.call("/me/notifications", {
    schema: notificationListSchema,
    query: { limit: PAGE_SIZE, cursor },
    auth: "required",
  });
  const unread = response.headers.get("X-Unread-Count");
  return { ...pageOf(response), unread: unread === null ? null : Number(unread) };
}

/** POST /me/notifications/read: these, or all. */
async function sendRead(api: Api, ids?: string[]): Promise<void> {
  await api.call("/me/notifications/read", {
    method: "POST",
    body: ids ? { ids } : {},
    keepsCache: true,
    schema: updateResponseSchema,
    auth: "required",
  });
}
