import { describe, expect, test } from "vitest";
import { rateLimit } from "./rate-limit.ts";

const policy = { name: "writes", points: 10, windowS: 60 };

/** Counts like the database, with a delay, and records the calls. */
function countingStore() {
  const calls: number[] = [];
  let count = 0;
  return {
    calls,
    add: async (_policy: unknown, _key: string, points: number) => {
      calls.push(points);
      await new Promise((resolve) => setTimeout(resolve, 5));
      count += points;
      return { count, msLeft: 60_000 };
    },
  };
}

const countAllowed = async (limit: ReturnType<typeof rateLimit>, times: number) => {
  const results = await Promise.all(Array.from({ length: times }, () => limit.consume("ada")));
  return results.filter(({ allowed }) => allowed).length;
};

describe("a shared limit", () => {
  test("When requests arrive at the same time, then as many pass as the limit allows, and only those are counted", async () => {
    const { add, calls } = countingStore();
    expect(await countAllowed(rateLimit(policy, { add }), 100)).toBe(10);
    expect(calls.reduce((sum, points) => sum + points, 0)).toBe(10);
  });

  test("When somebody is over the limit, then their further requests are not counted in the database", async () => {
    const { add, calls } = countingStore();
    const limit = rateLimit(policy, { add });
    await countAllowed(limit, 10);
    const written = calls.length;
    expect(await countAllowed(limit, 1_000)).toBe(0);
    expect(calls).toHaveLength(written);
  });

  test("When up to a quarter of a window is used, then nothing is counted in the database; after that, everything is", async () => {
    const { add, calls } = countingStore();
    const limit = rateLimit({ ...policy, points: 12 }, { add });
    for (let time = 0; time < 3; time++) await limit.consume("ada");
    expect(calls).toEqual([]);
    for (let time = 0; time < 2; time++) await limit.consume("ada");
    expect(calls).toEqual([4, 1]);
  });

  test("When an instance counts its quarter locally, then together they allow at most that many requests more", async () => {
    const { add } = countingStore();
    const [one, two] = [rateLimit(policy, { add }), rateLimit(policy, { add })];
    expect(await countAllowed(two, 2)).toBe(2);
    for (let time = 0; time < 10; time++) expect((await one.consume("ada")).allowed).toBe(true);
    expect((await one.consume("ada")).allowed).toBe(false);
    expect(await two.consume("ada")).toMatchObject({ allowed: false, used: 13 });
  });
});

describe("shared counts that are unavailable", () => {
  test("When the database hangs, then requests proceed after a moment, limited by the instance's own counts", async () => {
    const limit = rateLimit(policy, { add: () => new Promise(() => undefined) });
    const started = performance.now();
    expect(await countAllowed(limit, 50)).toBe(10);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe("the shared count of a window", () => {
  /** A limit whose clock and shared count the test controls. */
  function controlled() {
    const state = {
      now: 5_000,
      count: 0,
      msLeft: 60_000,
      isDown: false,
      calls: 0,
      reported: 0,
      startedMs: 0,
      failures: 0,
    };
    const limit = rateLimit(policy, {
      now: () => state.now,
      onFailure: () => void state.failures++,
      add: async (_policy, _key, points, msLeft) => {
        state.calls++;
        state.startedMs = msLeft;
        if (state.isDown) throw new Error("gone");
        state.reported += points;
        return { count: state.count, msLeft: state.msLeft };
      },
    });
    const consume = async (times = 1) => {
      let last = await limit.consume("ada");
      for (let time = 1; time < times; time++) last = await limit.consume("ada");
      return last;
    };
    return { state, consume };
  }

  test("When other instances have used up the window, then the result has the shared count and the end of the window", async () => {
    const { state, consume } = controlled();
    await consume(5);
    Object.assign(state, { count: 11, msLeft: 20_000 });
    expect(await consume()).toEqual({ policy, used: 11, allowed: false, msLeft: 20_000 });
    state.now += 19_999;
    expect(await consume()).toEqual({ policy, used: 12, allowed: false, msLeft: 1 });
    expect(state.calls).toBe(4);
    state.now += 1;
    expect(await consume()).toMatchObject({ used: 1, allowed: true });
  });

  test("When a window starts in the database, then it ends when this instance's window does", async () => {
    const { state, consume } = controlled();
    await consume(2);
    state.now += 50_000;
    await consume();
    expect(state.startedMs).toBe(10_000);
  });

  test("When the database's window ends much later, then it is the next window, and starts with the shared count", async () => {
    const { state, consume } = controlled();
    await consume(4);
    state.now += 30_000;
    Object.assign(state, { count: 1, msLeft: 31_001 });
    await consume();
    expect(await consume()).toMatchObject({ used: 2, msLeft: 31_001 });
  });

  test("When the database is down, then it is tried once a second, and each outage is reported once", async () => {
    const { state, consume } = controlled();
    state.isDown = true;
    expect(await consume(4)).toMatchObject({ used: 4, allowed: true });
    expect([state.calls, state.failures]).toEqual([1, 1]);
    state.now += 999;
    await consume();
    expect(state.calls).toBe(1);
    state.now += 1;
    await consume();
    expect([state.calls, state.failures]).toEqual([2, 1]);
    state.now += 1_000;
    Object.assign(state, { isDown: false, msLeft: 58_000 });
    await consume(2);
    expect([state.calls, state.reported]).toEqual([4, 8]);
    state.isDown = true;
    await consume();
    expect([state.calls, state.failures]).toEqual([5, 2]);
  });
});

describe("more keys than fit in memory", () => {
  test("When a flood of new keys arrives, then a refused key stays refused until its window ends", async () => {
    // Without shared counts, and with shared counts that are unavailable.
    for (const add of [undefined, () => Promise.reject(new Error("gone"))]) {
      let now = 0;
      const limit = rateLimit(policy, { add, now: () => now });
      // This uses up the limit, so the next request is refused.
      await countAllowed(limit, 10);
      for (let i = 0; i < 60_000; i++) await limit.consume(`key ${i}`);
      expect(await limit.consume("ada")).toMatchObject({ allowed: false });
      now += 60_001;
      expect(await limit.consume("ada")).toMatchObject({ allowed: true, used: 1 });
    }
  });

  test("When a frequent key is among a flood of others, then its count is kept; keys seen once start again", async () => {
    const limit = rateLimit(policy);
    for (let i = 0; i < 60_000; i++) {
      await limit.consume(`key ${i}`);
      if (i % 10_000 === 0) await limit.consume("ada");
    }
    expect((await limit.consume("ada")).used).toBe(7);
    expect((await limit.consume("key 0")).used).toBe(1);
    expect((await limit.consume("key 59999")).used).toBe(2);
  });
});
