import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import express from "express";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { addressKey } from "./connections.ts";
import { type Listener, type ListenOptions, listen } from "./listen.ts";
import { createLoadShedder, type LoadShedder } from "./overload.ts";

const open: { listener?: Listener; load?: LoadShedder; sockets: Socket[] } = { sockets: [] };
afterEach(async () => {
  for (const socket of open.sockets.splice(0)) socket.destroy();
  open.load?.close();
  await open.listener?.close();
});

/** Listens with an app that counts requests as the product does. Requests of `/held` complete when they are released. */
async function countingServer(options: Partial<ListenOptions> = {}) {
  const load = createLoadShedder({});
  open.load = load;
  const held: (() => void)[] = [];
  const seen: string[] = [];
  const app = express().use(load.handler, (request, _response, next) => {
    seen.push(request.url);
    next();
  });
  app.get("/held", (_request, response) => void held.push(() => response.end("held")));
  app.get("/ready", (_request, response) => void setTimeout(() => response.end("ready"), 20));
  app.get("/last", (_request, response) => void response.set("Connection", "close").end("last"));
  app.get("/:name", (request, response) => void setTimeout(() => response.end(request.params.name), 1));
  const listener = await listening(app, options);
  const counted = () => load.inFlight() + load.exempt();
  return { listener, seen, held, counted };
}

async function listening(handler: RequestListener, options: Partial<ListenOptions> = {}): Promise<Listener> {
  open.listener = await listen(handler, { port: 0, hosts: ["127.0.0.1"], ...options });
  return open.listener;
}

async function connected({ port }: Listener): Promise<Socket & { text: string }> {
  const socket = Object.assign(connect(port, "127.0.0.1"), { text: "" });
  open.sockets.push(socket);
  socket.on("error", () => undefined);
  socket.on("data", (bytes) => {
    socket.text += bytes;
  });
  await once(socket, "connect");
  return socket;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

test("When a connection is reset while pipelined requests are queued, then none of them counts as in flight", async () => {
  const { listener, held, counted } = await countingServer();
  const socket = await connected(listener);
  socket.write(get("/ready") + get("/held") + get("/held").repeat(9));
  await expect.poll(() => held.length).toBe(1);
  expect([counted(), listener.connections.busy()]).toEqual([1, 1]);
  socket.resetAndDestroy();
  await expect.poll(() => [counted(), listener.connections.busy()]).toEqual([0, 0]);
  expect(listener.connections.open()).toBe(0);
  // The queued requests are never started.
  expect(held).toHaveLength(1);
});

test("When a client pipelines hundreds of requests, then its connection is closed and other clients are served", async () => {
  const { listener, seen, counted } = await countingServer();
  const socket = await connected(listener);
  socket.write(get("/held") + get("/a").repeat(310));
  await once(socket, "close");
  expect(seen).toEqual(["/held"]);
  await expect.poll(() => [counted(), listener.connections.busy()]).toEqual([0, 0]);
  expect(await (await fetch(`http://127.0.0.1:${listener.port}/a`)).text()).toBe("a");
});

test("When clients read nothing of their responses, then they are disconnected, and a slow one that reads everything is not", async () => {
  const size = 30_000_000;
  let requests = 0;
  const large: RequestListener = (_request, response) => {
    requests++;
    response.end(Buffer.alloc(size));
  };
  // Not much shorter: on a busy machine, a process that is not scheduled for a moment reads nothing either.
  const listener = await listening(large, { stalledMs: 4_000 });
  for (let reader = 0; reader < 5; reader++) {
    const socket = await connected(listener);
    socket.pause();
    socket.write(get("/"));
  }
  await expect.poll(() => requests).toBe(5);
  const bytesRead = await readSlowly(listener, "/", 7);
  await expect.poll(() => listener.connections.open(), { timeout: 20_000 }).toBe(1);
  // It took longer than a client may read nothing.
  await expect.poll(bytesRead, { timeout: 20_000 }).toBeGreaterThan(size);
});

/** Reads a whole response, with a pause after each chunk. @returns a function that tells how many bytes have been read. */
async function readSlowly(listener: Listener, path: string, pauseMs = 1): Promise<() => number> {
  const socket = await connected(listener);
  let bytesRead = 0;
  socket.removeAllListeners("data").on("data", (bytes: Buffer) => {
    bytesRead += bytes.length;
    socket.pause();
    setTimeout(() => socket.resume(), pauseMs);
  });
  socket.write(get(path));
  return () => bytesRead;
}

test("When a client reads a few bytes at a time, then it is disconnected; one that reads chunk after chunk, or waits, is not", async () => {
  const piece = Buffer.alloc(1_000_000);
  const handler: RequestListener = ({ url }, response) => {
    if (url === "/whole") response.end(Buffer.alloc(30_000_000));
    if (url === "/pieces") Readable.from(Array(100).fill(piece)).pipe(response);
  };
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const listener = await listening(handler, { chunkMs: 2_000 });
  const slowReader = await connected(listener);
  slowReader.removeAllListeners("data").pause();
  slowReader.write(get("/whole"));
  const waiting = await connected(listener);
  waiting.write(get("/waiting"));
  const bytesRead = await readSlowly(listener, "/pieces");
  await expect.poll(() => listener.connections.busy()).toBe(3);
  for (let second = 1; second <= 4; second++) {
    slowReader.read(16_000);
    // More than the network buffers hold.
    const before = bytesRead();
    await expect.poll(bytesRead).toBeGreaterThan(before + 10 * piece.length);
    vi.advanceTimersByTime(1_000);
  }
  await expect.poll(() => listener.connections.open()).toBe(2);
  await expect.poll(bytesRead, { timeout: 15_000 }).toBeGreaterThan(100 * piece.length);
  expect([listener.connections.open(), waiting.closed]).toEqual([2, false]);
});

test("When a client ignores the response before its next pipelined requests, then they do not wait for it", async () => {
  const seen: (string | undefined)[] = [];
  const handler: RequestListener = ({ url }, response) => {
    seen.push(url);
    response.end(Buffer.alloc(30_000_000));
  };
  const listener = await listening(handler);
  const [single, pipelining] = [await connected(listener), await connected(listener)];
  for (const socket of [single, pipelining]) socket.pause().write(get("/"));
  pipelining.write(get("/next").repeat(14));
  await expect.poll(() => listener.connections.busy()).toBe(2);
  await expect.poll(() => listener.connections.open()).toBe(1);
  expect([seen, single.closed]).toEqual([["/", "/"], false]);
});

/** Connects, sends one request and stays connected. */
async function idleConnection(listener: Listener) {
  const socket = await connected(listener);
  socket.write(get("/a"));
  await expect.poll(() => socket.text).toMatch(/a$/);
  return socket;
}

test.each([
  ["from an address", { perAddress: 3 }],
  ["in total", { total: 3 }],
  ["in total behind a proxy", { total: 3, perAddress: 1, behindProxy: true }],
])(
  "When there are too many connections %s, then the one idle for longest is closed, and none with a request",
  async (_whose, limits) => {
    const { listener, held } = await countingServer(limits);
    const busy = await connected(listener);
    busy.write(get("/held"));
    await expect.poll(() => held.length).toBe(1);
    const [first, second] = [await idleConnection(listener), await idleConnection(listener)];
    // It had been idle for longest, until this request.
    first.write(get("/b"));
    await expect.poll(() => first.text).toMatch(/b$/);
    const third = await idleConnection(listener);
    await expect.poll(() => second.closed).toBe(true);
    const { evicted, refused, open } = listener.connections;
    expect([open(), evicted(), refused(), first.closed, third.closed]).toEqual([3, 1, 0, false, false]);
    held[0]?.();
    await expect.poll(() => busy.text).toMatch(/held$/);
  },
);

test("When every connection has a request in flight, then a new connection is closed and the requests complete", async () => {
  const { listener, held } = await countingServer({ total: 2 });
  const busy = [await connected(listener), await connected(listener)];
  for (const socket of busy) socket.write(get("/held"));
  await expect.poll(() => held.length).toBe(2);
  const refused = await connected(listener);
  await once(refused, "close");
  expect(listener.connections.refused()).toBe(1);
  for (const release of held) release();
  for (const socket of busy) await expect.poll(() => socket.text).toMatch(/held$/);
  // Now both are idle, so one can be evicted.
  await idleConnection(listener);
  expect(listener.connections.evicted()).toBe(1);
});

test("When an address is IPv6, then the key is its /64 network; IPv4, even mapped, is its own key", () => {
  const cases: [string | undefined, string][] = [
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:2::6", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8::1.2.3.4", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    // Groups after the zeros may belong to the network too.
    ["2001::2:3:4:5:6:7", "2001:0:2:3::/64"],
    ["::2:3:4:5:6:7:8", "0:2:3:4::/64"],
    ["2001::2:3:4:5:192.0.2.1", "2001:0:2:3::/64"],
    ["2001:db8::ffff:198.51.100.27", "2001:db8:0:0::/64"],
    ["::FFFF:198.51.100.27", "198.51.100.27"],
    [undefined, "unknown"],
  ];
  for (const [ip, key] of cases) expect(addressKey(ip)).toBe(key);
});
