import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { inTime } from "./in-time.ts";

test("When work ends in time, then its result is returned, and its error is thrown", async () => {
  expect(await inTime(sleep(5, "done"), 5_000)).toBe("done");
  await expect(inTime(Promise.reject(new Error("broken")), 5_000)).rejects.toThrow("broken");
});

test("When work never ends, then it is given up", async () => {
  await expect(inTime(new Promise(() => undefined), 20)).rejects.toThrow("no response within 0.02 s");
});
