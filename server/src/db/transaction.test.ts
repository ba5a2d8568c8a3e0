import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { manyTasks, useHarness } from "../../test/index.ts";
import { keyedMutex } from "./transaction.ts";

const harness = useHarness();

test("When several callers use the same key, then they run one at a time, in order, even after a failure; others do not wait", async () => {
  const runExclusive = keyedMutex();
  const seen: string[] = [];
  const work =
    (name: string, fails = false) =>
    async () => {
      seen.push(`${name} begins`);
      await sleep(5);
      seen.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const results = await Promise.allSettled([
    runExclusive("a", work("1")),
    runExclusive("a", work("2", true)),
    runExclusive("b", work("other")),
    runExclusive("a", work("3")),
    runExclusive("a", work("4")),
  ]);
  expect(results.map((result) => (result.status === "fulfilled" ? result.value : "failed"))).toEqual([
    "1",
    "failed",
    "other",
    "3",
    "4",
  ]);
  expect(seen.filter((line) => !line.startsWith("other"))).toEqual(
    ["1", "2", "3", "4"].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
  expect(seen.indexOf("other begins")).toBeLessThan(seen.indexOf("1 ends"));
});

test("When a large insert is running, then a transaction reads what could be read before it began", async () => {
  const { tasks, transaction } = harness.database;
  const task = await harness.insertTask({});
  let isRunning = true;
  const inserting = (async () => {
    while (isRunning) await tasks.insertMany(manyTasks(500));
  })();
  const { _id } = task;
  for (let bidsCount = 1; bidsCount <= 10; bidsCount++) {
    const write = tasks.updateOne({ _id }, { $set: { bidsCount } });
    // Anybody sees it before it is confirmed.
    await expect.poll(async () => (await tasks.findOne({ _id }))?.bidsCount, { interval: 1 }).toBe(bidsCount);
    expect((await transaction(() => tasks.findOne({ _id })))?.bidsCount).toBe(bidsCount);
    await write;
  }
  isRunning = false;
  await inserting;
});
