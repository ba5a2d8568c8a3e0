import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { tryLock, withLock } from "./lock.ts";

test("When a running process holds the lock, then others get its id and name until it is released", () => {
  const file = join(temporaryFolder(), "a", "lock");
  const lock = tryLock(file, "npm start");
  if (!("release" in lock)) throw new Error("not locked");
  expect(tryLock(file)).toEqual({ heldBy: process.pid, name: "npm start" });
  lock.release();
  expect(tryLock(file)).toHaveProperty("release");
});

test.each([
  ["is dead", JSON.stringify({ pid: 2 ** 22 + 1 })],
  ["is another process with the same id", JSON.stringify({ pid: process.pid, started: "1" })],
  ["left a broken file", ""],
])("When the holder %s, then the lock is taken over", (_case, content) => {
  const file = join(temporaryFolder(), "lock");
  writeFileSync(file, content);
  expect(tryLock(file)).toHaveProperty("release");
});

test("When two tasks use the same lock, then one runs after the other", async () => {
  const file = join(temporaryFolder(), "lock");
  const order: string[] = [];
  const work = (name: string) =>
    withLock(file, async () => {
      order.push(`${name} begins`);
      await new Promise((done) => setTimeout(done, 20));
      order.push(`${name} ends`);
    });
  await Promise.all([work("a"), work("b")]);
  expect(order[1]?.[0]).toBe(order[0]?.[0]);
});
