import type { Look } from "./look.ts";
import type { Api } from "./people.ts";

/** What a page says of a number, and what the API says of it. */
type Count = {
  what: string;
  /** The addresses that show it. */
  at: RegExp;
  /** The number on the page; null if it shows none now. */
  shown: (look: Look, text: string) => number | null;
  held: (api: Api, look: Look) => Promise<number | null>;
  /** Is it true of the page at any moment? Otherwise as of when it was loaded, or last changed from here. */
  isLive?: true;
  /** Only for whom the page knows to be signed in. */
  isOwn?: true;
};

const COUNTS: readonly Count[] = [
  {
    what: "unread notifications, at the bell",
    at: /./,
    shown: ({ bell }) => (bell ? numberIn(bell, /(\d+) unread/, 0) : null),
    held: (api) => header(api, "/me/notifications?limit=1", "X-Unread-Count"),
    isLive: true,
    isOwn: true,
  },
  {
    what: "unread notifications, on their page",
    at: /^\/dash\/notifications/,
    shown: (_, text) => (/You are up to date\./.test(text) ? 0 : numberIn(text, /([\d,]+) unread/)),
    held: (api) => header(api, "/me/notifications?limit=1", "X-Unread-Count"),
    isLive: true,
    isOwn: true,
  },
  {
    what: "unread conversations, at the avatar",
    at: /./,
    shown: ({ account }) => (account ? numberIn(account, /(\d+) unread/, 0) : null),
    held: unreadConversations,
    isLive: true,
    isOwn: true,
  },
  {
    what: "unread conversations, in the title",
    at: /./,
    shown: ({ account, title }) => (account ? numberIn(title, /^\((\d+)\)/, 0) : null),
    held: unreadConversations,
    isLive: true,
    isOwn: true,
  },
  {
    what: "bids on the task",
    at: /\/taskdetails\/[\da-f]{24}$/,
    shown: (_, text) => numberIn(text, /Your Bid for: ([\d,]+) opportunities/),
    held: async (api, { address }) => {
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
    held: async (api, { address }) => {
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
    held: (api) => header(api, "/me/saved?limit=1", "X-Total-Count"),
    isOwn: true,
  },
  {
    what: "my bids",
    at: /^\/dash\/mybids$/,
    shown: (_, text) => (/No bids yet/.test(text) ? 0 : numberIn(text, /([\d,]+) bids?\b/)),
    held: (api) => header(api, "/me/bids?limit=1", "X-Total-Count"),
    isOwn: true,
  },
  {
    what: "my posted tasks",
    at: /^\/dash\/myposttask/,
    // What a question covers is not to be seen.
    shown: ({ rows, isModal }) => (isModal ? null : rows),
    held: async (api) => {
      const me = await api("GET", "/me/overview");
      return me.ok ? ((await me.json()) as { myTasks: number }).myTasks : null;
    },
    isOwn: true,
  },
];

/** What each count is of. */
export const COUNTED = COUNTS.map(({ what }) => what);

/** Whose page it is, and whether it may be older than what others did since. */
type Reader = { isSignedIn: boolean; isStale: boolean };

/**
 * The counts on the page that are not the API's, with both numbers.
 * @param tally takes how often each was compared.
 */
export async function wrongCounts(
  { look, text }: { look: Look; text: string },
  api: Api,
  { isSignedIn, isStale }: Reader,
  tally: Map<string, number>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const { what, at, shown, held, isLive, isOwn } of COUNTS) {
    if (!at.test(look.address) || (isStale && !isLive) || (isOwn && !isSignedIn)) continue;
    const onPage = shown(look, text);
    const real = onPage === null ? null : await held(api, look);
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
