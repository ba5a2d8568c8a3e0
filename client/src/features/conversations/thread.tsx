import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { CloudOff, MessageSquareOff } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useApi } from "../../lib/api-context.tsx";
import { paths } from "../../lib/paths.ts";
import { ApiProblem, problemText } from "../../lib/problem.ts";
import { PageMeta } from "../../ui/page-head.tsx";
import { Spinner, StatePanel } from "../../ui/state-panel.tsx";
import { Closed, ClosesAt } from "./closed.tsx";
import { Composer } from "./composer.tsx";
import { conversationQuery, messagesQuery } from "./conversation-queries.ts";
import { MessageScroll } from "./message-scroll.tsx";
import { ThreadHead } from "./thread-head.tsx";
import { useNewMessages, useSeen } from "./use-thread.ts";

type Props = {
  id: string;
  /** Does it stand on a page of its own, rather than in a panel beside something else? */
  isPage?: boolean;
  /** How it can be reported, from the app. */
  report: (taskId: string, name: string) => ReactNode;
};

/** One conversation: who with and about what, its messages, and the place to write. */
export function Thread({ id, isPage = false, report }: Props) {
  const api = useApi();
  const {
    data: conversation,
    error,
    refetch,
  } = useQuery({ ...conversationQuery(api, id), retryOnMount: true });
  const messages = useInfiniteQuery({ ...messagesQuery(api, id), retryOnMount: true });
  const shown = messages.data?.pages.flatMap(({ items }) => items).reverse();
  useNewMessages(id, conversation, shown);
  useSeen(id, conversation, shown);

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
          ? "card flex h-[calc(100dvh-10.125rem)] min-h-112 min-w-0 flex-col p-3 @max-2xl:-mt-4 @max-2xl:-mb-8 sm:p-4 @2xl:h-full"
          : "flex h-[min(29rem,calc(100dvh-16.5rem))] min-h-72 flex-col"
      }
    >
      {isPage && <PageMeta title={`Messages with ${other.name}`} />}
      <ThreadHead conversation={conversation} isPage={isPage}>
        {other.id && report(conversation.task._id, other.name)}
      </ThreadHead>
      <MessageScroll conversation={conversation} messages={shown} list={messages} />
      <div className="space-y-2 border-t border-base-300 pt-3">
        {closed ? (
          <Closed conversation={conversation} reason={closed} />
        ) : (
          <>
            <ClosesAt at={conversation.closesAt} />
            <Composer id={id} />
          </>
        )}
      </div>
    </section>
  );
}

function NotLoaded({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isMissing =
    error instanceof ApiProblem && ["conversation-not-found", "invalid-id"].includes(error.code);
  if (isMissing)
    return (
      <StatePanel
        icon={<MessageSquareOff className="size-7" />}
        title="Conversation not found"
        action={
          <Link to={paths.messages} className="btn btn-primary">
            All messages
          </Link>
        }
      >
        The address is not complete, or the conversation is between other people.
      </StatePanel>
    );
  return (
    <StatePanel
      tone="error"
      icon={<CloudOff className="size-7" />}
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
