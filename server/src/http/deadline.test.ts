import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import express, { type RequestHandler } from "express";
import { pino } from "pino";
import supertest from "supertest";
import { beforeEach, expect, test } from "vitest";
import { expectProblem, serving } from "../../test/index.ts";
import { requestLog } from "./monitoring.ts";
import { withDeadline } from "./mount.ts";
import { problemHandler } from "./problem.ts";
import { readJsonBody } from "./request-input.ts";

const log: string[] = [];
const logger = pino({ level: "warn" }, { write: (line) => void log.push(line) });
beforeEach(() => {
  log.length = 0;
});

function appOf(handler: RequestHandler) {
  const app = express().use(requestLog(logger));
  app.get("/", (request, response, next) =>
    withDeadline(100, request, response, next, async () => void (await handler(request, response, next))),
  );
  return app.use(problemHandler);
}

test("When the client's body does not arrive in time, then the response is 408 and no error is logged", async () => {
  const app = express().use(requestLog(logger));
  app.post("/", (request, response, next) =>
    withDeadline(100, request, response, next, () => readJsonBody(request, response)),
  );
  const { port } = await serving(app.use(problemHandler));
  const socket = connect(port, "127.0.0.1");
  socket.write(
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"a":',
  );
  const [received] = await once(socket, "data");
  socket.destroy();
  expect(String(received)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n.*"too-slow"/s);
  expect(log.join()).not.toContain('"level":50');
});

test("When the work finishes or fails after the deadline, then that is only logged as a warning", async () => {
  const handlers: RequestHandler[] = [
    async (_request, response) => {
      await sleep(200);
      response.json("late");
    },
    async () => {
      await sleep(200);
      throw new Error("the database is gone");
    },
  ];
  for (const handler of handlers) {
    log.length = 0;
    expectProblem(await supertest(appOf(handler)).get("/"), "unavailable");
    await expect.poll(() => log.length).toBe(2);
    expect(log[1]).toContain("ended after its response was due");
    expect(log.join()).not.toContain('"internal"');
  }
});

test("When a response has begun before the deadline, then it may take any time to finish", async () => {
  const app = appOf(async (_request, response) => {
    response.write("first ");
    await sleep(200);
    response.end("last");
  });
  expect((await supertest(app).get("/").expect(200)).text).toBe("first last");
});
