import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import type { ConversationEvent, Notification, UnreadEvent } from "../../src/contract/index.ts";
import type { Person } from "../../test/people.ts";
import type { Front } from "./balancer.ts";

/** An event of a person's stream. */
export type LiveEvent =
  | { name: "notification"; data: Notification }
  | { name: "conversation"; data: ConversationEvent }
  | { name: "unread"; data: UnreadEvent };

/** Passes an event on; a planted bug may lose or repeat it here. */
export type Deliver = (event: LiveEvent, receive: (event: LiveEvent) => void) => void;

/** One connection, with times in ms of the run, and its conversation events. */
export type Stream = {
  openedAt: number;
  /** Undefined while it is open. */
  closedAt: number | undefined;
  conversations: (ConversationEvent & { at: number })[];
  /** Reported numbers of conversations with unread messages. */
  unread: { at: number; conversations: number }[];
};

/** Everything that somebody received live. */
export type Listening = {
  person: Person;
  /** By id: receiving the same notification again is not an error. */
  notifications: ReadonlyMap<string, Notification>;
  streams: readonly Stream[];
  ended: Promise<void>;
};

type Options = {
  front: Front;
  signal: AbortSignal;
  deliver: Deliver;
  now: () => number;
};

const RECONNECT_MS = 300;

/** Reads somebody's event stream and resumes after interruptions, as if they had the product open. */
export function listen(person: Person, { front, signal, deliver, now }: Options): Listening {
  const notifications = new Map<string, Notification>();
  const streams: Stream[] = [];
  let lastEventId: string | undefined;

  function receive(stream: Stream, { name, data }: LiveEvent): void {
    if (name === "notification") notifications.set(data._id, data);
    else if (name === "conversation") stream.conversations.push({ ...data, at: now() });
    else stream.unread.push({ at: now(), conversations: data.conversations });
  }

  async function readOnce(): Promise<void> {
    const chunks = await front.openEvents(
      {
        accept: "text/event-stream",
        authorization: `Bearer ${person.token}`,
        ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
      },
      signal,
    );
    if (!chunks) return;
    const stream: Stream = { openedAt: now(), closedAt: undefined, conversations: [], unread: [] };
    streams.push(stream);
    const parser = createParser({
      onEvent: ({ event: name, id, data }) => {
        const event = { name, data: JSON.parse(data) } as LiveEvent;
        deliver(event, (each) => receive(stream, each));
        lastEventId = id ?? lastEventId;
      },
    });
    const decoder = new TextDecoder();
    try {
      for await (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
    } finally {
      stream.closedAt = now();
    }
  }

  async function keepReading(): Promise<void> {
    while (!signal.aborted) {
      // After an interruption the next instance sends what was missed.
      await readOnce().catch(() => undefined);
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  return { person, notifications, streams, ended: keepReading() };
}
