import type { PageSnapshot } from "./page-snapshot.ts";
import type { Api } from "./people.ts";

/** A number that pages show and that can be compared with the API. */
type Count = {
  what: string;
  /** Matches the addresses of pages that show it. */
  at: RegExp;
  /** The number on the page; null if it shows none at the moment. */
  shown: (snapshot: PageSnapshot, text: string) => number | null;
  actual: (api: Api, snapshot: PageSnapshot) => Promise<number | null>;
  /** Whether the page updates it live; otherwise it may be outdated in stale tabs. */
  isLive?: true;
  /** Shown only to signed-in people. */
  isOwn?: true;
};

const COUNTS: readonly Count[] = [
  {
    what: "unread notifications, at the bell",
    at: /./,
    shown: ({ bell }) => (bell ? numberIn(bell, /(\d+) unread/, 0) : null),
    actual: (api) => header(api, "/me/notifications?limit=1", "X-Unread-Count"),
    isLive: true,
    isOwn: true,
  },
  {
    what: "unread notifications, on their page",
    at: /^\/dash\/notifications/,
    shown: (_, text) => (/You are up to date\./.test(text) ? 0 : numberIn(text, /([\d,]+) unread/)),
    actual: (api) => header(api, "/me/notifications?limit=1", "X-Unread-Count"),
    isLive: true,
    isOwn: true,
  },
  {
    what: "unread conversations, at the avatar",
    at: /./,
    shown: ({ account }) => (account ? numberIn(account, /(\d+) unread/, 0) : null),
    actual: unreadConversations,
    isLive: true,
    isOwn: true,
  },
  {
    what: "unread conversations, in the title",
    at: /./,
    shown: ({ account, title }) => (account ? numberIn(title, /^\((\d+)\)/, 0) : null),
    actual: unreadConversations,
    isLive: true,
    isOwn: true,
  },
  {
    what: "bids on the task",
    at: /\/taskdetails\/[\da-f]{24}$/,
    shown: (_, text) => numberIn(text, /Your Bid for: ([\d,]+) opportunities/),
    actual: async (api, { address }) => {
      const response = await api("GET", `/tasks/${address.split("/").at(-1)}`);
      return response.ok ? ((await response.json()) as { bidsCount: number }).bidsCount : null;
    },
    isLive: true,
    isOwn: true,
  },
  {
    what: "tasks found",
    at: /^\/(browsetask|dash\/dashBrowseTask)/,
    shown: (_, text) =>
      /Nothing matches|No open tasks right now/.test(text)
        ? 0
        : numberIn(text, /([\d,]+) (?:matching )?(?:open )?tasks?\b/),
    actual: async (api, { address }) => {
      const { searchParams: query } = new URL(address, "http://page.invalid");
      for (const name of ["shown", "sort"]) query.delete(name);
      if (query.get("state") === "all") query.delete("state");
      else query.set("state", "open");
      query.set("limit", "1");
      return header(api, `/tasks?${query}`, "X-Total-Count", "exact");
    },
  },
  {
    what: "saved tasks",
    at: /^\/dash\/saved/,
    shown: (_, text) => (/No saved tasks yet/.test(text) ? 0 : numberIn(text, /([\d,]+) saved tasks?/)),
    actual: (api) => header(api, "/me/saved?limit=1", "X-Total-Count"),
    isOwn: true,
  },
  {
    what: "my bids",
    at: /^\/dash\/mybids$/,
    shown: (_, text) => (/No bids yet/.test(text) ? 0 : numberIn(text, /([\d,]+) bids?\b/)),
    actual: (api) => header(api, "/me/bids?limit=1", "X-Total-Count"),
    isOwn: true,
  },
  {
    what: "my posted tasks",
    at: /^\/dash\/myposttask/,
    // Rows behind a dialog are not visible.
    shown: ({ rows, isModal }) => (isModal ? null : rows),
    actual: async (api) => {
      const me = await api("GET", "/me/overview");
      return me.ok ? ((await me.json()) as { myTasks: number }).myTasks : null;
    },
    isOwn: true,
  },
];

export const COUNT_NAMES = COUNTS.map(({ what }) => what);

type Reader = { isSignedIn: boolean; isStale: boolean };

/**
 * Compares the counts on the page with the API. @returns those that differ, with both numbers.
 * @param tally counts how often each was compared.
 */
export async function countMismatches(
  { snapshot, text }: { snapshot: PageSnapshot; text: string },
  api: Api,
  { isSignedIn, isStale }: Reader,
  tally: Map<string, number>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const { what, at, shown, actual, isLive, isOwn } of COUNTS) {
    if (!at.test(snapshot.address) || (isStale && !isLive) || (isOwn && !isSignedIn)) continue;
    const onPage = shown(snapshot, text);
    const real = onPage === null ? null : await actual(api, snapshot);
    if (real === null) continue;
    tally.set(what, (tally.get(what) ?? 0) + 1);
    if (onPage !== real) wrong.push(`${what}: the page says ${onPage}, the API ${real}`);
  }
  return wrong;
}

function numberIn(text: string, pattern: RegExp, otherwise: number | null = null): number | null {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? otherwise : Number(found.replaceAll(",", ""));
}

async function header(api: Api, path: string, name: string, kind?: string): Promise<number | null> {
  const { ok, headers } = await api("GET", path);
  const value = headers.get(name);
  if (!ok || value === null || (kind && headers.get(`${name}-Is`) !== kind)) return null;
  return Number(value);
}

async function unreadConversations(api: Api): Promise<number | null> {
  const response = await api("GET", "/me");
  return response.ok
    ? ((await response.json()) as { unreadConversations: number }).unreadConversations
    : null;
}
