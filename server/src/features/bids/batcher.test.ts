import { expect, test, vi } from "vitest";
import { createBatcher } from "./batcher.ts";

test("When calls arrive while a batch is running, then they form the next batches, up to the maximum size, and each gets its own result", async () => {
  const batches: number[][] = [];
  const double = createBatcher<number, number>(
    async (items) => {
      batches.push([...items]);
      await Promise.resolve();
      return items.map((item) => (item === 5 ? new Error("five") : item * 2));
    },
    { maxSize: 3, maxDelayMs: 1 },
  );
  const settled = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(double));
  expect(settled.map((each) => (each.status === "fulfilled" ? each.value : each.reason.message))).toEqual([
    2,
    4,
    6,
    8,
    "five",
    12,
  ]);
  expect(batches).toEqual([[1], [2, 3, 4], [5, 6]]);
  expect(await double(7)).toBe(14);
});

test("When a batch served several callers, then the next one waits briefly for as many; a single caller waits once at most", async () => {
  vi.useFakeTimers();
  try {
    const batches: number[] = [];
    const go = createBatcher<number, number>(
      async (items) => {
        batches.push(items.length);
        return items;
      },
      { maxSize: 9, maxDelayMs: 3 },
    );
    const round = (count: number) => Array.from({ length: count }, (_, at) => go(at));
    const first = round(4);
    await vi.advanceTimersByTimeAsync(2);
    // The caller who was just served may come back, so the batch waits for it.
    expect(batches).toEqual([1]);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all(first);
    expect(batches).toEqual([1, 3]);
    // One after another, at different moments.
    const later = round(2);
    await vi.advanceTimersByTimeAsync(2);
    expect(batches).toHaveLength(2);
    await Promise.all([...later, ...round(1)]);
    expect(batches).toEqual([1, 3, 3]);

    const alone = go(1);
    await vi.advanceTimersByTimeAsync(3);
    await alone;
    await go(1);
    expect(batches).toEqual([1, 3, 3, 1, 1]);
  } finally {
    vi.useRealTimers();
  }
});

test("When a batch fails as a whole, then all of its callers get the error, and later batches run", async () => {
  let fails = true;
  const go = createBatcher<string, string>(
    async (items) => {
      if (fails) throw new Error("down");
      return items;
    },
    { maxSize: 10, maxDelayMs: 1 },
  );
  await expect(go("a")).rejects.toThrow("down");
  fails = false;
  expect(await go("b")).toBe("b");
});
