import { expect, test } from "vitest";
import { gathering } from "./gather.ts";

test("When callers come while a group is under way, then they go together next, at most so many, and each gets their own answer", async () => {
  const groups: number[][] = [];
  const double = gathering<number, number>(
    async (group) => {
      groups.push(group.map(({ item }) => item));
      await Promise.resolve();
      for (const { item, resolve } of group) resolve(item * 2);
    },
    { most: 3 },
  );
  expect(await Promise.all([1, 2, 3, 4, 5, 6].map(double))).toEqual([2, 4, 6, 8, 10, 12]);
  expect(groups).toEqual([[1], [2, 3, 4], [5, 6]]);
  expect(await double(7)).toBe(14);
});

test("When a group fails as a whole, then each of it learns that, and the next ones go on", async () => {
  let fails = true;
  const go = gathering<string, string>(
    async (group) => {
      if (fails) throw new Error("down");
      for (const { item, resolve } of group) resolve(item);
    },
    { most: 10 },
  );
  await expect(go("a")).rejects.toThrow("down");
  fails = false;
  expect(await go("b")).toBe("b");
});
