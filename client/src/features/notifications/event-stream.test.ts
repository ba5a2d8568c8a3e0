import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { openStream } from "./event-stream.ts";

type Asked = { url: string; headers: Headers };

/** A stream before a server that responds to each attempt with the next of `responses`. */
function aStream(responses: (() => Response)[]) {
  const asked: Asked[] = [];
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
    fetch: async (url, init) => {
      asked.push({ url: String(url), headers: new Headers(init?.headers) });
      const response = responses.shift();
      // Nothing more to say: the server does not respond.
      return response ? response() : new Promise(() => undefined);
    },
  });
  const name = (url: string) => {
    address = url;
  };
  return { stream, asked, events, states, name };
}

const headers = { "Content-Type": "text/event-stream" };
/** Says this and then ends, or stays open. */
const says =
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
// Loaded on the first stream: no wait of these tests is for that.
beforeAll(() => import("eventsource"));
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  // The waits as they are without their spread.
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

/** Lets promises and streams settle, which no fake clock drives. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

it("When an event arrives, then it is handed on by name, and the token was sent", async () => {
  const { stream, asked, events, states } = aStream([says('event: unread\ndata: {"unread":3}\n\n', false)]);
  stop = stream.pause;
  await vi.waitFor(() => expect(events).toEqual([["unread", { unread: 3 }]]));
  expect(asked[0]?.headers.get("Authorization")).toBe("Bearer token-0");
  expect(asked[0]?.headers.has("Last-Event-ID")).toBe(false);
  expect(states).toEqual([true]);
});

it("When the stream breaks off, then it begins again after the last event it saw", async () => {
  const { stream, asked, states } = aStream([says("id: 7\nevent: notification\ndata: {}\n\n")]);
  stop = stream.pause;
  await vi.waitFor(() => expect(states).toEqual([true, false]));
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_300);
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[1]?.headers.get("Last-Event-ID")).toBe("7");
});

it("When attempts fail, then each waits longer than the one before", async () => {
  const fails = () => new Response("", { status: 503 });
  const { stream, asked, states } = aStream([fails, fails, fails]);
  stop = stream.pause;
  await vi.waitFor(() => expect(states).toHaveLength(1), { interval: 1 });
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitFor(() => expect(states).toHaveLength(2), { interval: 1 });
  await vi.advanceTimersByTimeAsync(1_000);
  await settle();
  expect(asked).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitFor(() => expect(asked).toHaveLength(3));
});

it("When the token is refused, then a fresh one is sent at once", async () => {
  const refuses = () => new Response("", { status: 401 });
  const { stream, asked, states } = aStream([refuses, says(": hello\n\n", false)]);
  stop = stream.pause;
  await vi.waitFor(() => expect(states).toEqual([true]));
  expect(asked.map((one) => one.headers.get("Authorization"))).toEqual(["Bearer token-0", "Bearer token-1"]);
});

it("When there are too many streams, then the next attempt waits as long as the server asked", async () => {
  const refuses = () => new Response("", { status: 429, headers: { "Retry-After": "30" } });
  const { stream, asked, states } = aStream([refuses, says(": hello\n\n", false)]);
  stop = stream.pause;
  await vi.waitFor(() => expect(states).toEqual([false]), { interval: 1 });
  await vi.advanceTimersByTimeAsync(29_000);
  await settle();
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(17_000);
  await vi.waitFor(() => expect(states).toEqual([false, true]));
});

it("When nothing comes for long, not even a sign of life, then it begins again", async () => {
  const { stream, asked, states } = aStream([says(": hello\n\n", false)]);
  stop = stream.pause;
  await vi.waitFor(() => expect(states).toEqual([true]));
  await vi.advanceTimersByTimeAsync(72_000);
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  expect(states).toEqual([true, false]);
});

it("When restarted, then the new address is asked at once; when paused, then nothing is", async () => {
  const { stream, asked, states, name } = aStream([says(": hello\n\n", false), says(": hello\n\n", false)]);
  stop = stream.pause;
  await vi.waitFor(() => expect(states).toEqual([true]));
  name("http://api.test/me/events?task=1");
  stream.restart();
  await vi.waitFor(() => expect(asked[1]?.url).toBe("http://api.test/me/events?task=1"));
  stream.pause();
  await vi.advanceTimersByTimeAsync(200_000);
  await settle();
  expect(asked).toHaveLength(2);
});
