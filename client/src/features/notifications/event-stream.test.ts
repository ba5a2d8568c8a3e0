import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { openStream } from "./event-stream.ts";

type SentRequest = { url: string; headers: Headers };

/** A stream from a fake server that answers each attempt with the next of `responses`, and then no more. */
function aStream(responses: (() => Response)[]) {
  const requests: SentRequest[] = [];
  const events: [string, unknown][] = [];
  const states: boolean[] = [];
  let renewals = 0;
  let address = "http://api.test/me/events";
  const stream = openStream({
    url: () => address,
    getToken: async (fresh) => {
      if (fresh) renewals += 1;
      return `token-${renewals}`;
    },
    onEvent: (name, data) => events.push([name, data]),
    onState: (open) => states.push(open),
    onRefused: () => undefined,
    fetch: async (url, init) => {
      requests.push({ url: String(url), headers: new Headers(init?.headers) });
      const response = responses.shift();
      return response ? response() : new Promise(() => undefined);
    },
  });
  const setUrl = (url: string) => {
    address = url;
  };
  return { stream, requests, events, states, setUrl };
}

const headers = { "Content-Type": "text/event-stream" };
/** A response with this text, which then ends or stays open. */
const sends =
  (text: string, end = true) =>
  () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text));
        if (end) controller.close();
      },
    });
    return new Response(body, { headers });
  };

let stop = () => {};
// Loaded up front, so that no test waits for it.
beforeAll(() => import("eventsource"));
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  // No jitter.
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

/** Lets promises and streams settle, which fake timers do not control. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

it("When an event arrives, then it is passed on with its name, and the token was sent", async () => {
  const { stream, requests, events, states } = aStream([
    sends('event: unread\ndata: {"unread":3}\n\n', false),
  ]);
  stop = stream.pause;
  await vi.waitFor(() => expect(events).toEqual([["unread", { unread: 3 }]]));
  expect(requests[0]?.headers.get("Authorization")).toBe("Bearer token-0");
  expect(requests[0]?.headers.has("Last-Event-ID")).toBe(false);
  expect(states).toEqual([true]);
});

it("When the stream breaks off, then it reconnects after the last event received", async () => {
  const { stream, requests, states } = aStream([sends("id: 7\nevent: notification\ndata: {}\n\n")]);
  stop = stream.pause;
  await vi.waitFor(() => expect(states).toEqual([true, false]));
  expect(requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_300);
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  expect(requests[1]?.headers.get("Last-Event-ID")).toBe("7");
});

it("When attempts fail, then each wait is longer than the one before", async () => {
  const fails = () => new Response("", { status: 503 });
  const { stream, requests, states } = aStream([fails, fails, fails]);
  stop = stream.pause;
  await vi.waitFor(() => expect(states).toHaveLength(1), { interval: 1 });
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitFor(() => expect(states).toHaveLength(2), { interval: 1 });
  await vi.advanceTimersByTimeAsync(1_000);
  await settle();
  expect(requests).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitFor(() => expect(requests).toHaveLength(3));
});

it("When the token is rejected, then a fresh one is sent immediately", async () => {
  const refuses = () => new Response("", { status: 401 });
  const { stream, requests, states } = aStream([refuses, sends(": hello\n\n", false)]);
  stop = stream.pause;
  await vi.waitFor(() => expect(states).toEqual([true]));
  expect(requests.map((one) => one.headers.get("Authorization"))).toEqual([
    "Bearer token-0",
    "Bearer token-1",
  ]);
});

it("When there are too many streams, then the next attempt waits for the Retry-After time", async () => {
  const refuses = () => new Response("", { status: 429, headers: { "Retry-After": "30" } });
  const { stream, requests, states } = aStream([refuses, sends(": hello\n\n", false)]);
  stop = stream.pause;
  await vi.waitFor(() => expect(states).toEqual([false]), { interval: 1 });
  await vi.advanceTimersByTimeAsync(29_000);
  await settle();
  expect(requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(17_000);
  await vi.waitFor(() => expect(states).toEqual([false, true]));
});

it("When no data arrives for a long time, not even a heartbeat, then it reconnects", async () => {
  const { stream, requests, states } = aStream([sends(": hello\n\n", false)]);
  stop = stream.pause;
  await vi.waitFor(() => expect(states).toEqual([true]));
  await vi.advanceTimersByTimeAsync(72_000);
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  expect(states).toEqual([true, false]);
});

it("When restarted, then it requests the new URL immediately; when paused, then it requests nothing", async () => {
  const { stream, requests, states, setUrl } = aStream([
    sends(": hello\n\n", false),
    sends(": hello\n\n", false),
  ]);
  stop = stream.pause;
  await vi.waitFor(() => expect(states).toEqual([true]));
  setUrl("http://api.test/me/events?task=1");
  stream.restart();
  await vi.waitFor(() => expect(requests[1]?.url).toBe("http://api.test/me/events?task=1"));
  stream.pause();
  await vi.advanceTimersByTimeAsync(200_000);
  await settle();
  expect(requests).toHaveLength(2);
});
