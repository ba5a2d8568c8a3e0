import { expect, test } from "vitest";
import { coalesce } from "./coalesce.ts";

test("When calls come in a burst, then one piece of work serves them, and a call while it runs gets a later one", async () => {
  const begun: string[] = [];
  let finish = () => {};
  const call = coalesce(
    (key) => {
      begun.push(key);
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    },
    { waitMs: 10 },
  );
  const burst = [call("a"), call("a"), call("a")];
  await expect.poll(() => begun).toEqual(["a"]);
  let later = false;
  const after = call("a").then(() => {
    later = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(begun).toEqual(["a"]);
  finish();
  await Promise.all(burst);
  expect(later).toBe(false);
  await expect.poll(() => begun).toEqual(["a", "a"]);
  finish();
  await after;
});

test("When work fails, then its callers learn it, and the next call works anew", async () => {
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
