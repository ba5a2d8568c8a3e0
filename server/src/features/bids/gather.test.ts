import { expect, test, vi } from "vitest";
import { gathering } from "./gather.ts";

test("When callers come while a group is under way, then they go together next, at most so many, and each gets their own answer", async () => {
  const groups: number[][] = [];
  const double = gathering<number, number>(
    async (group) => {
      groups.push(group.map(({ item }) => item));
      await Promise.resolve();
      for (const { item, resolve } of group) resolve(item * 2);
    },
    { most: 3, patienceMs: 1 },
  );
  expect(await Promise.all([1, 2, 3, 4, 5, 6].map(double))).toEqual([2, 4, 6, 8, 10, 12]);
  expect(groups).toEqual([[1], [2, 3, 4], [5, 6]]);
  expect(await double(7)).toBe(14);
});

test("When others went or waited, then the next group waits for as many, but not for long; and who comes alone waits once at most", async () => {
  vi.useFakeTimers();
  try {
    const groups: number[] = [];
    const go = gathering<number, void>(
      async (group) => {
        groups.push(group.length);
        for (const { resolve } of group) resolve();
      },
      { most: 9, patienceMs: 3 },
    );
    const round = (count: number) => Array.from({ length: count }, (_, at) => go(at));
    const first = round(4);
    await vi.advanceTimersByTimeAsync(2);
    // The one who was answered may come back: it is waited for.
    expect(groups).toEqual([1]);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all(first);
    expect(groups).toEqual([1, 3]);
    // One after another, at different moments.
    const later = round(2);
    await vi.advanceTimersByTimeAsync(2);
    expect(groups).toHaveLength(2);
    await Promise.all([...later, ...round(1)]);
    expect(groups).toEqual([1, 3, 3]);

    const alone = go(1);
    await vi.advanceTimersByTimeAsync(3);
    await alone;
    await go(1);
    expect(groups).toEqual([1, 3, 3, 1, 1]);
  } finally {
    vi.useRealTimers();
  }
});

test("When a group fails as a whole, then each of it learns that, and the next ones go on", async () => {
  let fails = true;
  const go = gathering<string, string>(
    async (group) => {
      if (fails) throw new Error("down");
      for (const { item, resolve } of group) resolve(item);
    },
    { most: 10, patienceMs: 1 },
  );
  await expect(go("a")).rejects.toThrow("down");
  fails = false;
  expect(await go("b")).toBe("b");
});
