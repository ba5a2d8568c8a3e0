import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import express from "express";
import { pino } from "pino";
import supertest from "supertest";
import { afterEach, expect, test } from "vitest";
import { serving } from "../../test/serving.ts";
import { requestLog } from "./monitoring.ts";
import { problemHandler } from "./problem.ts";
import { streamJsonArray } from "./response-body.ts";

const log: string[] = [];
const logger = pino({ level: "warn" }, { write: (line) => void log.push(line) });
afterEach(() => {
  log.length = 0;
});

function appOf(chunks: () => AsyncIterable<unknown[]>) {
  const app = express();
  app.use(requestLog(logger));
  app.get("/", (request, response) => streamJsonArray(request, response, chunks()));
  return app.use(problemHandler);
}

/** Starts reading, and stops after the first bytes. */
async function startReading(chunks: () => AsyncIterable<unknown[]>): Promise<IncomingMessage> {
  const { url } = await serving(appOf(chunks));
  const request = get(url);
  request.on("error", () => undefined);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.on("error", () => undefined);
  await once(response, "readable");
  return response;
}

async function* of(...chunks: unknown[][]) {
  yield* chunks;
}

test("When there are several chunks, some of them empty, then they form one array", async () => {
  const cases: [unknown[][], unknown[]][] = [
    [[], []],
    [[[]], []],
    [[[1]], [1]],
    [
      [[], [{ a: "]" }, 2], [], [[]], []],
      [{ a: "]" }, 2, []],
    ],
  ];
  for (const [chunks, whole] of cases) {
    const plain = await supertest(appOf(() => of(...chunks)))
      .get("/")
      .set("Accept-Encoding", "identity");
    expect(plain.body).toEqual(whole);
    expect(plain.headers["content-type"]).toBe("application/json; charset=utf-8");
    const packed = await supertest(appOf(() => of(...chunks))).get("/");
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(packed.body).toEqual(whole);
  }
});

test("When many lists are sent at the same time, then each iteration of the event loop produces a chunk of only one", async () => {
  let iteration = 0;
  const counting = new AbortController();
  const count = () => {
    iteration++;
    if (!counting.signal.aborted) setImmediate(count);
  };
  count();
  const producedIn: number[] = [];
  const app = appOf(async function* () {
    for (let chunk = 0; chunk < 5; chunk++) {
      // The first chunks are all produced in the same iteration.
      if (chunk > 0) producedIn.push(iteration);
      yield [chunk];
    }
  });
  const lists = await Promise.all(Array.from({ length: 8 }, () => supertest(app).get("/")));
  counting.abort();
  for (const { body } of lists) expect(body).toEqual([0, 1, 2, 3, 4]);
  expect(new Set(producedIn).size).toBe(8 * 4);
});

const LARGE = "x".repeat(100_000);

test("When the client does not read, then only as many chunks are produced as buffers hold; when it disconnects, production ends", async () => {
  let produced = 0;
  let ended = false;
  const response = await startReading(async function* () {
    try {
      for (; produced < 1_000; produced++) yield [LARGE];
    } finally {
      ended = true;
    }
  });
  const producedMeanwhile = async () => {
    const before = produced;
    await sleep(100);
    return produced - before;
  };
  await expect.poll(producedMeanwhile).toBe(0);
  expect(produced).toBeLessThan(200);
  response.destroy();
  await expect.poll(() => ended).toBe(true);
  expect(produced).toBeLessThan(1_000);
  expect(log).toEqual([]);
});

test("When a chunk fails in the middle, then the connection is cut and the array does not end", async () => {
  const response = await startReading(async function* () {
    yield [1];
    throw new Error("the database went away");
  });
  let text = "";
  response.on("data", (bytes) => {
    text += bytes;
  });
  await new Promise((resolve) => response.once("close", resolve));
  expect(response.complete).toBe(false);
  expect(text).toBe("[1");
  expect(log.join()).toContain("the database went away");
});

test("When the request is HEAD, then the headers are sent and no chunk is produced", async () => {
  let produced = 0;
  const app = appOf(async function* () {
    produced++;
    yield [1];
  });
  const response = await supertest(app).head("/").expect(200);
  expect(response.headers["content-type"]).toContain("application/json");
  expect(produced).toBe(0);
});

test("When middleware listens for the end of the response too, then Node does not warn of a leak", async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
  process.on("warning", warned);
  const app = express();
  app.use((_request, response, next) => {
    for (let waiting = 0; waiting < 6; waiting++) response.once("close", () => undefined);
    next();
  });
  await supertest(app.use(appOf(() => of([1])))).get("/");
  process.off("warning", warned);
  expect(warnings).toEqual([]);
});
