import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import type { Notification } from "../src/contract/index.ts";
import type { Person } from "../test/people.ts";
import type { Instance } from "./instance.ts";

/** Passes an event on; a harness may lose or repeat one here. */
export type Deliver = (notification: Notification, receive: (notification: Notification) => void) => void;

const AGAIN_MS = 300;

/**
 * A client with the product open: reads their event stream from one instance after the other, and goes on where it was cut.
 * @returns what was told, by id: a repetition of the same is not news.
 */
export function listen(
  person: Person,
  { instances, signal, deliver }: { instances: readonly Instance[]; signal: AbortSignal; deliver: Deliver },
): { told: ReadonlyMap<string, Notification>; ended: Promise<void> } {
  const told = new Map<string, Notification>();
  let lastEventId: string | undefined;
  let turn = 0;

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
    const parser = createParser({
      onEvent: ({ event, id, data }) => {
        if (event === "notification")
          deliver(JSON.parse(data) as Notification, (each) => told.set(each._id, each));
        lastEventId = id ?? lastEventId;
      },
    });
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
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

  return { told, ended: readOn() };
}
