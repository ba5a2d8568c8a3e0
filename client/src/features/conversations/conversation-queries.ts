import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { Message } from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";
import { type Page, pageOf } from "../../lib/pages.ts";
import { apiOf, endpointQuery, listQuery } from "../../lib/queries.tsx";

/** How many conversations, or messages, each "Load more" fetches. */
const PAGE_SIZE = 30;

/** The viewer's conversations, sorted by latest message. */
export const conversationsQuery = listQuery(
  ["conversations", "list"],
  PAGE_SIZE,
  "GET /me/conversations",
  {},
);

/** A freelancer's conversation about a task, in a list; empty if there is none. */
export const taskConversationQuery = (task: string) =>
  endpointQuery(["conversations", "task", task], "GET /me/conversations", { query: { task, limit: "1" } });

/** One conversation. */
export const conversationQuery = (id: string) =>
  endpointQuery(["conversations", "one", id], "GET /me/conversations/:id", { params: { id } });

/** The messages of a conversation, newest first; later pages are earlier messages. */
export const messagesQuery = (id: string) =>
  listQuery(messagesKey(id), PAGE_SIZE, "GET /me/conversations/:id/messages", { params: { id } });

/** The messages of a conversation that contain this text, newest first. */
export function foundMessagesQuery(id: string, search: string) {
  const request = { params: { id }, query: { search } };
  const queryKey = [...messagesKey(id), "found", search];
  return listQuery(queryKey, PAGE_SIZE, "GET /me/conversations/:id/messages", request);
}

const messagesKey = (id: string) => ["messages", id];

type Messages = InfiniteData<Page<Message>, string | undefined>;

/** Fetches the newest page and adds the messages that are not in the cache yet. */
export async function readNewMessages(queryClient: QueryClient, id: string): Promise<void> {
  const query = { limit: String(PAGE_SIZE) };
  const api = apiOf(queryClient);
  const newest = pageOf(await api.call("GET /me/conversations/:id/messages", { params: { id }, query }));
  queryClient.setQueryData<Messages>(messagesKey(id), (known) => known && withNewest(known, newest));
}

/** The cached messages with the newest page added. If there is a gap between the two, only the newest page. */
function withNewest(known: Messages, newest: Page<Message>): Messages {
  const [first, ...others] = known.pages;
  const last = first?.items[0]?.number ?? 0;
  const fresh = newest.items.filter(({ number }) => number > last);
  const hasGap = (fresh.at(-1)?.number ?? last + 1) > last + 1;
  if (!first || hasGap) return { pages: [newest], pageParams: [undefined] };
  return { ...known, pages: [{ ...first, items: [...fresh, ...first.items] }, ...others] };
}

/** Blocks or unblocks the other side. */
export const setBlocked = (call: Api["call"], id: string, blocked: boolean) =>
  call("PATCH /me/conversations/:id/block", { params: { id }, body: { blocked }, isRepeatable: true });
