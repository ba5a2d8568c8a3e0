import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Conversation, Message } from "@tasklane/server/contract";
import { CloudOff, MessageSquareOff } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { type LoaderFunctionArgs, useParams } from "react-router-dom";
import { useLive } from "../../lib/live.ts";
import { paths } from "../../lib/paths.ts";
import { ApiProblem, isSessionOver, problemText } from "../../lib/problem.ts";
import { queryClientOf, useApi } from "../../lib/queries.tsx";
import { markStale } from "../../lib/query-client.ts";
import { PageMeta } from "../../ui/page-head.tsx";
import { Spinner, StatePanel } from "../../ui/state-panel.tsx";
import { Closed, ClosesAt, Composer } from "./composer.tsx";
import { conversationQuery, messagesQuery, readNewMessages } from "./conversation-queries.ts";
import { MessageScroll } from "./message-list.tsx";
import { MessageSearch } from "./message-search.tsx";
import { ThreadHead } from "./thread-head.tsx";

/** Between looks for new messages while the live stream is down. */
const REFETCH_MS = 10_000;

type Props = {
  id: string;
  /** Is it shown on its own page, rather than in a side panel? */
  isPage?: boolean;
};

/** One conversation: its head, its messages and the composer. */
export function Thread({ id, isPage = false }: Props) {
  const { isDown } = useLive();
  const {
    data: conversation,
    error,
    refetch,
  } = useQuery({
    ...conversationQuery(id),
    retryOnMount: true,
    refetchInterval: isDown && REFETCH_MS,
  });
  const messages = useInfiniteQuery({ ...messagesQuery(id), retryOnMount: true });
  const shown = messages.data?.pages.flatMap(({ items }) => items).reverse();
  useNewMessages(id, conversation, shown);
  const [isSearching, setIsSearching] = useState(false);
  const [isAtEnd, setIsAtEnd] = useState(true);
  useSeen(id, isSearching || !isAtEnd ? undefined : conversation, shown);

  if (!conversation || !shown) {
    const failure = error ?? messages.error;
    const retry = () => void Promise.all([refetch(), messages.refetch()]);
    return (
      <>
        {isPage && <PageMeta title="Messages" />}
        {failure ? (
          <NotLoaded error={failure} onRetry={retry} />
        ) : (
          <Spinner label="Loading the conversation" />
        )}
      </>
    );
  }
  const { other, closed } = conversation;
  return (
    <section
      aria-label={`Conversation with ${other.name}`}
      className={
        isPage
          ? "card flex h-[calc(100dvh-10.125rem)] min-h-96 max-sm:not-short:h-[calc(100dvh-6.125rem)] max-sm:not-short:-mb-24! @max-2xl:short:h-[calc(100dvh-4rem)] short:min-h-72 min-w-0 flex-col p-3 @max-2xl:-mt-4 @max-2xl:-mb-8 sm:p-4 short:py-2 @2xl:h-full"
          : "flex h-[min(29rem,calc(100dvh-16.5rem))] min-h-72 flex-col"
      }
    >
      {isPage && <PageMeta title={`Messages with ${other.name}`} />}
      <ThreadHead conversation={conversation} isPage={isPage} onSearch={() => setIsSearching(true)} />
      {isSearching ? (
        <MessageSearch conversation={conversation} onClose={() => setIsSearching(false)} />
      ) : (
        <MessageScroll
          conversation={conversation}
          messages={shown}
          list={messages}
          isAtEnd={isAtEnd}
          onScroll={setIsAtEnd}
        />
      )}
      {/* Many files scroll, beside room for the messages; the padding is for outlines, and the hidden input scrolls along. */}
      <div className="relative -mx-2 max-h-2/3 space-y-2 overflow-y-auto border-t border-base-300 px-2 pt-3 pb-1">
        <p role="status" className="quiet text-sm empty:absolute">
          {isDown && "Reconnecting… New messages may appear later than usual."}
        </p>
        {closed ? (
          <Closed conversation={conversation} reason={closed} />
        ) : (
          <>
            <ClosesAt at={conversation.closesAt} />
            <Composer id={id} onSent={() => setIsSearching(false)} />
          </>
        )}
      </div>
    </section>
  );
}

/**
 * Fetches new messages when the conversation has more than the list, and all of them again when the other side has
 * deleted their account. `messages` are oldest first.
 */
function useNewMessages(
  id: string,
  conversation: Conversation | undefined,
  messages: readonly Message[] | undefined,
): void {
  const queryClient = useQueryClient();
  const count = conversation?.count ?? 0;
  const last = messages?.at(-1)?.number ?? 0;
  const isLoaded = messages !== undefined;
  useEffect(() => {
    if (!isLoaded || last >= count) return;
    const { queryKey } = messagesQuery(id);
    // On failure the list is invalidated, so that the usual retries apply.
    readNewMessages(queryClient, id).catch(() => queryClient.invalidateQueries({ queryKey }));
  }, [queryClient, id, isLoaded, last, count]);
  const hasLeft = conversation?.closed === "left";
  useEffect(() => {
    // Their messages were erased.
    if (hasLeft) void queryClient.invalidateQueries({ queryKey: messagesQuery(id).queryKey });
  }, [queryClient, id, hasLeft]);
}

/** Marks the messages as seen while the page is visible; without a conversation, none. */
function useSeen(
  id: string,
  conversation: Conversation | undefined,
  messages: readonly Message[] | undefined,
): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const isVisible = useSyncExternalStore(onVisibility, () => !document.hidden);
  const last = messages?.at(-1)?.number ?? 0;
  const unread = conversation?.unread ?? 0;
  const isAllShown = last > 0 && last >= (conversation?.count ?? 0);
  useEffect(() => {
    if (!isVisible || unread === 0 || !isAllShown) return;
    // A failure is retried with the next message, or when the page becomes visible again.
    const options = { params: { id }, body: { number: last }, isRepeatable: true, keepsCache: true };
    api.call("POST /me/conversations/:id/seen", options).then(
      () => markStale(queryClient, ["conversations"]),
      () => undefined,
    );
  }, [api, queryClient, id, isVisible, unread, last, isAllShown]);
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

function NotLoaded({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isMissing =
    error instanceof ApiProblem && ["conversation-not-found", "invalid-id"].includes(error.code);
  if (isMissing)
    return (
      <StatePanel
        icon={<MessageSquareOff />}
        title="Conversation not found"
        link={{ to: paths.messages, text: "All messages" }}
      >
        The link is incomplete, or the conversation is between other people.
      </StatePanel>
    );
  return (
    <StatePanel
      tone="error"
      icon={<CloudOff />}
      title="The conversation did not load"
      action={
        <button type="button" className="btn btn-outline" onClick={onRetry}>
          Try again
        </button>
      }
    >
      {problemText(error)}
    </StatePanel>
  );
}

/** Loads a conversation and its last messages. The page shows failures; only an expired session redirects to login. */
export async function loader(args: LoaderFunctionArgs): Promise<null> {
  const queryClient = queryClientOf(args);
  const id = args.params["id"] ?? "";
  const query = conversationQuery(id);
  await Promise.all([queryClient.prefetchQuery(query), queryClient.prefetchInfiniteQuery(messagesQuery(id))]);
  const error = queryClient.getQueryState(query.queryKey)?.error;
  if (isSessionOver(error)) throw error;
  return null;
}

/** A conversation, next to the list of conversations; on phones a page of its own. */
export function Component() {
  const id = useParams()["id"] ?? "";
  return <Thread key={id} id={id} isPage />;
}
