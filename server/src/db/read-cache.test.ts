import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ChangeFeed } from "./change-feed.ts";
import { createReadCache } from "./read-cache.ts";

let live = true;
type Listener = Parameters<ChangeFeed["onChange"]>[0];
let changed: Listener = () => {};
const feed = {
  isLive: () => live,
  onChange: (listener: Listener) => {
    changed = listener;
    return () => undefined;
  },
};

beforeEach(() => {
  live = true;
  vi.useFakeTimers();
  // lru-cache ignores a timestamp of 0.
  vi.advanceTimersByTime(1);
});
afterEach(() => {
  vi.useRealTimers();
});

/** A value to read, whose loads are counted and delivered on demand. */
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
  const { read } = createReadCache(feed);
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

test("When something is written during a read, then later callers do not join that read", async () => {
  const { read, invalidateAfter } = createReadCache(feed);
  const { load, write, deliver } = source();
  const before = read("a", load);
  await invalidateAfter(async () => write(1));
  const after = read("a", load);
  deliver();
  expect([await before, await after]).toEqual([0, 1]);
  expect(await read("a", load)).toBe(1);
  expect(load).toHaveBeenCalledTimes(2);
});

test("When a write fails, then the cache is emptied too, because it may have happened", async () => {
  const { read, invalidateAfter } = createReadCache(feed);
  const load = vi.fn(async () => 1);
  await read("a", load);
  await expect(invalidateAfter(() => Promise.reject(new Error("cut off")))).rejects.toThrow("cut off");
  await read("a", load);
  expect(load).toHaveBeenCalledTimes(2);
});

test("When the feed reports tasks or people, or has missed changes, then the cache is emptied; other collections do not matter", async () => {
  const { read } = createReadCache(feed);
  const load = vi.fn(async () => 1);
  await read("a", load);
  const changes = ["tasks", "people", undefined, "bids"].map((collection) => collection && { collection });
  const loads: number[] = [];
  for (const change of changes as Parameters<Listener>[0][]) {
    changed(change);
    await read("a", load);
    loads.push(load.mock.calls.length);
  }
  expect(loads).toEqual([2, 3, 4, 4]);
});

test.each(["by this instance", "by another one"])(
  "When bids on a task are written %s, then only values that may depend on them are dropped",
  async (by) => {
    const { read, invalidateAfter } = createReadCache(feed);
    const load = vi.fn(async (key: string) => key);
    const options = {
      bidsOf: (key: string) => ({ all: undefined, none: [] as string[] })[key] ?? key.split(" "),
    };
    const readAll = async () => {
      load.mockClear();
      for (const key of ["a b", "b", "none", "all"])
        await read(key, () => load(key), key === "all" ? {} : options);
      return load.mock.calls.flat();
    };
    expect(await readAll()).toEqual(["a b", "b", "none", "all"]);
    const { load: slow, deliver } = source();
    const loading = read("slow", slow);
    if (by === "by this instance") await invalidateAfter(async () => undefined, { bidsOf: "a" });
    else changed({ collection: "tasks", operation: "update", id: "a", onlyBids: true });
    expect(await readAll()).toEqual(["a b", "all"]);
    deliver();
    await loading;
    const again = read("slow", slow);
    deliver();
    await again;
    expect(slow).toHaveBeenCalledTimes(2);
    // Any other write may affect every value.
    await invalidateAfter(async () => undefined);
    expect(await readAll()).toEqual(["a b", "b", "none", "all"]);
  },
);

test("When a read fails after a newer one has succeeded, then the newer value stays cached", async () => {
  const { read, invalidateAfter } = createReadCache(feed);
  let fail = (_error: Error) => {};
  const failing = read("a", () => new Promise((_resolve, reject) => (fail = reject)));
  await invalidateAfter(async () => undefined);
  const load = vi.fn(async () => 1);
  await read("a", load);
  fail(new Error("down"));
  await expect(failing).rejects.toThrow("down");
  await read("a", load);
  expect(load).toHaveBeenCalledTimes(1);
});

test("When a read takes long, then its two seconds count from the start of the read", async () => {
  const { read } = createReadCache(feed);
  const { load, deliver } = source();
  const first = read("a", load);
  vi.advanceTimersByTime(1_500);
  deliver();
  await first;
  vi.advanceTimersByTime(600);
  void read("a", load);
  expect(load).toHaveBeenCalledTimes(2);
});

test("When the feed is down, or there is none, then only values that may be stale are cached or shared", async () => {
  live = false;
  for (const { read } of [createReadCache(feed), createReadCache()]) {
    const load = vi.fn(async () => 1);
    await Promise.all([read("a", load), read("a", load)]);
    expect(load).toHaveBeenCalledTimes(2);
    await Promise.all([read("b", load, { allowStale: true }), read("b", load, { allowStale: true })]);
    expect(load).toHaveBeenCalledTimes(3);
  }
});

test("When two seconds have passed, then the value is read again even without changes", async () => {
  const { read } = createReadCache(feed);
  const load = vi.fn(async () => 1);
  await read("a", load);
  vi.advanceTimersByTime(1_900);
  await read("a", load);
  expect(load).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(200);
  await read("a", load);
  expect(load).toHaveBeenCalledTimes(2);
});

test("When a read fails, then all waiting callers get the error, and the next call reads again", async () => {
  const { read } = createReadCache(feed);
  const load = vi.fn(() => Promise.reject(new Error("down")));
  const asked = [read("a", load), read("a", load)];
  for (const response of asked) await expect(response).rejects.toThrow("down");
  await expect(read("a", load)).rejects.toThrow("down");
  expect(load).toHaveBeenCalledTimes(2);
});

test("When the cache is full, then the oldest value is dropped", async () => {
  const { read } = createReadCache(feed);
  const load = vi.fn(async () => "large");
  for (let key = 0; key < 5; key++) await read(`k${key}`, load, { sizeOf: () => 5 * 1024 * 1024 });
  await read("k4", load);
  expect(load).toHaveBeenCalledTimes(5);
  await read("k0", load);
  expect(load).toHaveBeenCalledTimes(6);
});
