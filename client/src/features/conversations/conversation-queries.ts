import { type InfiniteData, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Message } from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";
import { listQuery, type Page, pageOf } from "../../lib/pages.ts";

/** How many conversations, or messages, each "Load more" fetches. */
const PAGE_SIZE = 30;

/** The viewer's conversations, sorted by latest message. */
export function conversationsQuery(api: Api) {
  return listQuery(["conversations", "list"], PAGE_SIZE, (query) =>
    api.call("GET /me/conversations", { query }),
  );
}

/** A freelancer's conversation about a task; null if there is none. */
export function taskConversationQuery(api: Api, taskId: string) {
  return queryOptions({
    queryKey: ["conversations", "task", taskId],
    queryFn: async () => {
      const query = { task: taskId, limit: "1" };
      return (await api.call("GET /me/conversations", { query })).data[0] ?? null;
    },
  });
}

/** One conversation. */
export function conversationQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: ["conversations", "one", id],
    queryFn: async () => (await api.call("GET /me/conversations/:id", { params: { id } })).data,
  });
}

/** The messages of a conversation, newest first; later pages are earlier messages. */
export function messagesQuery(api: Api, id: string) {
  return listQuery(messagesKey(id), PAGE_SIZE, (query) =>
    api.call("GET /me/conversations/:id/messages", { params: { id }, query }),
  );
}

/** The messages of a conversation that contain this text, newest first. */
export function foundMessagesQuery(api: Api, id: string, search: string) {
  return listQuery([...messagesKey(id), "found", search], PAGE_SIZE, (page) =>
    api.call("GET /me/conversations/:id/messages", { params: { id }, query: { search, ...page } }),
  );
}

const messagesKey = (id: string) => ["messages", id];

type Messages = InfiniteData<Page<Message>, string | undefined>;

/** Fetches the newest page and adds the messages that are not in the cache yet. */
export async function readNewMessages(api: Api, queryClient: QueryClient, id: string): Promise<void> {
  const query = { limit: String(PAGE_SIZE) };
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
