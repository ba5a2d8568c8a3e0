import { expect, test } from "vitest";
import { coalesce } from "./coalesce.ts";

test("When calls come in a burst, then one run serves them all, and a call during that run gets a later one", async () => {
  const started: string[] = [];
  let finish = () => {};
  const call = coalesce(
    (key) => {
      started.push(key);
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    },
    { waitMs: 10 },
  );
  const burst = [call("a"), call("a"), call("a")];
  await expect.poll(() => started).toEqual(["a"]);
  let later = false;
  const after = call("a").then(() => {
    later = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(started).toEqual(["a"]);
  finish();
  await Promise.all(burst);
  expect(later).toBe(false);
  await expect.poll(() => started).toEqual(["a", "a"]);
  finish();
  await after;
});

test("When a run fails, then its callers' promises reject, and the next call starts a new run", async () => {
  let fails = true;
  const call = coalesce(
    async () => {
      if (fails) throw new Error("down");
    },
    { waitMs: 1 },
  );
  await expect(call("a")).rejects.toThrow("down");
  fails = false;
  await call("a");
});
