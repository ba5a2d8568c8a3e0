import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CACHE_MS, createReadCache } from "./read-cache.ts";

beforeEach(() => {
  vi.useFakeTimers();
  // lru-cache ignores a timestamp of 0.
  vi.advanceTimersByTime(1);
});
afterEach(() => {
  vi.useRealTimers();
});

/** A value that can change, whose reads are counted and delivered on demand. */
function source() {
  let value = 0;
  const waiting: (() => void)[] = [];
  const load = vi.fn(() => {
    // Read now, delivered later, like a query that is running while something is written.
    const seen = value;
    return new Promise<number>((resolve) => waiting.push(() => resolve(seen)));
  });
  return {
    load,
    write: (next: number) => {
      value = next;
    },
    deliver: () => {
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

test("When several callers ask for the same key at the same time and shortly after, then it is read once", async () => {
  const read = createReadCache();
  const { load, deliver } = source();
  const asked = [read("a", load), read("a", load)];
  deliver();
  expect(await Promise.all([...asked, read("a", load)])).toEqual([0, 0, 0]);
  expect(load).toHaveBeenCalledTimes(1);
  const other = read("b", load);
  deliver();
  await other;
  expect(load).toHaveBeenCalledTimes(2);
});

test("When a value changes, then a copy shows the earlier one for a second at most, counted from the beginning of its read", async () => {
  const read = createReadCache();
  const { load, write, deliver } = source();
  const slow = read("a", load);
  write(1);
  vi.advanceTimersByTime(CACHE_MS / 2);
  deliver();
  expect(await slow).toBe(0);
  expect(await read("a", load)).toBe(0);
  vi.advanceTimersByTime(CACHE_MS / 2 + 1);
  const fresh = read("a", load);
  deliver();
  expect(await fresh).toBe(1);
});

test("When a read fails, then all who wait for it are told, and the next one reads again", async () => {
  const read = createReadCache();
  const failing = () => Promise.reject(new Error("down"));
  const asked = [read("a", failing), read("a", failing)];
  for (const one of asked) await expect(one).rejects.toThrow("down");
  expect(await read("a", async () => 7)).toBe(7);
});

test("When values are large, then the oldest copies make room", async () => {
  const read = createReadCache();
  const load = vi.fn(async () => "large");
  const megabytes = (count: number) => () => count * 1024 * 1024;
  for (const key of ["a", "b", "c"]) await read(key, load, megabytes(7));
  await read("c", load, megabytes(7));
  expect(load).toHaveBeenCalledTimes(3);
  await read("a", load, megabytes(7));
  expect(load).toHaveBeenCalledTimes(4);
});

test("When copies are turned off, then every call reads", async () => {
  const read = createReadCache(0);
  const load = vi.fn(async () => 1);
  await Promise.all([read("a", load), read("a", load)]);
  expect(load).toHaveBeenCalledTimes(2);
});
