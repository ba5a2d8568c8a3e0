import express from "express";
import supertest from "supertest";
import { expect, test } from "vitest";
import { healthRoutes } from "./health.ts";

test("When the database hangs, then health says so within about two seconds", async () => {
  const app = express().use(healthRoutes(() => new Promise(() => undefined)));
  const started = performance.now();
  const answer = await supertest(app).get("/health").expect(503);
  expect(answer.body).toEqual({ status: "degraded", database: "down" });
  expect(performance.now() - started).toBeLessThan(3_000);
});
