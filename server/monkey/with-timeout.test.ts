import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { withTimeout } from "./with-timeout.ts";

test("When work ends in time, then its result is returned, and its error is thrown", async () => {
  expect(await withTimeout(sleep(5, "done"), 5_000)).toBe("done");
  await expect(withTimeout(Promise.reject(new Error("broken")), 5_000)).rejects.toThrow("broken");
});

test("When work never ends, then it times out", async () => {
  await expect(withTimeout(new Promise(() => undefined), 20)).rejects.toThrow("no response within 0.02 s");
});
