import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
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
