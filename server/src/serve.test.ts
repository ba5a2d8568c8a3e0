import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { networkInterfaces } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { RequestHandler, Response } from "express";
import { MongoClient } from "mongodb";
import { afterAll, expect, test } from "vitest";
import { testFirebase, testUri } from "../test/harness.ts";
import { BUILT_SERVER } from "../test/server-process.ts";
import { freePort } from "../tools/lib/ports.ts";
import { productEnv } from "../tools/lib/product-env.ts";
import { buildServer } from "../tools/start/build-product.ts";
import { type Config, loadConfig } from "./config.ts";
import { serve } from "./serve.ts";

const dbName = `test-${randomUUID()}`;
const { emulatorHost, projectId } = testFirebase();
const config: Config = {
  ...loadConfig({
    MONGODB_URI: testUri(),
    FIREBASE_AUTH_EMULATOR_HOST: emulatorHost,
    FIREBASE_PROJECT_ID: projectId,
    PORT: "0",
    LOG_LEVEL: "silent",
  }),
  mongodb: { uri: testUri(), dbName },
};
const addresses = Object.values(networkInterfaces()).flat();
const outside = addresses.find((address) => address?.family === "IPv4" && !address.internal);

afterAll(() => dropDatabase(dbName));

async function dropDatabase(name: string): Promise<void> {
  const client = await MongoClient.connect(testUri());
  await client.db(name).dropDatabase();
  await client.close();
}

test("When the server starts, then localhost responds over IPv4 and IPv6 and the indexes exist, and close frees the port", async () => {
  const metrics = { host: "127.0.0.1", port: await freePort() };
  const server = await serve({ ...config, metrics });
  try {
    const hosts = ["127.0.0.1", "localhost"];
    if (addresses.some((address) => address?.address === "::1")) hosts.push("[::1]");
    for (const host of hosts) {
      const response = await fetch(`http://${host}:${server.port}/health`);
      expect(await response.json()).toEqual({ status: "ok" });
    }
    const text = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text();
    for (const gauge of ["connections_open", "requests_in_flight", "mongo_pool_open", "change_feed_live"])
      expect(text).toMatch(new RegExp(`^tasklane_${gauge} \\d+$`, "m"));
    const client = await MongoClient.connect(testUri());
    const indexes = await client.db(dbName).collection("bids").indexes();
    await client.close();
    expect(indexes).toContainEqual(
      expect.objectContaining({ key: { taskId: 1, bidderId: 1 }, unique: true }),
    );
  } finally {
    await server.close();
  }
  await expect(fetch(`${server.url}/health`)).rejects.toThrow("fetch failed");
});

test.skipIf(!outside)(
  "When an emulator is configured, then other machines cannot reach the server",
  async () => {
    const server = await serve(config);
    try {
      await expect(fetch(`http://${outside?.address}:${server.port}/health`)).rejects.toThrow("fetch failed");
    } finally {
      await server.close();
    }
  },
);

test("When the port is in use, then the error message says what to do", async () => {
  const server = await serve(config);
  try {
    await expect(serve({ ...config, port: server.port })).rejects.toThrow(
      `Port ${server.port} is in use by another program`,
    );
  } finally {
    await server.close();
  }
});

test("When the maximum number of requests is in flight, then /ready responds 503 like any request, until they complete", async () => {
  const held: (() => void)[] = [];
  const hold: RequestHandler = (request, response, next) => {
    if (request.url === "/api-docs/start.js?held") {
      const end = response.end.bind(response) as (body: unknown) => Response;
      response.end = (body?: unknown) => {
        // Requests that a slow machine shed are not in flight.
        if (response.statusCode !== 200) return end(body);
        held.push(() => end(body));
        return response;
      };
    }
    next();
  };
  const server = await serve({ ...config, trustProxy: 1 }, { earlyMiddleware: [hold] });
  const status = async (path: string, from = "192.0.2.1") => {
    const response = await fetch(server.url + path, { headers: { "X-Forwarded-For": from } });
    return [response.status, await response.text()];
  };
  try {
    const inFlight = Array.from({ length: 300 }, async (_, count) => {
      while ((await status("/api-docs/start.js?held", `192.0.2.${count % 10}`))[0] === 503) await sleep(100);
    });
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(300);
    expect((await status("/tasks?limit=1"))[0]).toBe(503);
    const [ready, body] = await status("/ready");
    expect([ready, JSON.parse(String(body))]).toMatchObject([
      503,
      // The database may be too busy for its ping.
      { status: "not-ready", failing: expect.arrayContaining(["load"]) },
    ]);
    for (const release of held.splice(0)) release();
    await Promise.all(inFlight);
    await expect.poll(async () => (await status("/ready"))[0], { timeout: 5_000 }).toBe(200);
    expect((await status("/tasks?limit=1"))[0]).toBe(200);
  } finally {
    for (const release of held) release();
    await server.close();
  }
});

test("When the process starts with an invalid configuration, then it prints one readable message and exits with 1", async () => {
  await buildServer();
  const env = productEnv({ MONGODB_URI: "nonsense", PORT: "-1", FIREBASE_PROJECT_ID: "my-project" });
  const { code, stderr } = await promisify(execFile)(process.execPath, [BUILT_SERVER], { env }).catch(
    (failure) => failure,
  );
  expect(code).toBe(1);
  const [first, ...mistakes] = stderr.trimEnd().split("\n");
  expect(first).toMatch(/^Tasklane cannot start/);
  expect(mistakes.sort()).toEqual([
    expect.stringMatching(/^ {2}- MONGODB_URI /),
    expect.stringMatching(/^ {2}- PORT /),
  ]);
});
