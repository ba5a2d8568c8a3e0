import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import type { ConversationEvent, Notification, UnreadEvent } from "../src/contract/index.ts";
import type { Person } from "../test/people.ts";
import type { Front } from "./balancer.ts";

/** An event of a person's stream. */
export type LiveEvent =
  | { name: "notification"; data: Notification }
  | { name: "conversation"; data: ConversationEvent }
  | { name: "unread"; data: UnreadEvent };

/** Passes an event on; a harness may lose or repeat one here. */
export type Deliver = (event: LiveEvent, receive: (event: LiveEvent) => void) => void;

/** One connection, in milliseconds of the run, and what it told of conversations. */
export type Stream = {
  openedAt: number;
  /** Undefined while it is open. */
  closedAt: number | undefined;
  conversations: (ConversationEvent & { at: number })[];
  /** In how many conversations there is something unread. */
  unread: { at: number; conversations: number }[];
};

/** What somebody was told. */
export type Listening = {
  person: Person;
  /** Notifications by id: a repetition of the same is not news. */
  told: ReadonlyMap<string, Notification>;
  streams: readonly Stream[];
  ended: Promise<void>;
};

type Options = {
  front: Front;
  signal: AbortSignal;
  deliver: Deliver;
  now: () => number;
};

const AGAIN_MS = 300;

/** Somebody with the product open: reads their event stream, and goes on where it was cut. */
export function listen(person: Person, { front, signal, deliver, now }: Options): Listening {
  const told = new Map<string, Notification>();
  const streams: Stream[] = [];
  let lastEventId: string | undefined;

  function receive(stream: Stream, { name, data }: LiveEvent): void {
    if (name === "notification") told.set(data._id, data);
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

  async function readOn(): Promise<void> {
    while (!signal.aborted) {
      // Cut, or nobody there: the next instance has what was missed.
      await readOnce().catch(() => undefined);
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  return { person, told, streams, ended: readOn() };
}
