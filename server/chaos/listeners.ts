import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import type { ConversationEvent, Notification, UnreadEvent } from "../src/contract/index.ts";
import type { Person } from "../test/people.ts";
import type { Instance } from "./instance.ts";

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
  instances: readonly Instance[];
  signal: AbortSignal;
  deliver: Deliver;
  now: () => number;
};

const AGAIN_MS = 300;

/** Somebody with the product open: reads their event stream from one instance after the other, and goes on where it was cut. */
export function listen(person: Person, { instances, signal, deliver, now }: Options): Listening {
  const told = new Map<string, Notification>();
  const streams: Stream[] = [];
  let lastEventId: string | undefined;
  let turn = 0;

  function receive(stream: Stream, { name, data }: LiveEvent): void {
    if (name === "notification") told.set(data._id, data);
    else if (name === "conversation") stream.conversations.push({ ...data, at: now() });
    else stream.unread.push({ at: now(), conversations: data.conversations });
  }

  async function readOnce({ url }: Instance): Promise<void> {
    const response = await fetch(`${url}/me/events`, {
      headers: {
        accept: "text/event-stream",
        authorization: `Bearer ${person.token}`,
        ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
      },
      signal,
    });
    if (!response.ok) return void (await response.body?.cancel());
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
      for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
    } finally {
      stream.closedAt = now();
    }
  }

  async function readOn(): Promise<void> {
    while (!signal.aborted) {
      turn += 1;
      const next = instances[turn % instances.length];
      // Cut, or nobody there: the next one has what was missed.
      if (next) await readOnce(next).catch(() => undefined);
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  return { person, told, streams, ended: readOn() };
}
