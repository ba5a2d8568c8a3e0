import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
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
export async function onPort(app: Express): Promise<{ url: string; server: Server; close(): Promise<void> }> {
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

/** Opens `/me/events` as the person does. */
export async function readEvents(
  url: string,
  { person, task, lastEventId }: { person: Person; task?: string; lastEventId?: string | undefined },
): Promise<EventReader> {
  const leaving = new AbortController();
  const answer = await fetch(`${url}/me/events${task === undefined ? "" : `?task=${task}`}`, {
    headers: {
      Accept: "text/event-stream",
      Authorization: `Bearer ${person.token}`,
      ...(lastEventId !== undefined && { "Last-Event-ID": lastEventId }),
    },
    signal: leaving.signal,
  });
  const events: ReceivedEvent[] = [];
  let text = "";
  let taken = 0;
  const take = (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf("\n\n", taken); end >= 0; end = text.indexOf("\n\n", taken)) {
      const event = parse(text.slice(taken, end));
      if (event) events.push(event);
      taken = end + 2;
    }
  };
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) take(decoder.decode(chunk, { stream: true }));
  })();
  ended.catch(() => undefined);
  return {
    status: answer.status,
    headers: answer.headers,
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

function parse(block: string): ReceivedEvent | undefined {
  const fields = new Map(
    block.split("\n").map((line) => {
      const [name = "", value = ""] = line.split(/: (.*)/s);
      return [name, value];
    }),
  );
  const data = fields.get("data");
  if (data === undefined) return undefined;
  const id = fields.get("id");
  return { event: fields.get("event") ?? "message", ...(id !== undefined && { id }), data: JSON.parse(data) };
}
