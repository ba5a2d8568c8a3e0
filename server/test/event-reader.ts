import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createParser } from "eventsource-parser";
import type { Express } from "express";
import { vi } from "vitest";
import type { Person } from "./people.ts";

/** An event as it came, its data parsed. */
type ReceivedEvent = { event: string; id?: string; data: unknown };

/** Somebody who reads server-sent events. */
export type EventReader = {
  status: number;
  headers: Headers;
  /** All that came so far, and the text they came as. */
  events: ReceivedEvent[];
  text(): string;
  /** Those of one kind, as their data. */
  of<T = unknown>(event: string): T[];
  /** Waits until what was received is right. */
  until(isRight: () => boolean, what?: string): Promise<void>;
  /** Resolves when the server ended it. */
  ended: Promise<void>;
  /** Leaves, and reads nothing more. @returns id of the last event that had one. */
  leave(): string | undefined;
};

/** The application on a port, as a browser reaches it; ends with `close`. */
export async function listenOnFreePort(
  app: Express,
): Promise<{ url: string; server: Server; close(): Promise<void> }> {
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Opens `/me/events` as the person does. By `eventsource`'s parser: the whole package hides status, raw text and the end,
 * which tests look at.
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
    async until(isRight, what = "the event") {
      await vi.waitUntil(isRight, { timeout: 8_000, interval: 10 }).catch(() => {
        throw new Error(`${what} did not come; what came: ${text}`);
      });
    },
    ended,
    leave() {
      leaving.abort();
      return events.findLast(({ id }) => id !== undefined)?.id;
    },
  };
}
