import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { Conversation, Message } from "@tasklane/server/contract";
import { ArrowDown } from "lucide-react";
import { Fragment, useLayoutEffect, useRef } from "react";
import { formatRelativeDay, formatTime } from "../../lib/format.ts";
import { problemText } from "../../lib/problem.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import { LoadMoreButton } from "../../ui/load-more.tsx";
import { useNow } from "../../ui/now.tsx";
import { LinkedText } from "../../ui/user-text.tsx";
import { AttachedFiles } from "../files/file-list.tsx";

type Props = {
  conversation: Conversation;
  /** Oldest first. */
  messages: readonly Message[];
  list: Pick<
    UseInfiniteQueryResult,
    "hasNextPage" | "isFetchingNextPage" | "fetchNextPage" | "isFetchNextPageError" | "error"
  >;
  isAtEnd: boolean;
  /** Reports whether the reader is near the end. */
  onScroll: (isAtEnd: boolean) => void;
};

/** Within this distance from the end, in px, the list keeps scrolling to new messages. */
const NEAR_PX = 120;

/** The scrolling list of messages. It starts at the end and follows new messages while the reader is near the end. */
export function MessageScroll({ conversation, messages, list, isAtEnd, onScroll }: Props) {
  const box = useRef<HTMLDivElement>(null);
  /** The first message, and the distances in px from the box's top and bottom edges to the content's end. */
  const measured = useRef({ first: 0, topToEnd: 0, bottomToEnd: 0 });
  const quiet = useRef<number>(undefined);
  const first = messages[0]?.number ?? 0;
  const newest = messages.at(-1);
  const measure = () => {
    if (!box.current) return;
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    const topToEnd = scrollHeight - scrollTop;
    const bottomToEnd = topToEnd - clientHeight;
    measured.current = { first, topToEnd, bottomToEnd };
    onScroll(bottomToEnd < NEAR_PX);
  };
  const showEnd = () => {
    if (!box.current) return;
    box.current.scrollTop = box.current.scrollHeight;
    // The pressed button disappears.
    box.current.focus({ preventScroll: true });
    measure();
  };

  useLayoutEffect(() => {
    if (!box.current) return;
    const { first: firstBefore, topToEnd, bottomToEnd } = measured.current;
    // Earlier messages were added above: keep the reader's position, and do not announce them.
    if (firstBefore > first && first > 0) {
      const { current } = box;
      current.scrollTop = current.scrollHeight - topToEnd;
      current.setAttribute("aria-live", "off");
      window.clearTimeout(quiet.current);
      quiet.current = window.setTimeout(() => current.removeAttribute("aria-live"), 1_000);
      // The last "Show earlier messages" is gone.
      if (document.activeElement?.matches("body, dialog")) current.focus({ preventScroll: true });
    } else if (firstBefore === 0 || newest?.mine || bottomToEnd < NEAR_PX)
      box.current.scrollTop = box.current.scrollHeight;
    measure();
  }, [first, newest?.number]);

  // Keeps the end in view when an on-screen keyboard, a rotation or an alert changes the box's height.
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new ResizeObserver(() => {
      if (measured.current.bottomToEnd < NEAR_PX) current.scrollTop = current.scrollHeight;
      measure();
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [first]);

  const { isFetchNextPageError, error } = list;
  return (
    <>
      <div
        ref={box}
        role="log"
        aria-label="Messages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it.
        tabIndex={0}
        onScroll={measure}
        className="relative min-h-24 grow basis-0 overflow-y-auto rounded-field px-1 py-2 [overflow-anchor:none]"
      >
        <LoadMoreButton
          list={list}
          text="Show earlier messages"
          className="mx-auto mb-2 flex w-fit btn-ghost btn-sm"
        />
        <FormAlert takesFocus={false}>{isFetchNextPageError && problemText(error)}</FormAlert>
        {messages.length === 0 ? (
          <p className="quiet py-8 text-center text-sm">
            Write the first message. <bdi>{conversation.other.name}</bdi> sees this conversation from then on.
          </p>
        ) : (
          <MessageList conversation={conversation} messages={messages} />
        )}
      </div>
      {!isAtEnd && conversation.unread > 0 && (
        <div className="relative flex h-0 items-end justify-center">
          <button type="button" className="btn mb-2 shadow-lift btn-neutral btn-sm" onClick={showEnd}>
            <ArrowDown className="size-4" />
            New messages
          </button>
        </div>
      )}
    </>
  );
}

type ListProps = Pick<Props, "conversation" | "messages">;

/** Messages grouped by day, oldest first. The reader's last message shows whether the other side has seen it. */
export function MessageList({ conversation, messages }: ListProps) {
  useNow();
  const lastOwn = messages.findLast(({ mine }) => mine);
  return (
    <ol>
      {messages.map((message, at) => {
        const day = formatRelativeDay(message.createdAt);
        const before = messages[at - 1];
        return (
          <Fragment key={message._id}>
            {(!before || formatRelativeDay(before.createdAt) !== day) && (
              <li className="quiet py-3 text-center text-xs font-semibold">{day}</li>
            )}
            <Bubble message={message} name={conversation.other.name}>
              {message === lastOwn && (
                <span>{message.number <= conversation.seenByOther ? " · Seen" : " · Sent"}</span>
              )}
            </Bubble>
          </Fragment>
        );
      })}
    </ol>
  );
}

type BubbleProps = { message: Message; name: string; children: React.ReactNode };

function Bubble({ message: { mine, text, files, createdAt }, name, children }: BubbleProps) {
  return (
    <li className={`flex flex-col gap-1 py-1 ${mine ? "items-end" : "items-start"}`}>
      <span className="sr-only">{mine ? "You" : <bdi>{name}</bdi>}:</span>
      {text !== "" && (
        <div
          className={`max-w-[85%] min-w-0 rounded-box px-4 py-2 ${mine ? "bg-primary text-primary-content" : "bg-base-200"}`}
        >
          {text === undefined ? (
            <p className="italic">Deleted with its author’s account</p>
          ) : (
            <MessageText text={text} />
          )}
        </div>
      )}
      {files && (
        <div className="w-full max-w-[85%]">
          <AttachedFiles files={files} />
        </div>
      )}
      <p className="quiet text-xs tabular-nums">
        <time dateTime={createdAt}>{formatTime(createdAt)}</time>
        {children}
      </p>
    </li>
  );
}

/** A message's text; no previews of links are fetched. */
function MessageText({ text }: { text: string }) {
  return (
    <p dir="auto" className="wrap-anywhere whitespace-pre-line">
      <LinkedText text={text} />
    </p>
  );
}
