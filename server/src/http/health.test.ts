import express from "express";
import supertest from "supertest";
import { expect, test } from "vitest";
import { expectProblem, NO_JOBS } from "../../test/index.ts";
import { mountHealth } from "./health.ts";
import { createApi } from "./mount.ts";
import { probeLimit } from "./overload.ts";

const never = () => new Promise<never>(() => undefined);

/** Only the two health endpoints, which use nothing else of the API; by default all is well. */
function healthApp(options: Partial<Parameters<typeof mountHealth>[1]> = {}) {
  const api = createApi({
    verifier: { verify: never },
    idempotency: never,
    admit: never,
    jobs: NO_JOBS,
    deadlineMs: 1_000,
  });
  mountHealth(api, { ping: async () => undefined, isStopping: () => false, ...options });
  return express().use(api.router);
}

test("When the database hangs, then /ready does not wait for it and fails, and /health succeeds", async () => {
  const app = healthApp({ ping: never });
  const response = await supertest(app).get("/ready").expect(503);
  expect(response.body).toEqual({ status: "not-ready", failing: ["database"], writes: "unchecked" });
  expect(response.headers["retry-after"]).toBe("2");
  await supertest(app).get("/health").expect(200, { status: "ok" });
});

test("When the server shuts down, then it is not ready although the database responds", async () => {
  const app = healthApp({ isStopping: () => true });
  await supertest(app).get("/ready").expect(503, { status: "stopping", failing: [], writes: "unchecked" });
});

test("When a check other than the database fails, then the server is not ready and names it", async () => {
  const load = { name: "load", isReady: () => false };
  const checks = [{ name: "preparation", isReady: () => true }, load];
  const app = healthApp({ checks });
  await supertest(app)
    .get("/ready")
    .expect(503, { status: "not-ready", failing: ["load"], writes: "unchecked" });
  load.isReady = () => true;
  await supertest(app).get("/ready").expect(200, { status: "ready", failing: [], writes: "unchecked" });
});

test("When /ready is polled often, in parallel and in sequence, then the database is pinged at most twice a second", async () => {
  let pings = 0;
  const ping = async () => void pings++;
  const server = healthApp({ ping }).listen(0);
  const started = performance.now();
  await Promise.all(Array.from({ length: 20 }, () => supertest(server).get("/ready").expect(200)));
  for (let more = 0; more < 20; more++) await supertest(server).get("/ready").expect(200);
  const halfSeconds = Math.ceil((performance.now() - started) / 500);
  server.close();
  expect(pings).toBeLessThanOrEqual(halfSeconds);
});

test("When an address polls too often, then it waits a second for a 429, and others are served immediately", async () => {
  const app = express()
    .set("trust proxy", 1)
    .use(probeLimit({ points: 3 }));
  app.use(healthApp());
  app.get("/tasks", (_request, response) => void response.json([]));
  const ask = (from: string, path = "/ready") => supertest(app).get(path).set("X-Forwarded-For", from);
  for (let count = 0; count < 3; count++) await ask("192.0.2.1").expect(200);
  const started = performance.now();
  const refused = ["/ready", "/READY/", "/health"].map((path) => ask("192.0.2.1", path).then());
  await ask("192.0.2.2").expect(200);
  await ask("192.0.2.1", "/tasks").expect(200);
  for (const response of await Promise.all(refused)) {
    expectProblem(response, "too-many-requests");
    expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
  }
  expect(performance.now() - started).toBeGreaterThanOrEqual(990);
});

test("When the identity provider refuses our credentials, then the server is ready, but says that writes cannot be checked", async () => {
  for (const [pingProvider, writes] of [
    [async () => undefined, "checked"],
    [() => Promise.reject(new Error("no such key")), "unavailable"],
  ] as const) {
    await supertest(healthApp({ pingProvider }))
      .get("/ready")
      .expect(200, { status: "ready", failing: [], writes });
  }
});
