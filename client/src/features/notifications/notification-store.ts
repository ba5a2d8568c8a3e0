import { MAX_READ_AT_ONCE, type Notification, type ReadNotifications } from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";
import { type Page, pageOf } from "../../lib/pages.ts";
import { problemText } from "../../lib/problem.ts";

/** `firstId`: of the first that was replaced live, so that the line keeps its element, and with it the focus. */
type Line = Notification & { firstId?: string };

export type NotificationState = {
  /** Null until known. */
  unread: number | null;
  /** Newest first. Includes live notifications, even before the list has loaded. */
  items: readonly Line[];
  next: string | null;
  list: "idle" | "loading" | "loaded" | "failed";
  /** The error message if loading or marking as read failed. */
  failure: string;
  /** The last that arrived live, oldest first. */
  arrived: readonly Notification[];
  /** Has the live connection been down for several seconds? */
  disconnected: boolean;
};

const EMPTY: NotificationState = {
  unread: null,
  items: [],
  next: null,
  list: "idle",
  failure: "",
  arrived: [],
  disconnected: false,
};

const MAX_ARRIVED = 20;

export type NotificationStore = ReturnType<typeof createNotificationStore>;

/** One user's notifications in this tab: the loaded pages, live arrivals and the unread count. */
export function createNotificationStore() {
  let state = EMPTY;
  const listeners = new Set<() => void>();

  const set = (next: Partial<NotificationState>) => {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  };

  /** Live notifications that are newer than the newest of a loaded page. */
  const arrivedSince = (newest?: Notification) =>
    state.items.filter(({ createdAt }) => newest === undefined || createdAt > newest.createdAt);

  // The page requested last, for `retry`.
  let requestedCursor: string | undefined;
  // Counts calls of `markRead`: the unread count of a page that was requested before one is outdated.
  let marks = 0;
  // Counts the unread counts from the server: after one, a failed `markRead` has nothing to revert.
  let counts = 0;
  const setUnread = (unread: number) => {
    counts += 1;
    set({ unread });
  };

  const load = async (api: Api, cursor?: string) => {
    if (state.list === "loading") return;
    requestedCursor = cursor;
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
      });
      if (page.unread !== null && marks === marksBefore) setUnread(page.unread);
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
    /** Loads the first page. */
    load: (api: Api) => load(api),
    retry: (api: Api) => load(api, requestedCursor),
    loadMore: (api: Api) => load(api, state.next ?? undefined),
    /** Adds one from the live stream, which may send duplicates. Returns true if it is new. */
    receive(notification: Notification): boolean {
      if (state.items.some(({ _id }) => _id === notification._id)) return false;
      const arrived = [...state.arrived, notification].slice(-MAX_ARRIVED);
      const replaced = state.items.find((one) => isReplaced(one, notification));
      const line = replaced ? { ...notification, firstId: replaced.firstId ?? replaced._id } : notification;
      const others = state.items.filter((one) => one !== replaced);
      set({ items: merge(others, [line]), arrived });
      return true;
    },
    setUnread,
    setDisconnected: (disconnected: boolean) => state.disconnected !== disconnected && set({ disconnected }),
    /** Marks these, or all, as read. Optimistic: reverted with an error message if that fails. */
    async markRead(api: Api, requested?: readonly string[]): Promise<void> {
      const before = state;
      const ids = state.items
        .filter(({ _id, read }) => !read && (requested?.includes(_id) ?? true))
        .map(({ _id }) => _id);
      if (requested && ids.length === 0) return;
      marks += 1;
      const countsBefore = counts;
      const marked = new Set(ids);
      const withRead = (read: boolean) =>
        state.items.map((one) => (marked.has(one._id) ? { ...one, read } : one));
      const expected = requested ? Math.max(0, (state.unread ?? ids.length) - ids.length) : 0;
      set({
        items: withRead(true),
        unread: expected,
        failure: "",
      });
      try {
        await sendRead(api, requested && ids);
      } catch (error) {
        // Other marks may have lowered the count since.
        const reverted =
          before.unread === null || state.unread === null ? null : state.unread + before.unread - expected;
        set({
          items: withRead(false),
          unread: counts === countsBefore ? reverted : state.unread,
          failure: problemText(error),
        });
      }
    },
  };
}

/** Did the server replace this unread notification with a later one about the same? */
function isReplaced(one: Notification, { count, kind, taskId, actor }: Notification): boolean {
  return (
    count !== undefined && !one.read && one.kind === kind && one.taskId === taskId && one.actor === actor
  );
}

/** Merges both lists, newest first, without duplicates; `loaded` wins. */
function merge(shown: readonly Line[], loaded: readonly Line[]): Line[] {
  const byId = new Map([...shown, ...loaded].map((one) => [one._id, one]));
  return [...byId.values()].sort((a, b) => compare(b.createdAt, a.createdAt) || compare(b._id, a._id));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const PAGE_SIZE = "20";

/** One page of notifications, newest first, and the total number of unread ones. */
type NotificationPage = Page<Notification> & { unread: number | null };

async function listNotifications(api: Api, cursor?: string): Promise<NotificationPage> {
  const response = await api.call("GET /me/notifications", { query: { limit: PAGE_SIZE, cursor } });
  const unread = response.headers.get("X-Unread-Count");
  return { ...pageOf(response), unread: unread === null ? null : Number(unread) };
}

/** Marks these as read, in batches of `MAX_READ_AT_ONCE`, or all. */
async function sendRead(api: Api, ids?: readonly string[]): Promise<void> {
  const send = (body: ReadNotifications) =>
    api.call("POST /me/notifications/read", { body, isRepeatable: true, keepsCache: true });
  if (!ids) await send({});
  else
    for (let sent = 0; sent < ids.length; sent += MAX_READ_AT_ONCE)
      await send({ ids: ids.slice(sent, sent + MAX_READ_AT_ONCE) });
}
