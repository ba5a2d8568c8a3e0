import type { Span } from "../history/recorder.ts";
import type { Stream } from "../listeners.ts";
import type { SentMessage } from "./message-ledger.ts";

/** A conversation as one of its two could hear of it. */
export type Heard = {
  id: string;
  messages: readonly SentMessage[];
  /** What else has changed it, or may have. */
  changes: readonly Span[];
  /** How often somebody was notified of its unread messages: that changes it too. */
  notices: number;
};

/** An instance that lost the database's news tells what it missed once it has them again. */
const TOLD_WITHIN_MS = 20_000;

/**
 * What somebody's streams told of their conversations and should not have, or did not. An event says how many messages
 * there are, so a later one makes up for an earlier one; and at `unread` an open page reads its conversations again.
 */
export function liveProblems(streams: readonly Stream[], conversations: readonly Heard[]): string[] {
  const ids = new Set(conversations.map(({ id }) => id));
  return streams.flatMap((stream) => [
    ...stream.conversations
      .filter(({ conversationId }) => !ids.has(conversationId))
      .map(({ conversationId }) => `${conversationId}: told live to somebody whose it is not`),
    ...conversations.flatMap((each) => problemsOn(stream, each)),
  ]);
}

function problemsOn(stream: Stream, { id, messages, changes, notices }: Heard): string[] {
  const { openedAt, closedAt = Number.POSITIVE_INFINITY } = stream;
  const events = stream.conversations.filter(({ conversationId }) => conversationId === id);
  const untold = messages.filter(({ ending, number = 0, beganAt, endedAt }) => {
    const isHeard = ending === "acknowledged" && beganAt > openedAt && endedAt + TOLD_WITHIN_MS < closedAt;
    const isInTime = ({ at }: { at: number }) => at <= endedAt + TOLD_WITHIN_MS;
    return (
      isHeard &&
      !events.some((event) => event.count >= number && isInTime(event)) &&
      !stream.unread.some((event) => event.at >= endedAt && isInTime(event))
    );
  });
  const mayTell = ({ beganAt, endedAt }: Span) => beganAt <= closedAt && endedAt + TOLD_WITHIN_MS >= openedAt;
  // One for its beginning.
  const atMost = 1 + messages.filter(mayTell).length + changes.filter(mayTell).length + notices;
  const isBack = events.some(({ count }, index) => count < (events[index - 1]?.count ?? 0));
  return [
    ...untold.map(({ number }) => `${id}: message ${number} was not told live`),
    ...(events.length > atMost ? [`${id}: told live ${events.length} times, changed ${atMost} times`] : []),
    ...(isBack ? [`${id}: told live of fewer messages than before`] : []),
  ];
}
