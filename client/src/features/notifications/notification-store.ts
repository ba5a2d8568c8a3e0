import {
  MAX_READ_AT_ONCE,
  type Notification,
  notificationListSchema,
  type ReadNotifications,
  updateResponseSchema,
} from "@tasklane/server/contract";
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

  /** What arrived live after the newest of a page was made: it may be newer than the page. */
  const arrivedSince = (newest?: Notification) =>
    state.items.filter(({ createdAt }) => newest === undefined || createdAt > newest.createdAt);

  // The page that was last asked for: what failed is what is tried again.
  let wanted: string | undefined;
  // How often something was marked as read: a page that was asked for before does not know of it.
  let marks = 0;

  const load = async (api: Api, cursor?: string) => {
    if (state.list === "loading") return;
    wanted = cursor;
    const marksBefore = marks;
    set({ list: "loading", failure: "" });
    try {
      const page = await listNotifications(api, cursor);
      const read = new Set(state.items.filter((one) => one.read).map(({ _id }) => _id));
      const items = page.items.map((one) => (read.has(one._id) ? { ...one, read: true } : one));
      set({
        items: merge(cursor ? state.items : arrivedSince(items[0]), items),
        next: page.next,
        list: "loaded",
        ...(page.unread !== null && marks === marksBefore && { unread: page.unread }),
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
      set({ items: merge(state.items, [notification]), arrived: notification });
      return true;
    },
    setUnread: (unread: number) => set({ unread }),
    setTroubled: (troubled: boolean) => state.troubled !== troubled && set({ troubled }),
    /** Marks these as read, or all. At once on this page; what the server refuses is taken back and said. */
    async markRead(api: Api, wanted?: readonly string[]): Promise<void> {
      const before = state;
      const ids = state.items
        .filter(({ _id, read }) => !read && (wanted?.includes(_id) ?? true))
        .map(({ _id }) => _id);
      if (wanted && ids.length === 0) return;
      marks += 1;
      const marked = new Set(ids);
      const withRead = (read: boolean) =>
        state.items.map((one) => (marked.has(one._id) ? { ...one, read } : one));
      set({
        items: withRead(true),
        unread: wanted ? Math.max(0, (state.unread ?? ids.length) - ids.length) : 0,
        failure: "",
      });
      try {
        await sendRead(api, wanted && ids);
      } catch (error) {
        set({
          items: withRead(false),
          unread: before.unread,
          failure: problemText(error),
        });
      }
    },
  };
}

/** Both as one list, each notification once and as `loaded` has it, newest first. */
function merge(shown: readonly Notification[], loaded: readonly Notification[]): Notification[] {
  const byId = new Map([...shown, ...loaded].map((one) => [one._id, one]));
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

/** POST /me/notifications/read: these, in batches that it takes, or all. */
async function sendRead(api: Api, ids?: readonly string[]): Promise<void> {
  const send = (body: ReadNotifications) =>
    api.call("/me/notifications/read", {
      method: "POST",
      body,
      keepsCache: true,
      schema: updateResponseSchema,
      auth: "required",
    });
  if (!ids) await send({});
  else
    for (let sent = 0; sent < ids.length; sent += MAX_READ_AT_ONCE)
      await send({ ids: ids.slice(sent, sent + MAX_READ_AT_ONCE) });
}
