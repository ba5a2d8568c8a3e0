import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import express from "express";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { type Listener, type ListenOptions, listen } from "./listen.ts";
import { createLoadShedder, type LoadShedder } from "./overload.ts";

const open: { listener?: Listener; load?: LoadShedder; sockets: Socket[] } = { sockets: [] };
afterEach(async () => {
  for (const socket of open.sockets.splice(0)) socket.destroy();
  open.load?.close();
  await open.listener?.close();
});

/** Listens with an app that counts as the product does. Requests of `/held` are completed when they are let go. */
async function counting(options: Partial<ListenOptions> = {}) {
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

test("When a connection is reset while requests are queued behind another one, then none of them holds a place", async () => {
  const { listener, held, counted } = await counting();
  const socket = await connected(listener);
  socket.write(get("/ready") + get("/held") + get("/held").repeat(9));
  await expect.poll(() => held.length).toBe(1);
  expect([counted(), listener.connections.busy()]).toEqual([1, 1]);
  socket.resetAndDestroy();
  await expect.poll(() => [counted(), listener.connections.busy()]).toEqual([0, 0]);
  expect(listener.connections.open()).toBe(0);
  // What no client waits for any more is not begun.
  expect(held).toHaveLength(1);
});

test("When requests are open on several connections, then what is counted is what the connections have", async () => {
  const { listener, held, counted } = await counting();
  for (const paths of [["/held"], ["/held", "/held"], []]) {
    const socket = await connected(listener);
    socket.write(paths.map(get).join(""));
  }
  await expect.poll(() => held.length).toBe(2);
  expect([counted(), listener.connections.busy(), listener.connections.open()]).toEqual([2, 2, 3]);
  for (const letGo of held.splice(0)) letGo();
  // The second request of a connection begins when its first one is complete.
  await expect.poll(() => held.length).toBe(1);
  expect([counted(), listener.connections.busy()]).toEqual([1, 1]);
  held[0]?.();
  await expect.poll(() => [counted(), listener.connections.busy()]).toEqual([0, 0]);
});

test("When a client pipelines, then its requests are served in order, bodies included", async () => {
  const { listener, seen } = await counting();
  const socket = await connected(listener);
  const post = "POST /c HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";
  socket.write(get("/ready") + get("/a") + get("/b") + post + get("/d"));
  await expect.poll(() => socket.text).toMatch(/ready.*\r\n\r\na.*\r\n\r\nb.*Cannot POST.*\r\n\r\nd$/s);
  expect(seen).toEqual(["/ready", "/a", "/b", "/c", "/d"]);
});

test("When a response ends the connection, then what was sent behind it is not begun", async () => {
  const { listener, seen } = await counting();
  const socket = await connected(listener);
  socket.write(get("/last") + get("/b"));
  await once(socket, "close");
  expect(socket.text).toMatch(/\r\n\r\nlast$/);
  expect(seen).toEqual(["/last"]);
});

test("When a client sends hundreds of requests ahead, then its connection ends and no other client notices", async () => {
  const { listener, seen, counted } = await counting();
  const socket = await connected(listener);
  socket.write(get("/held") + get("/a").repeat(310));
  await once(socket, "close");
  expect(seen).toEqual(["/held"]);
  await expect.poll(() => [counted(), listener.connections.busy()]).toEqual([0, 0]);
  expect(await (await fetch(`http://127.0.0.1:${listener.port}/a`)).text()).toBe("a");
});

test("When readers take nothing of their responses, then they are cut off, and one that takes all is not", async () => {
  const size = 30_000_000;
  let asked = 0;
  const large: RequestListener = (_request, response) => {
    asked++;
    response.end(Buffer.alloc(size));
  };
  // A process that others keep from running for a moment takes nothing either, so not much shorter.
  const listener = await listening(large, { stalledMs: 1_000 });
  for (let reader = 0; reader < 5; reader++) {
    const socket = await connected(listener);
    socket.pause();
    socket.write(get("/"));
  }
  await expect.poll(() => asked).toBe(5);
  const taken = await readSlowly(listener, "/");
  await expect.poll(() => listener.connections.open(), { timeout: 3_000 }).toBe(1);
  await expect.poll(taken, { timeout: 10_000 }).toBeGreaterThan(size);
});

/** Takes all of a response, with pauses. @returns how many bytes it has taken. */
async function readSlowly(listener: Listener, path: string): Promise<() => number> {
  const socket = await connected(listener);
  let taken = 0;
  socket.removeAllListeners("data").on("data", (bytes: Buffer) => {
    taken += bytes.length;
    socket.pause();
    setTimeout(() => socket.resume(), 1);
  });
  socket.write(get(path));
  return () => taken;
}

test("When a reader takes sips, then it is cut off, and none that takes piece after piece, or waits", async () => {
  const piece = Buffer.alloc(1_000_000);
  const handler: RequestListener = ({ url }, response) => {
    if (url === "/whole") response.end(Buffer.alloc(30_000_000));
    if (url === "/pieces") Readable.from(Array(100).fill(piece)).pipe(response);
  };
  const listener = await listening(handler, { pieceMs: 2_000 });
  const sipping = await connected(listener);
  sipping.removeAllListeners("data").pause();
  const sips = setInterval(() => sipping.read(16_000), 20);
  onTestFinished(() => clearInterval(sips));
  sipping.write(get("/whole"));
  const waiting = await connected(listener);
  waiting.write(get("/waiting"));
  const taken = await readSlowly(listener, "/pieces");
  await expect.poll(() => listener.connections.busy()).toBe(3);
  await expect.poll(() => listener.connections.open(), { timeout: 8_000 }).toBe(2);
  await expect.poll(taken, { timeout: 15_000 }).toBeGreaterThan(100 * piece.length);
  expect([listener.connections.open(), waiting.closed]).toEqual([2, false]);
});

/** Connects, asks once and stays. */
async function idling(listener: Listener) {
  const socket = await connected(listener);
  socket.write(get("/a"));
  await expect.poll(() => socket.text).toMatch(/a$/);
  return socket;
}

test.each([
  ["of an address", { perAddress: 3 }],
  ["in all", { total: 3 }],
  ["in all behind a proxy", { total: 3, perAddress: 1, behindProxy: true }],
])(
  "When there are too many connections %s, then the one idle for longest makes room, and none with a request",
  async (_whose, limits) => {
    const { listener, held } = await counting(limits);
    const busy = await connected(listener);
    busy.write(get("/held"));
    await expect.poll(() => held.length).toBe(1);
    const [first, second] = [await idling(listener), await idling(listener)];
    // It was idle for longer, and is not any more.
    first.write(get("/b"));
    await expect.poll(() => first.text).toMatch(/b$/);
    const third = await idling(listener);
    await expect.poll(() => second.closed).toBe(true);
    const { evicted, refused, open } = listener.connections;
    expect([open(), evicted(), refused(), first.closed, third.closed]).toEqual([3, 1, 0, false, false]);
    held[0]?.();
    await expect.poll(() => busy.text).toMatch(/held$/);
  },
);

test("When every connection has a request under way, then a new one is closed and those are completed", async () => {
  const { listener, held } = await counting({ total: 2 });
  const busy = [await connected(listener), await connected(listener)];
  for (const socket of busy) socket.write(get("/held"));
  await expect.poll(() => held.length).toBe(2);
  const refused = await connected(listener);
  await once(refused, "close");
  expect(listener.connections.refused()).toBe(1);
  for (const letGo of held) letGo();
  for (const socket of busy) await expect.poll(() => socket.text).toMatch(/held$/);
  // Now they are idle.
  await idling(listener);
  expect(listener.connections.evicted()).toBe(1);
});
