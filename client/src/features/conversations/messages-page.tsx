import { useInfiniteQuery } from "@tanstack/react-query";
import type { Conversation } from "@tasklane/server/contract";
import { MessagesSquare } from "lucide-react";
import { Link, type LoaderFunctionArgs, NavLink, Outlet, redirect, useMatch } from "react-router-dom";
import { firstItems, maxShown } from "../../lib/pages.ts";
import { paths } from "../../lib/paths.ts";
import { problemText } from "../../lib/problem.ts";
import { apiOf, type ListLoad, loadList, queryClientOf } from "../../lib/queries.tsx";
import { CountBadge } from "../../ui/count-badge.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { LoadMoreButton } from "../../ui/load-more.tsx";
import { When } from "../../ui/now.tsx";
import { PageMeta } from "../../ui/page-head.tsx";
import { Avatar } from "../../ui/person.tsx";
import { ListFull, Spinner, StatePanel } from "../../ui/state-panel.tsx";
import { conversationsQuery } from "./conversation-queries.ts";

/** Loads the list of conversations. With `?task=` it leads to the one about that task, if there is one. */
export async function loader(args: LoaderFunctionArgs): Promise<ListLoad> {
  const task = new URL(args.request.url).searchParams.get("task");
  if (task && !args.params["id"]) {
    const { data } = await apiOf(queryClientOf(args)).call("GET /me/conversations", { query: { task } });
    if (data[0]) throw redirect(paths.conversation(data[0]._id));
  }
  return loadList(args, conversationsQuery);
}

/** All conversations, sorted by latest message, beside the open one; a phone shows one or the other. */
export function Component() {
  const list = useInfiniteQuery(conversationsQuery);
  const { data, error, isFetching } = list;
  const isOpen = useMatch(`${paths.messages}/:id`) !== null;
  const conversations = firstItems(data).items;
  const isEmpty = data !== undefined && conversations.length === 0 && !isOpen;
  return (
    <div className="@container space-y-6">
      <h1
        className={`text-3xl font-semibold max-sm:text-[min(1.875rem,13vw)] sm:text-4xl ${isOpen ? "@max-2xl:sr-only short:sr-only" : ""}`}
      >
        Messages
      </h1>
      {isEmpty ? (
        <NoMessages />
      ) : (
        <div className="grid grid-cols-1 gap-4 @2xl:h-[calc(100dvh-17.25rem)] @2xl:min-h-112 @2xl:short:h-[calc(100dvh-6rem)] @2xl:short:min-h-72 @2xl:lg:h-[calc(100dvh-14rem)] @2xl:grid-cols-[minmax(14rem,2fr)_minmax(0,3fr)]">
          <nav
            aria-label="Conversations"
            className={`card overflow-y-auto p-2 ${isOpen ? "@max-2xl:hidden" : ""}`}
          >
            <FormAlert takesFocus={false}>{error && !isFetching && problemText(error)}</FormAlert>
            {!data && !error && <Spinner label="Loading your conversations" />}
            <ul>
              {conversations.map((conversation) => (
                <Row key={conversation._id} conversation={conversation} />
              ))}
            </ul>
            {conversations.length < maxShown(conversationsQuery.pageSize) ? (
              <LoadMoreButton list={list} text="Load more" className="btn-block btn-ghost btn-sm" />
            ) : (
              list.hasNextPage && (
                <ListFull shown={conversations.length} hint="Open the others from their tasks." />
              )
            )}
          </nav>
          {isOpen ? <Outlet /> : <NoConversation />}
        </div>
      )}
    </div>
  );
}

function Row({
  conversation: { _id, other, task, last, unread, createdAt },
}: {
  conversation: Conversation;
}) {
  const isUnread = unread > 0;
  return (
    <li>
      <NavLink
        to={paths.conversation(_id)}
        className="flex flex-wrap items-start gap-3 rounded-field px-3 py-3 hover:bg-base-200 aria-[current=page]:bg-base-200"
      >
        <Avatar name={other.name} src={other.image} size="sm" />
        <span className="min-w-0 grow basis-32">
          <span className="flex flex-wrap items-baseline justify-between gap-x-2">
            <bdi
              className={`line-clamp-2 grow basis-24 wrap-anywhere ${isUnread ? "font-semibold" : "font-medium"}`}
            >
              {other.name}
            </bdi>
            <When at={last?.createdAt ?? createdAt} className="quiet text-xs" />
          </span>
          <span dir="auto" className="quiet block truncate text-xs">
            {task.title}
          </span>
          <span className="flex flex-wrap items-center justify-between gap-x-2">
            <span
              dir="auto"
              className={`grow basis-24 truncate text-sm ${isUnread ? "font-semibold" : "quiet"}`}
            >
              {previewOf(last)}
            </span>
            <CountBadge count={unread} what="unread" />
          </span>
        </span>
      </NavLink>
    </li>
  );
}

function previewOf(last: Conversation["last"]): string {
  if (!last) return "No messages yet";
  const text = last.text === "" ? "Files" : (last.text ?? "Deleted");
  return last.mine ? `You: ${text}` : text;
}

function NoMessages() {
  return (
    <>
      <PageMeta title="Messages" />
      <StatePanel
        icon={<MessagesSquare />}
        title="No messages yet"
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <Link to={paths.myTasks} className="btn btn-primary">
              My Posted Tasks
            </Link>
            <Link to={paths.myBids} className="btn btn-outline">
              My Bids
            </Link>
          </div>
        }
      >
        A client who has shortlisted or awarded a bid can write to its freelancer, who can then reply. Your
        conversations appear here.
      </StatePanel>
    </>
  );
}

/** Shown beside the list while no conversation is open, except on a phone. */
function NoConversation() {
  return (
    <div className="card grid h-full place-items-center p-6 text-center @max-2xl:hidden">
      <PageMeta title="Messages" />
      <p className="quiet flex flex-col items-center gap-3">
        <MessagesSquare className="size-8 text-primary" />
        Choose a conversation to read it.
      </p>
    </div>
  );
}
