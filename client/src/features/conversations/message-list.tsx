import type { Conversation, Message } from "@tasklane/server/contract";
import { Fragment } from "react";
import { formatDay, formatTime } from "../../lib/format.ts";
import { MessageText } from "./message-text.tsx";

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
    <li className={`chat ${mine ? "chat-end" : "chat-start"}`}>
      <span className="sr-only">{mine ? "You" : <bdi>{name}</bdi>}:</span>
      <div
        className={`chat-bubble min-h-0 min-w-0 max-w-[min(36rem,85%)] ${mine ? "bg-primary text-primary-content" : "bg-base-200 text-base-content"}`}
      >
        {text === undefined ? (
          <p className="italic">Deleted with its author’s account</p>
        ) : (
          <MessageText text={text} />
        )}
      </div>
      <p className="chat-footer quiet text-xs tabular-nums">
        <time dateTime={createdAt}>{formatTime(createdAt)}</time>
        {children}
      </p>
    </li>
  );
}
