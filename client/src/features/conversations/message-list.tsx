import type { Conversation, Message } from "@tasklane/server/contract";
import { Fragment } from "react";
import { formatDay, formatTime } from "../../lib/format.ts";
import { linkParts } from "../../lib/links.ts";

type Props = { conversation: Conversation; messages: readonly Message[] };

/** Messages, oldest first, by day. Below the caller's last one stands whether the other side has seen it. */
export function MessageList({ conversation, messages }: Props) {
  const lastOwn = messages.findLast(({ mine }) => mine);
  return (
    <ol>
      {messages.map((message, at) => {
        const day = formatDay(message.createdAt);
        const before = messages[at - 1];
        return (
          <Fragment key={message._id}>
            {(!before || formatDay(before.createdAt) !== day) && (
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

function Bubble({ message: { mine, text, createdAt }, name, children }: BubbleProps) {
  return (
    <li className={`flex flex-col gap-1 py-1 ${mine ? "items-end" : "items-start"}`}>
      <span className="sr-only">{mine ? "You" : <bdi>{name}</bdi>}:</span>
      <div
        className={`max-w-[85%] min-w-0 rounded-box px-4 py-2 ${mine ? "bg-primary text-primary-content" : "bg-base-200"}`}
      >
        {text === undefined ? (
          <p className="italic">Deleted with its author’s account</p>
        ) : (
          <MessageText text={text} />
        )}
      </div>
      <p className="quiet text-xs tabular-nums">
        <time dateTime={createdAt}>{formatTime(createdAt)}</time>
        {children}
      </p>
    </li>
  );
}

/** What somebody wrote, line by line, with its web addresses as links. Nothing of where they lead is fetched. */
function MessageText({ text }: { text: string }) {
  return (
    <p dir="auto" className="wrap-anywhere whitespace-pre-line">
      {linkParts(text).map((part, at) =>
        part.href ? (
          <a key={at} href={part.href} target="_blank" rel="nofollow ugc noopener" className="link">
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </p>
  );
}
