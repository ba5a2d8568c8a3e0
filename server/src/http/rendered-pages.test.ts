import { getEventListeners } from "node:events";
import express from "express";
import { expect, test } from "vitest";
import { localFetch } from "./rendered-pages.ts";

const visitor = { socket: { remoteAddress: "203.0.113.7" }, headers: { "x-forwarded-for": "198.51.100.9" } };

function anApp() {
  const app = express();
  app.get("/json", (request, response) => {
    response.on("close", () => app.emit("closed", response.writableFinished));
    response.status(201).json({ ip: request.ip, query: request.query, has: request.headers.authorization });
  });
  app.get("/text", (_request, response) => {
    response.setHeader("X-Total-Count", 3);
    response.end("\u00e9t\u00e9", "latin1");
  });
  return app;
}

test("When a page calls the API, then the application responds as over the network, for the visitor's address and without a token", async () => {
  const app = anApp();
  const closed = new Promise((resolve) => app.once("closed", resolve));
  const send = localFetch(app, { ...visitor, headers: {} } as never);
  const response = await send("/json?a=1", { headers: { Authorization: "Bearer x" } });
  expect(response.status).toBe(201);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(await response.json()).toEqual({ ip: "203.0.113.7", query: { a: "1" } });
  // Logs and metrics would otherwise take it for cut off.
  expect(await closed).toBe(true);
  app.set("trust proxy", 1);
  const proxied = await localFetch(app, visitor as never)("/json");
  expect(await proxied.json()).toMatchObject({ ip: "198.51.100.9" });
});

test("When a response is sent as bytes, then they and the headers arrive unchanged; an unknown path is a 404", async () => {
  const send = localFetch(anApp(), visitor as never);
  const response = await send("/text");
  expect(response.headers.get("x-total-count")).toBe("3");
  expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from("\u00e9t\u00e9", "latin1"));
  expect((await send("/nothing")).status).toBe(404);
});

test("When a page's deadline passes, then the calls under way are closed, each once, and those before it are not closed again", async () => {
  const app = anApp();
  const closed: boolean[] = [];
  app.addListener("closed", (finished: boolean) => closed.push(finished));
  app.get("/hung", (_request, response) => {
    response.on("close", () => app.emit("closed", response.writableFinished));
  });
  const page = new AbortController();
  const send = localFetch(app, visitor as never);
  for (let calls = 0; calls < 12; calls++) await send("/json", { signal: page.signal });
  expect(getEventListeners(page.signal, "abort")).toEqual([]);
  void send("/hung", { signal: page.signal });
  page.abort();
  expect(closed).toEqual([...Array(12).fill(true), false]);
});
