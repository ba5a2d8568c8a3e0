import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import { describeError } from "./http/request-log.ts";
import { startJobs } from "./schedule-periodic.ts";

test("When a run fails, then it is logged and the next one follows; stop waits for the current run, closes, and no run follows", async () => {
  const events: string[] = [];
  let runs = 0;
  const work = async () => {
    runs++;
    if (runs === 1) throw new Error("down");
    await sleep(20);
    events.push(`done ${runs}`);
  };
  const log = { warn: () => void events.push("failed") } as never;
  const jobs = startJobs([{ name: "work", everyMs: 1, work, close: () => events.push("closed") }], log);
  while (runs < 2) await sleep(1);
  await jobs.stop();
  expect(events).toEqual(["failed", "done 2", "closed"]);
  await sleep(30);
  expect(runs).toBe(2);
});

test("When several parts of a run fail, then the log contains the error of each", async () => {
  const lines: string[] = [];
  const serializers = { err: (error: unknown) => describeError(error) };
  const logger = pino({ serializers }, { write: (line) => void lines.push(line) });
  const failures = [new Error("the database is away"), new TypeError("no such step")];
  const work = () => Promise.reject(new AggregateError(failures, "some could not be erased yet"));
  const jobs = startJobs([{ name: "work", everyMs: 10_000, firstMs: 1, work }], logger);
  while (lines.length === 0) await sleep(1);
  await jobs.stop();
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    work: "work",
    err: {
      message: "some could not be erased yet",
      errors: [
        { type: "Error", message: "the database is away" },
        { type: "TypeError", message: "no such step" },
      ],
    },
  });
});
