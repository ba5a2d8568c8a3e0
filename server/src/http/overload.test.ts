import { once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import express from "express";
import supertest from "supertest";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { expectProblem, serving } from "../../test/index.ts";
import { withDeadline } from "./mount.ts";
import { createLoadShedder, type LoadShedder } from "./overload.ts";

type Limits = Parameters<typeof createLoadShedder>[0]["limits"];

let load: LoadShedder | undefined;
afterEach(() => load?.close());

/** An app in which every request except `/health` waits until `releaseAll` is called. */
async function slowApp(limits: Limits) {
  const shedCounts: number[] = [];
  const waiting: (() => void)[] = [];
  load = createLoadShedder({
    onShed: (count) => shedCounts.push(count),
    ...(limits && { limits }),
    corsOrigins: ["https://web.example"],
  });
  const app = express().set("trust proxy", 1).use(load.handler);
  app.get("/health", (_request, response) => void response.json("ok"));
  app.get(["/", "/tasks", "/me/export"], (request, response, next) =>
    withDeadline(60_000, request, response, next, async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      response.json("done");
    }),
  );
  const { server, url } = await serving(app);
  const releaseAll = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { server, url, waiting, releaseAll, shedCounts };
}

test("When a request of another host's page is refused, then that page can read why, and preflights are not refused", async () => {
  const { server } = await slowApp({ maxInFlight: 0 });
  const from = (origin: string) => supertest(server).get("/").set("Origin", origin);
  const refused = await from("https://web.example");
  expectProblem(refused, "unavailable");
  expect(refused.headers).toMatchObject({
    "access-control-allow-origin": "https://web.example",
    "access-control-expose-headers": expect.stringContaining("Retry-After"),
    vary: "Origin",
  });
  expect((await from("https://other.example")).headers).not.toHaveProperty("access-control-allow-origin");
  expect((await supertest(server).options("/")).status).toBe(200);
});

test("When more requests arrive than may be in flight, then the others get a 503 with Retry-After, and health checks succeed", async () => {
  const { server, url, waiting, releaseAll, shedCounts } = await slowApp({ maxInFlight: 5 });
  const first = Array.from({ length: 5 }, () => supertest(server).get("/").then());
  expect(load?.overloaded()).toBe(false);
  await expect.poll(() => waiting.length).toBe(5);
  expect(load?.overloaded()).toBe(true);
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => now.mockRestore());
  const refused = await supertest(server).get("/");
  const problem = expectProblem(refused, "unavailable");
  expect(refused.headers["retry-after"]).toBe("2");
  expect(refused.headers["x-request-id"]).toBe(problem.requestId);
  // The connection is kept, unless there is a body that will not be read.
  const kept = await fetch(url);
  const ended = await fetch(url, { method: "POST", body: "x".repeat(50_000) });
  expect([kept, ended].map(({ headers }) => headers.get("connection"))).toEqual(["keep-alive", "close"]);
  await supertest(server).get("/health").expect(200);
  releaseAll();
  for (const response of await Promise.all(first)) expect(response.status).toBe(200);
  await expect.poll(() => load?.inFlight()).toBe(0);
  // It still counts as overloaded for a second after the last refusal.
  now.mockReturnValue(999);
  expect(load?.overloaded()).toBe(true);
  now.mockReturnValue(1_000);
  expect(load?.overloaded()).toBe(false);
  now.mockRestore();
  const next = supertest(server).get("/").then();
  await expect.poll(() => waiting.length).toBe(1);
  releaseAll();
  expect((await next).status).toBe(200);
  await expect.poll(() => shedCounts.reduce((sum, count) => sum + count, 0)).toBe(3);
});

test("When a client disconnects before its response, then its request counts until its work has ended", async () => {
  const { server, waiting, releaseAll } = await slowApp({ maxInFlight: 1 });
  const leaving = supertest(server).get("/");
  leaving.catch(() => undefined);
  leaving.then(undefined, () => undefined);
  await expect.poll(() => waiting.length).toBe(1);
  leaving.abort();
  await sleep(200);
  expect(load?.inFlight()).toBe(1);
  expectProblem(await supertest(server).get("/"), "unavailable");
  releaseAll();
  await expect.poll(() => load?.inFlight()).toBe(0);
});

const [ANN, BEN] = ["192.0.2.1", "192.0.2.2"];
type Ask = [path: string, from: string];

test.each<[what: string, Limits, first: Ask[], refused: [...Ask, number][], served: Ask[]]>([
  [
    // An IPv6 network counts as one address.
    "requests of one address",
    { perAddress: 3 },
    [1, 2, 3].map((host) => ["/", `2001:db8::${host}`]),
    [["/", "2001:db8::4", 429]],
    [["/", ANN]],
  ],
  [
    "whole lists",
    { lists: 3, listsPerAddress: 2 },
    [
      ["/tasks", ANN],
      ["/me/export", ANN],
      ["/tasks?limit=", BEN],
    ],
    [
      ["/tasks", ANN, 429],
      ["/tasks", BEN, 503],
    ],
    [["/tasks?limit=10", ANN]],
  ],
])("When the maximum of %s is in flight, then the next is refused, and others are served", async (...row) => {
  const [, limits, first, refused, served] = row;
  const { server, waiting, releaseAll } = await slowApp(limits);
  const ask = (path: string, from: string) => supertest(server).get(path).set("X-Forwarded-For", from);
  const held = first.map((each) => ask(...each).then());
  await expect.poll(() => waiting.length).toBe(first.length);
  for (const [path, from, status] of refused) {
    const response = await ask(path, from);
    expectProblem(response, status === 429 ? "too-many-requests" : "unavailable");
    expect(response.headers["retry-after"]).toBe("2");
  }
  held.push(...served.map((each) => ask(...each).then()));
  await expect.poll(() => waiting.length).toBe(first.length + served.length);
  expect(load?.overloaded()).toBe(false);
  releaseAll();
  for (const response of await Promise.all(held)) expect(response.status).toBe(200);
  await expect.poll(() => [load?.inFlight(), load?.lists()]).toEqual([0, 0]);
});

/** An app whose responses to `/file` and to whole lists are more than the network buffers hold. */
async function largeApp(limits: Limits) {
  load = createLoadShedder({ ...(limits && { limits }) });
  const app = express().set("trust proxy", 1).use(load.handler);
  const large = Buffer.alloc(30_000_000);
  app.get("/page", (_request, response) => void response.json("page"));
  app.get("/file", (_request, response) => void response.end(large));
  app.get("/tasks", (_request, response) => {
    response.status(200);
    Readable.from(Array(300).fill(large.subarray(0, 100_000))).pipe(response);
  });
  const { server, port } = await serving(app);

  /** Requests it and reads nothing, or steadily. */
  async function reader(path: string, from: string, isSteady = false) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined).pause();
    await once(socket, "connect");
    const reading = setInterval(() => isSteady && socket.read(), 10);
    // A paused socket does not notice that it was closed.
    const isCut = () => socket.resume().closed;
    onTestFinished(() => {
      clearInterval(reading);
      socket.destroy();
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${from}\r\n\r\n`);
    return { isCut };
  }
  const ask = (path: string, from: string) => supertest(server).get(path).set("X-Forwarded-For", from);
  return { reader, ask };
}

test("When clients read nothing of what they requested, then they take no place of others, and those of the address with most make way", async () => {
  const { reader, ask } = await largeApp({ maxInFlight: 3, perAddress: 3 });
  const other = await reader("/file", "192.0.2.9");
  await expect.poll(() => load?.inFlight()).toBe(1);
  const most = [await reader("/file", "192.0.2.1"), await reader("/file", "192.0.2.1")];
  await expect.poll(() => load?.inFlight()).toBe(3);
  expect(load?.overloaded()).toBe(false);
  for (const from of ["192.0.2.2", "192.0.2.3"]) await ask("/page", from).expect(200);
  expect(load?.inFlight()).toBe(2);
  await expect.poll(() => [other, ...most].filter(({ isCut }) => isCut())).toHaveLength(1);
  expect(other.isCut()).toBe(false);
});

test("When an address has its maximum of requests, then one that has stopped reading makes way for its next", async () => {
  const { reader, ask } = await largeApp({ perAddress: 2 });
  for (const _ of [1, 2]) await reader("/file", "192.0.2.1");
  await expect.poll(() => load?.inFlight()).toBe(2);
  await expect.poll(async () => (await ask("/page", "192.0.2.1")).status).toBe(200);
  expect(load?.inFlight()).toBe(1);
});

test("When the maximum of whole lists is being read, then one that its client has stopped reading makes way, and one that is read does not", async () => {
  const { reader, ask } = await largeApp({ lists: 2, listsPerAddress: 1 });
  const steady = await reader("/tasks", "192.0.2.1", true);
  const stopped = await reader("/tasks", "192.0.2.2");
  await expect.poll(() => load?.lists()).toBe(2);
  expectProblem(await ask("/tasks", "192.0.2.1"), "too-many-requests");
  expectProblem(await ask("/tasks", "192.0.2.3"), "unavailable");
  await expect.poll(async () => (await ask("/tasks", "192.0.2.3")).status).toBe(200);
  await expect.poll(stopped.isCut).toBe(true);
  expect([load?.lists(), steady.isCut()]).toEqual([1, false]);
});

test("When few addresses read the maximum of whole lists, then the next address gets the place of one of theirs", async () => {
  const { reader, ask } = await largeApp({ lists: 4, listsPerAddress: 2 });
  for (const from of ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2"]) await reader("/tasks", from, true);
  await expect.poll(() => load?.lists()).toBe(4);
  await ask("/tasks", "192.0.2.3").expect(200);
  expect(load?.lists()).toBe(3);
});
