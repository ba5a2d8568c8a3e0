import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { signUp, testFirebase, testUri } from "../test/index.ts";
import { type ServerProcess, startServer } from "../test/server-process.ts";
import { buildServer } from "../tools/start/build-product.ts";

const { emulatorHost, projectId } = testFirebase();
const uri = new URL(testUri());
uri.pathname = `/test-${randomUUID()}`;
const SETTINGS = {
  MONGODB_URI: uri.href,
  FIREBASE_AUTH_EMULATOR_HOST: emulatorHost,
  FIREBASE_PROJECT_ID: projectId,
};

let loaded: ServerProcess;
let stream: Response;
let buggy: ServerProcess;
// One process per test. They start here, one after the other, because start-up is not what is tested.
beforeAll(async () => {
  await buildServer();
  // The delay is long enough for a busy machine to observe the phase between the 503 of /ready and the end. Rate limits
  // are off because a fast machine would exceed them.
  loaded = await startServer({ ...SETTINGS, STOP_DELAY_MS: "3000", RATE_LIMITS: "off" });
  const { token } = await signUp();
  // The first signed-in request loads Firebase Admin. A busy machine may not have done so at the request's deadline,
  // and as clients do, this tries again.
  await vi.waitFor(
    async () => {
      stream = await fetch(`${loaded.url}/me/events`, { headers: { Authorization: `Bearer ${token}` } });
      expect(stream.status).toBe(200);
    },
    { timeout: 50_000 },
  );
  const bugs = `process.on("SIGUSR2", () => { Promise.reject(new Error("unhandled bug")); });
    process.on("SIGHUP", () => { throw new Error("uncaught bug"); });`;
  const preload = ["--import", `data:text/javascript,${encodeURIComponent(bugs)}`];
  buggy = await startServer(SETTINGS, { preload });
}, 120_000);
afterAll(async () => {
  for (const started of [loaded, buggy]) started?.child.kill("SIGKILL");
  const client = await MongoClient.connect(uri.href);
  await client.db().dropDatabase();
  await client.close();
});

/** A client that keeps its connection alive and sends requests until the connection is refused. */
async function requestUntilRefused(url: string, statuses: number[], failures: string[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (;;) {
    const outcome = await new Promise<number | string>((resolve) => {
      const request = get(`${url}/tasks/featuretasks`, { agent }, (response) => {
        response.on("error", () => resolve("cut"));
        response.on("end", () => resolve(response.complete ? (response.statusCode ?? 0) : "cut"));
        response.resume();
      });
      request.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
    if (outcome === "ECONNREFUSED") return;
    if (typeof outcome === "string") failures.push(outcome);
    else statuses.push(outcome);
    if (failures.length > 10) return;
  }
}

test("When SIGTERM arrives under load, then /ready fails first, no request is cut off, streams end, and the process exits by itself", async () => {
  const { child, url } = loaded;
  const statuses: number[] = [];
  const failures: string[] = [];
  const streamEnds = stream.text();
  const clients = Array.from({ length: 8 }, () => requestUntilRefused(url, statuses, failures));
  await sleep(500);

  child.kill("SIGTERM");
  await expect.poll(async () => (await fetch(`${url}/ready`)).status).toBe(503);
  const before = statuses.length;
  expect((await fetch(`${url}/health`)).status).toBe(200);
  await expect.poll(() => statuses.length).toBeGreaterThan(before + 10);
  await streamEnds;
  await Promise.all(clients);
  const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
  // A shutdown that takes ten seconds is aborted with 1.
  expect(code).toBe(0);
  expect(failures).toEqual([]);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test("When a rejection is unhandled, then it is logged and the process lives; when an exception is uncaught, then the process drains and exits", async () => {
  const { child, url, output } = buggy;
  child.kill("SIGUSR2");
  await expect.poll(output).toContain("unhandled bug");
  expect((await fetch(`${url}/tasks?limit=1`)).status).toBe(200);
  child.kill("SIGHUP");
  const [code] = await once(child, "exit");
  expect(code).toBe(1);
  expect(output()).toContain("uncaught bug");
});
