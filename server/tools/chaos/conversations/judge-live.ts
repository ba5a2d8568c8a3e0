import type { Span } from "../history/recorder.ts";
import type { Stream } from "../listeners.ts";
import type { SentMessage } from "./message-ledger.ts";

/** What determines the events about a conversation that one of its sides receives. */
export type ExpectedEvents = {
  id: string;
  messages: readonly SentMessage[];
  /** Anything else that changed it, or may have. */
  changes: readonly Span[];
  /** How often somebody was notified of its unread messages, which changes it too. */
  notices: number;
};

/** An instance that lost its change stream delivers the missed events once it has reconnected. */
const DELIVERED_WITHIN_MS = 20_000;

/**
 * Missing and unwarranted conversation events on somebody's streams. Each event carries the number of messages, so a later
 * one makes up for a missing one; and on `unread` an open page reloads its conversations.
 */
export function liveProblems(streams: readonly Stream[], conversations: readonly ExpectedEvents[]): string[] {
  const ids = new Set(conversations.map(({ id }) => id));
  return streams.flatMap((stream) => [
    ...stream.conversations
      .filter(({ conversationId }) => !ids.has(conversationId))
      .map(({ conversationId }) => `${conversationId}: sent live to an outsider`),
    ...conversations.flatMap((each) => problemsOn(stream, each)),
  ]);
}

function problemsOn(stream: Stream, { id, messages, changes, notices }: ExpectedEvents): string[] {
  const { openedAt, closedAt = Number.POSITIVE_INFINITY } = stream;
  const events = stream.conversations.filter(({ conversationId }) => conversationId === id);
  const undelivered = messages.filter(({ ending, number = 0, beganAt, endedAt }) => {
    const isDue = ending === "acknowledged" && beganAt > openedAt && endedAt + DELIVERED_WITHIN_MS < closedAt;
    const isInTime = ({ at }: { at: number }) => at <= endedAt + DELIVERED_WITHIN_MS;
    return (
      isDue &&
      !events.some((event) => event.count >= number && isInTime(event)) &&
      !stream.unread.some((event) => event.at >= endedAt && isInTime(event))
    );
  });
  const mayCount = ({ beganAt, endedAt }: Span) =>
    beganAt <= closedAt && endedAt + DELIVERED_WITHIN_MS >= openedAt;
  // Plus one for its creation.
  const atMost = 1 + messages.filter(mayCount).length + changes.filter(mayCount).length + notices;
  const isBack = events.some(({ count }, index) => count < (events[index - 1]?.count ?? 0));
  return [
    ...undelivered.map(({ number }) => `${id}: message ${number} was not delivered live`),
    ...(events.length > atMost ? [`${id}: ${events.length} live events for at most ${atMost} changes`] : []),
    ...(isBack ? [`${id}: a live event with fewer messages than before`] : []),
  ];
}
