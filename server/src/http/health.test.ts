import express from "express";
import supertest from "supertest";
import { expect, test } from "vitest";
import { healthRoutes } from "./health.ts";

const never = () => new Promise<void>(() => undefined);

test("When the database hangs, then the server is not ready, within about two seconds, and lives", async () => {
  const app = express().use(healthRoutes({ ping: never, isStopping: () => false }));
  const started = performance.now();
  const answer = await supertest(app).get("/ready").expect(503);
  expect(answer.body).toEqual({ status: "not-ready", database: "down" });
  expect(answer.headers["retry-after"]).toBe("2");
  expect(performance.now() - started).toBeLessThan(3_000);
  await supertest(app).get("/health").expect(200, { status: "ok" });
});

test("When the server stops, then it is not ready although the database answers", async () => {
  const app = express().use(healthRoutes({ ping: async () => undefined, isStopping: () => true }));
  await supertest(app).get("/ready").expect(503, { status: "stopping", database: "up" });
});

test("When many ask at once, then the database is asked once", async () => {
  let asked = 0;
  const ping = async () => {
    asked++;
    await new Promise((resolve) => setTimeout(resolve, 200));
  };
  const app = express().use(healthRoutes({ ping, isStopping: () => false }));
  const server = app.listen(0);
  await Promise.all(Array.from({ length: 20 }, () => supertest(server).get("/ready").expect(200)));
  server.close();
  // Who comes after the answer asks again.
  expect(asked).toBeLessThan(5);
});
