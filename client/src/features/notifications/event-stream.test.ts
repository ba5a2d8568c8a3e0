import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { openStream } from "./event-stream.ts";

let stop = () => {};
// Loaded up front, so that no test waits for it.
beforeAll(() => import("eventsource-parser"));
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  // No jitter.
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => stop());

/** A stream from a fake server that answers each attempt with the next of `responses`, and then no more. */
function aStream(...responses: Response[]) {
  const requests: { url: string; headers: Headers }[] = [];
  const events: [string, unknown][] = [];
  const states: boolean[] = [];
  let renewals = 0;
  const target = { url: "http://api.test/me/events" };
  const stream = openStream({
    url: () => target.url,
    getToken: async (fresh) => {
      if (fresh) renewals += 1;
      return `token-${renewals}`;
    },
    onEvent: (name, data) => events.push([name, data]),
    onState: (open) => states.push(open),
    onRefused: () => undefined,
    fetch: async (url, init) => {
      requests.push({ url: String(url), headers: new Headers(init?.headers) });
      return responses.shift() ?? new Promise(() => undefined);
    },
  });
  stop = stream.pause;
  const sent = (header: string) => requests.map(({ headers }) => headers.get(header));
  const expectStates = (expected: boolean[]) =>
    vi.waitFor(() => expect(states).toEqual(expected), { interval: 1 });
  return { stream, requests, sent, events, expectStates, target };
}

/** A response with this text, which then ends or stays open. */
function sends(text: string, { end = false } = {}) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      if (end) controller.close();
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}
const refuses = (status: number, headers = {}) => new Response("", { status, headers });

/** Lets time pass, and promises and streams settle, which fake timers do not control. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

it("When the stream breaks off, then it reconnects after the last event received", async () => {
  const { requests, sent, events, expectStates } = aStream(
    sends('id: 7\nevent: unread\ndata: {"unread":3}\n\n', { end: true }),
  );
  await expectStates([true, false]);
  expect(events).toEqual([["unread", { unread: 3 }]]);
  expect(requests).toHaveLength(1);
  await pass(1_300);
  expect(sent("Last-Event-ID")).toEqual([null, "7"]);
});

it("When attempts fail, then each wait is longer than the one before", async () => {
  const { requests, expectStates } = aStream(refuses(503), refuses(503), refuses(503));
  await expectStates([false]);
  await pass(1_000);
  await expectStates([false, false]);
  await pass(1_000);
  expect(requests).toHaveLength(2);
  await pass(1_000);
  expect(requests).toHaveLength(3);
});

it("When the token is rejected, then a fresh one is sent immediately", async () => {
  const { sent, expectStates } = aStream(refuses(401), sends(": hello\n\n"));
  await expectStates([true]);
  expect(sent("Authorization")).toEqual(["Bearer token-0", "Bearer token-1"]);
});

it("When there are too many streams, then the next attempt waits for the Retry-After time", async () => {
  const { requests, expectStates } = aStream(refuses(429, { "Retry-After": "30" }), sends(": hello\n\n"));
  await expectStates([false]);
  await pass(29_000);
  expect(requests).toHaveLength(1);
  await pass(17_000);
  await expectStates([false, true]);
});

it("When no data arrives for a long time, not even a heartbeat, then it reconnects", async () => {
  const { requests, expectStates } = aStream(sends(": hello\n\n"));
  await expectStates([true]);
  await pass(72_000);
  expect(requests).toHaveLength(2);
  await expectStates([true, false]);
});

it("When restarted, then it requests the new URL immediately; when paused, then it requests nothing", async () => {
  const { stream, requests, target, expectStates } = aStream(sends(": hello\n\n"), sends(": hello\n\n"));
  await expectStates([true]);
  target.url += "?task=1";
  stream.restart();
  await vi.waitFor(() => expect(requests[1]?.url).toBe("http://api.test/me/events?task=1"));
  stream.pause();
  await pass(200_000);
  expect(requests).toHaveLength(2);
});
