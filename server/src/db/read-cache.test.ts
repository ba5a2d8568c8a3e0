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
  // A cache takes an instant of 0 for none.
  vi.advanceTimersByTime(1);
});
afterEach(() => {
  vi.useRealTimers();
});

/** A value that can be read, and counts how often it was. */
function source() {
  let value = 0;
  const waiting: (() => void)[] = [];
  const load = vi.fn(() => {
    // Read now, delivered later: like a query that was under way when something was written.
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

test("When many ask for the same at the same moment and a moment later, then it is read once", async () => {
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

test("When something is written while a read is under way, then nobody who asks afterwards gets what was read before", async () => {
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

test("When a write fails, then what was kept is forgotten too: it may have happened", async () => {
  const { read, invalidateAfter } = createReadCache(feed);
  const load = vi.fn(async () => 1);
  await read("a", load);
  await expect(invalidateAfter(() => Promise.reject(new Error("cut off")))).rejects.toThrow("cut off");
  await read("a", load);
  expect(load).toHaveBeenCalledTimes(2);
});

test("When the feed tells of tasks or people, or has missed something, then everything is forgotten; of bids, nothing", async () => {
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
  "When bids on a task are written %s, then what may tell of them is forgotten, and nothing else",
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
    // Any other write may concern everything.
    await invalidateAfter(async () => undefined);
    expect(await readAll()).toEqual(["a b", "b", "none", "all"]);
  },
);

test("When something is written while a read is under way, then what was read is not kept", async () => {
  const { read, invalidateAfter } = createReadCache(feed);
  const { load, write, deliver } = source();
  const before = read("a", load);
  await invalidateAfter(async () => write(1));
  deliver();
  expect(await before).toBe(0);
  const after = read("a", load);
  deliver();
  expect(await after).toBe(1);
});

test("When a read that failed was followed by another one, then that one stays", async () => {
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

test("When a read takes long, then its two seconds began when it was asked for", async () => {
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

test("When the feed is silent, or there is none, then nothing is kept or shared but what may be rough", async () => {
  live = false;
  for (const { read } of [createReadCache(feed), createReadCache()]) {
    const load = vi.fn(async () => 1);
    await Promise.all([read("a", load), read("a", load)]);
    expect(load).toHaveBeenCalledTimes(2);
    await Promise.all([read("b", load, { allowStale: true }), read("b", load, { allowStale: true })]);
    expect(load).toHaveBeenCalledTimes(3);
  }
});

test("When two seconds have passed, then it is read again, whatever the feed says", async () => {
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

test("When a read fails, then those who waited learn it, and the next one tries again", async () => {
  const { read } = createReadCache(feed);
  const load = vi.fn(() => Promise.reject(new Error("down")));
  const asked = [read("a", load), read("a", load)];
  for (const response of asked) await expect(response).rejects.toThrow("down");
  await expect(read("a", load)).rejects.toThrow("down");
  expect(load).toHaveBeenCalledTimes(2);
});

test("When more is read than there is room for, then the oldest goes", async () => {
  const { read } = createReadCache(feed);
  const load = vi.fn(async () => "large");
  for (let key = 0; key < 5; key++) await read(`k${key}`, load, { sizeOf: () => 5 * 1024 * 1024 });
  await read("k4", load);
  expect(load).toHaveBeenCalledTimes(5);
  await read("k0", load);
  expect(load).toHaveBeenCalledTimes(6);
});
