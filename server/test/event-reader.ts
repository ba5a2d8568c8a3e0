import { createParser } from "eventsource-parser";
import { vi } from "vitest";
import type { Person } from "./people.ts";

/** A received event with its data parsed. */
type ReceivedEvent = { event: string; id?: string; data: unknown };

/** A client that reads server-sent events. */
export type EventReader = {
  status: number;
  headers: Headers;
  /** The events received so far, and their raw text. */
  events: ReceivedEvent[];
  text(): string;
  /** The data of all received events of one kind. */
  of<T = unknown>(event: string): T[];
  /** Waits until the condition holds. @param what is missing, for the error message. */
  until(isMet: () => boolean, what?: string): Promise<void>;
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  /** Disconnects. @returns id of the last event that had one. */
  leave(): string | undefined;
};

/**
 * Opens `/me/events` as that person. Uses `eventsource`'s parser only, because the whole package hides the status, the
 * raw text and the end of the stream, which tests check.
 */
export async function readEvents(
  url: string,
  { person, task, lastEventId }: { person: Person; task?: string; lastEventId?: string | undefined },
): Promise<EventReader> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/me/events${task === undefined ? "" : `?task=${task}`}`, {
    headers: {
      Accept: "text/event-stream",
      Authorization: `Bearer ${person.token}`,
      ...(lastEventId !== undefined && { "Last-Event-ID": lastEventId }),
    },
    signal: leaving.signal,
  });
  const events: ReceivedEvent[] = [];
  let text = "";
  const parser = createParser({
    onEvent: ({ event = "message", id, data }) =>
      events.push({ event, ...(id !== undefined && { id }), data: JSON.parse(data) }),
  });
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const piece = decoder.decode(chunk, { stream: true });
      text += piece;
      parser.feed(piece);
    }
  })();
  ended.catch(() => undefined);
  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    of: <T>(kind: string) => events.filter(({ event }) => event === kind).map(({ data }) => data as T),
    async until(isMet, what = "the event") {
      await vi.waitUntil(isMet, { timeout: 8_000, interval: 10 }).catch(() => {
        throw new Error(`${what} was not received, only: ${text}`);
      });
    },
    ended,
    leave() {
      leaving.abort();
      return events.findLast(({ id }) => id !== undefined)?.id;
    },
  };
}
