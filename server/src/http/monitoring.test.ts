import express from "express";
import supertest from "supertest";
import { expect, test } from "vitest";
import { ListenError } from "./listen.ts";
import { createMetrics, serveMetrics } from "./monitoring.ts";

test("When requests were served, then each route has its rate, errors and duration, and paths are not labels", async () => {
  const metrics = createMetrics();
  const app = express().use(metrics.handler);
  app.get("/tasks/:id", (request, response) => {
    response.status(request.params.id === "gone" ? 404 : 200).json({});
  });
  for (const path of ["/tasks/1", "/tasks/2", "/tasks/gone", "/secret-path"]) await supertest(app).get(path);
  app.get("/cut", (request) => request.socket.destroy());
  await supertest(app).post("/tasks/1");
  await expect(supertest(app).get("/cut")).rejects.toThrow("socket hang up");
  metrics.watch({ event_streams: { help: "Event streams that are open", read: () => 7 } });
  const own = await serveMetrics(metrics, { port: 0, host: "127.0.0.1" });
  const response = await fetch(`http://127.0.0.1:${own.port}/metrics`);
  const text = await response.text();
  expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
  const count = (labels: string) => {
    return text
      .split("\n")
      .find((line) => line.startsWith(`tasklane_http_request_duration_seconds_count{${labels}}`));
  };
  expect(count('method="GET",route="/tasks/:id",status="200"')).toMatch(/ 2$/);
  expect(count('method="GET",route="/tasks/:id",status="404"')).toMatch(/ 1$/);
  expect(count('method="GET",route="none",status="404"')).toMatch(/ 1$/);
  expect(text).not.toContain("secret-path");
  expect(text).toMatch(/^tasklane_\w*cut\w* 1$/m);
  expect(text).toMatch(/^tasklane_event_streams 7$/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
  expect(text).toMatch(/^process_resident_memory_bytes /m);
  expect((await fetch(`http://127.0.0.1:${own.port}/`)).status).toBe(404);
  await expect(serveMetrics(metrics, { port: own.port, host: "127.0.0.1" })).rejects.toThrow(
    new ListenError(
      `Port ${own.port} is in use by another program: stop that program, or set METRICS_PORT to another number.`,
    ),
  );
  await own.close();
  await expect(fetch(`http://127.0.0.1:${own.port}/metrics`)).rejects.toThrow("fetch failed");
});
