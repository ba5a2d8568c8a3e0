import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import { describeError } from "./http/request-log.ts";
import { startJobs } from "./schedule-periodic.ts";

test("When the work fails, then that is logged and the next time comes; stopped, it waits for what runs, then closes, and no time comes", async () => {
  const events: string[] = [];
  let times = 0;
  const work = async () => {
    times++;
    if (times === 1) throw new Error("down");
    await sleep(20);
    events.push(`done ${times}`);
  };
  const log = { warn: () => void events.push("failed") } as never;
  const jobs = startJobs([{ name: "work", everyMs: 1, work, close: () => events.push("closed") }], log);
  while (times < 2) await sleep(1);
  await jobs.stop();
  expect(events).toEqual(["failed", "done 2", "closed"]);
  await sleep(30);
  expect(times).toBe(2);
});

test("When several parts of the work fail, then the log says of each why", async () => {
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
