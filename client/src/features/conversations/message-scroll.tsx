import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { Conversation, Message } from "@tasklane/server/contract";
import { useLayoutEffect, useRef } from "react";
import { problemText } from "../../lib/problem.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import { LoadMoreButton } from "../../ui/load-more.tsx";
import { MessageList } from "./message-list.tsx";

type Props = {
  conversation: Conversation;
  /** Oldest first. */
  messages: readonly Message[];
  list: Pick<
    UseInfiniteQueryResult,
    "hasNextPage" | "isFetchingNextPage" | "fetchNextPage" | "isFetchNextPageError" | "error"
  >;
};

/** This near to the end, in px, somebody reads what is newest, and goes on with what comes. */
const NEAR_PX = 120;

/** The part that scrolls. It begins at the end, follows what comes while that is read, and stays where it is otherwise. */
export function MessageScroll({ conversation, messages, list }: Props) {
  const box = useRef<HTMLDivElement>(null);
  /** How far the end of the content was below the upper edge when it was last looked at, and how far the reader from it. */
  const before = useRef({ first: 0, toEnd: 0, distance: 0 });
  const first = messages[0]?.number ?? 0;
  const newest = messages.at(-1);
  const look = () => {
    if (!box.current) return;
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    before.current = {
      first,
      toEnd: scrollHeight - scrollTop,
      distance: scrollHeight - scrollTop - clientHeight,
    };
  };

  useLayoutEffect(() => {
    if (!box.current) return;
    const { first: known, toEnd, distance } = before.current;
    // Earlier messages came above: what is being read stays where it is.
    if (known > first && first > 0) box.current.scrollTop = box.current.scrollHeight - toEnd;
    else if (known === 0 || newest?.mine || distance < NEAR_PX)
      box.current.scrollTop = box.current.scrollHeight;
    look();
  }, [first, newest?.number]);

  // A screen keyboard, a turned phone or an alert below takes room: whoever reads the end goes on reading it.
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new ResizeObserver(() => {
      if (before.current.distance < NEAR_PX) current.scrollTop = current.scrollHeight;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);

  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError, error } = list;
  return (
    <div
      ref={box}
      role="log"
      aria-label="Messages"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of a keyboard.
      tabIndex={0}
      onScroll={look}
      className="relative min-h-0 grow overflow-y-auto rounded-field px-1 py-2 [overflow-anchor:none]"
    >
      {hasNextPage && (
        <div className="flex justify-center pb-2">
          <LoadMoreButton
            text="Show earlier messages"
            busy={isFetchingNextPage}
            className="btn-ghost btn-sm"
            onClick={() => fetchNextPage()}
          />
        </div>
      )}
      <FormAlert takesFocus={false}>{isFetchNextPageError && problemText(error)}</FormAlert>
      {messages.length === 0 ? (
        <p className="quiet py-8 text-center text-sm">
          Write the first message. <bdi>{conversation.other.name}</bdi> sees this conversation from then on.
        </p>
      ) : (
        <MessageList conversation={conversation} messages={messages} />
      )}
    </div>
  );
}
