import { connect } from "node:net";
import express from "express";
import { expect, test, vi } from "vitest";
import { serving } from "../../test/serving.ts";
import { type EventStream, openEventStream } from "./event-stream.ts";

/** A client that requests the stream and reads nothing. */
async function stuckReader(maxUnread?: number): Promise<EventStream> {
  let stream: EventStream | undefined;
  const app = express().get("/", (request, response) => {
    stream = openEventStream(request, response, maxUnread === undefined ? {} : { maxUnread });
  });
  const { port } = await serving(app);
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  return vi.waitUntil(() => stream, { timeout: 5_000 });
}

const LONG = "x".repeat(100_000);

test("When a client reads nothing, then it is disconnected before its events take much memory", async () => {
  const stream = await stuckReader();
  let over = false;
  stream.onClose(() => {
    over = true;
  });
  let events = 0;
  // The operating system buffers some megabytes first.
  while (stream.isOpen && events < 500) {
    stream.send("notification", LONG);
    events++;
    await new Promise(setImmediate);
  }
  expect(stream.isOpen).toBe(false);
  await vi.waitUntil(() => over, { timeout: 5_000 });
});

test("When a client has not read everything by the next heartbeat, then it is disconnected", async () => {
  const stream = await stuckReader(100_000_000);
  while (stream.isOpen) {
    for (let event = 0; event < 100; event++) stream.send("notification", LONG);
    await new Promise(setImmediate);
    stream.beat();
    await new Promise(setImmediate);
  }
  expect(stream.isOpen).toBe(false);
});

test("When a stream is closed and its client reads nothing, then the connection ends anyway", async () => {
  const stream = await stuckReader(100_000_000);
  let over = false;
  stream.onClose(() => {
    over = true;
  });
  for (let event = 0; event < 100; event++) stream.send("notification", LONG);
  stream.close();
  expect(stream.isOpen).toBe(false);
  await vi.waitUntil(() => over, { timeout: 6_000 });
});
