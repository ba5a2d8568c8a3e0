import { type InfiniteData, type QueryClient, queryOptions } from "@tanstack/react-query";
import {
  conversationListSchema,
  conversationSchema,
  insertResponseSchema,
  type Message,
  messageListSchema,
  messageSchema,
  updateResponseSchema,
} from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";
import { listQuery, type Page, pageOf } from "../../lib/pages.ts";

/** How many conversations, or messages, each "Load more" fetches. */
const PAGE_SIZE = 30;

const ROOT = "/me/conversations";
const pathOf = (id: string) => `${ROOT}/${encodeURIComponent(id)}`;

/** GET /me/conversations, sorted by latest message. */
export function conversationsQuery(api: Api) {
  return listQuery(["conversations", "list"], PAGE_SIZE, async ({ limit, cursor }) => {
    const query = { cursor, limit: String(limit) };
    return pageOf(await api.call(ROOT, { schema: conversationListSchema, query, auth: "required" }));
  });
}

/** GET /me/conversations?task=: a freelancer's conversation about a task; null if there is none. */
export function taskConversationQuery(api: Api, taskId: string) {
  return queryOptions({
    queryKey: ["conversations", "task", taskId],
    queryFn: async () => {
      const query = { task: taskId, limit: "1" };
      const { data } = await api.call(ROOT, { schema: conversationListSchema, query, auth: "required" });
      return data[0] ?? null;
    },
  });
}

/** GET /me/conversations/:id. */
export function conversationQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: ["conversations", "one", id],
    queryFn: async () => (await api.call(pathOf(id), { schema: conversationSchema, auth: "required" })).data,
  });
}

/** GET /me/conversations/:id/messages, newest first; later pages are earlier messages. */
export function messagesQuery(api: Api, id: string) {
  return listQuery(messagesKey(id), PAGE_SIZE, ({ cursor }) => readMessages(api, id, cursor));
}

async function readMessages(api: Api, id: string, cursor?: string): Promise<Page<Message>> {
  const query = { cursor, limit: String(PAGE_SIZE) };
  const path = `${pathOf(id)}/messages`;
  return pageOf(await api.call(path, { schema: messageListSchema, query, auth: "required" }));
}

const messagesKey = (id: string) => ["messages", id];

type Messages = InfiniteData<Page<Message>, string | undefined>;

/** Fetches the newest page and adds the messages that are not in the cache yet. */
export async function readNewMessages(api: Api, queryClient: QueryClient, id: string): Promise<void> {
  const newest = await readMessages(api, id);
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

/** POST /tasks/:id/bids/:bidId/conversation. Resolves to the id of the new or existing conversation. */
export async function openConversation(api: Api, taskId: string, bidId: string): Promise<string> {
  const path = `/tasks/${encodeURIComponent(taskId)}/bids/${encodeURIComponent(bidId)}/conversation`;
  const { data } = await api.call(path, {
    method: "POST",
    schema: insertResponseSchema,
    auth: "required",
    keepsCache: true,
  });
  return data.insertedId;
}

/** POST /me/conversations/:id/messages. Repeating the call with the same `key` sends the message only once. */
export async function sendMessage(api: Api, id: string, text: string, key: string): Promise<Message> {
  const { data } = await api.call(`${pathOf(id)}/messages`, {
    method: "POST",
    headers: { "Idempotency-Key": key },
    body: { text },
    schema: messageSchema,
    auth: "required",
    keepsCache: true,
  });
  return data;
}

/** POST /me/conversations/:id/seen: marks all messages up to `number` as seen. */
export async function markSeen(api: Api, id: string, number: number): Promise<void> {
  await api.call(`${pathOf(id)}/seen`, {
    method: "POST",
    body: { number },
    isRepeatable: true,
    schema: updateResponseSchema,
    auth: "required",
    keepsCache: true,
  });
}

/** PATCH /me/conversations/:id/block. */
export async function setBlocked(api: Api, id: string, blocked: boolean): Promise<void> {
  await api.call(`${pathOf(id)}/block`, {
    method: "PATCH",
    body: { blocked },
    isRepeatable: true,
    schema: updateResponseSchema,
    auth: "required",
    keepsCache: true,
  });
}
