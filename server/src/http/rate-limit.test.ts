import { describe, expect, test, vi } from "vitest";
import { rateLimit } from "./rate-limit.ts";

const policy = { name: "writes", points: 10, windowS: 60 };

/** Counts as a database would, with a pause; what was asked is kept. */
function counting() {
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

const verdicts = async (limit: ReturnType<typeof rateLimit>, times: number) => {
  const standings = await Promise.all(Array.from({ length: times }, () => limit.consume("ada")));
  return standings.filter(({ allowed }) => allowed).length;
};

describe("a shared limit", () => {
  test("When requests arrive together, then as many pass as the limit says, and no others are counted", async () => {
    const { add, calls } = counting();
    expect(await verdicts(rateLimit(policy, { add }), 100)).toBe(10);
    expect(calls.reduce((sum, points) => sum + points, 0)).toBe(10);
  });

  test("When somebody is over the limit, then no further request of theirs is counted in the database", async () => {
    const { add, calls } = counting();
    const limit = rateLimit(policy, { add });
    await verdicts(limit, 10);
    const written = calls.length;
    expect(await verdicts(limit, 1_000)).toBe(0);
    expect(calls).toHaveLength(written);
  });

  test("When two instances share the counts, then together they let pass what one would", async () => {
    const { add } = counting();
    const [one, two] = [rateLimit(policy, { add }), rateLimit(policy, { add })];
    let passed = 0;
    for (let round = 0; round < 20; round++) {
      for (const limit of [one, two]) passed += (await limit.consume("ada")).allowed ? 1 : 0;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(passed).toBe(10);
  });

  test("When up to a quarter of a window is used, then the database is told nothing; after that, of all", async () => {
    const { add, calls } = counting();
    const limit = rateLimit({ ...policy, points: 12 }, { add });
    for (let time = 0; time < 3; time++) await limit.consume("ada");
    expect(calls).toEqual([]);
    for (let time = 0; time < 2; time++) await limit.consume("ada");
    expect(calls).toEqual([4, 1]);
  });

  test("When an instance keeps its quarter to itself, then together they let at most that much more pass", async () => {
    const { add } = counting();
    const [one, two] = [rateLimit(policy, { add }), rateLimit(policy, { add })];
    expect(await verdicts(two, 2)).toBe(2);
    for (let time = 0; time < 10; time++) expect((await one.consume("ada")).allowed).toBe(true);
    expect((await one.consume("ada")).allowed).toBe(false);
    expect(await two.consume("ada")).toMatchObject({ allowed: false, used: 13 });
  });
});

describe("counts that cannot be had", () => {
  test("When the database fails, then the instance limits by what it has seen, and says so once", async () => {
    const failures: unknown[] = [];
    const limit = rateLimit(policy, {
      add: () => Promise.reject(new Error("gone")),
      onFailure: (error) => failures.push(error),
    });
    expect(await verdicts(limit, 50)).toBe(10);
    expect(await verdicts(limit, 50)).toBe(0);
    expect(failures).toHaveLength(1);
  });

  test("When the database hangs, then requests go on after a moment, limited by what the instance has seen", async () => {
    const limit = rateLimit(policy, { add: () => new Promise(() => undefined) });
    const started = performance.now();
    expect(await verdicts(limit, 50)).toBe(10);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe("what the database says of a window", () => {
  /** A limit whose clock and shared count the test turns. */
  function turned() {
    const state = {
      now: 5_000,
      count: 0,
      msLeft: 60_000,
      isDown: false,
      asked: 0,
      reported: 0,
      begun: 0,
      failures: 0,
    };
    const limit = rateLimit(policy, {
      now: () => state.now,
      onFailure: () => void state.failures++,
      add: async (_policy, _key, points, msLeft) => {
        state.asked++;
        state.begun = msLeft;
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

  test("When others have used it up, then who comes is told what all have used, and until when", async () => {
    const { state, consume } = turned();
    await consume(5);
    Object.assign(state, { count: 11, msLeft: 20_000 });
    expect(await consume()).toEqual({ policy, used: 11, allowed: false, msLeft: 20_000 });
    state.now += 19_999;
    expect(await consume()).toEqual({ policy, used: 12, allowed: false, msLeft: 1 });
    expect(state.asked).toBe(4);
    state.now += 1;
    expect(await consume()).toMatchObject({ used: 1, allowed: true });
  });

  test("When the tenth of ten comes, then it is allowed, and the eleventh is not", async () => {
    const { state, consume } = turned();
    await consume(5);
    state.count = 10;
    expect(await consume()).toMatchObject({ used: 10, allowed: true });
    expect(await consume()).toMatchObject({ used: 11, allowed: false });
  });

  test("When more than a quarter is used, then requests go on with the count of all", async () => {
    const { state, consume } = turned();
    state.count = 9;
    expect(await consume(2)).toMatchObject({ used: 2 });
    expect(await consume()).toMatchObject({ used: 9 });
  });

  test("When a window begins in the database, then it is one that ends when this instance's does", async () => {
    const { state, consume } = turned();
    await consume(2);
    state.now += 50_000;
    await consume();
    expect(state.begun).toBe(10_000);
  });

  test("When this instance has counted more, then that counts", async () => {
    const { state, consume } = turned();
    state.count = 1;
    expect(await consume(7)).toMatchObject({ used: 7 });
  });

  test("When the database's window ends much later, then it is the next one, and begins with its count", async () => {
    const { state, consume } = turned();
    await consume(4);
    state.now += 30_000;
    Object.assign(state, { count: 1, msLeft: 31_001 });
    await consume();
    expect(await consume()).toMatchObject({ used: 2, msLeft: 31_001 });
  });

  test("When it ends a little later, then that is the way there and back, and the window is the same", async () => {
    const { state, consume } = turned();
    await consume(4);
    state.now += 30_000;
    Object.assign(state, { count: 1, msLeft: 31_000 });
    await consume();
    expect(await consume()).toMatchObject({ used: 6, msLeft: 31_000 });
  });

  test("When the database says that a window lasts longer than any, then it lasts as long as it can", async () => {
    const { state, consume } = turned();
    state.msLeft = 900_000;
    await consume(3);
    expect(await consume()).toMatchObject({ msLeft: 60_000 });
  });

  test("When the database is away, then it is asked once in a second, and each break is told once", async () => {
    const { state, consume } = turned();
    state.isDown = true;
    expect(await consume(4)).toMatchObject({ used: 4, allowed: true });
    expect([state.asked, state.failures]).toEqual([1, 1]);
    state.now += 999;
    await consume();
    expect(state.asked).toBe(1);
    state.now += 1;
    await consume();
    expect([state.asked, state.failures]).toEqual([2, 1]);
    state.now += 1_000;
    Object.assign(state, { isDown: false, msLeft: 58_000 });
    await consume(2);
    expect([state.asked, state.reported]).toEqual([4, 8]);
    state.isDown = true;
    await consume();
    expect([state.asked, state.failures]).toEqual([5, 2]);
  });
});

test("When a window is over, then the next one begins, and keys do not pay for each other", async () => {
  let now = 0;
  const limit = rateLimit(policy, { now: () => now });
  expect(await verdicts(limit, 30)).toBe(10);
  expect((await limit.consume("grace")).allowed).toBe(true);
  now += 60_001;
  expect(await verdicts(limit, 30)).toBe(10);
});

describe("more keys than are remembered", () => {
  test("When a crowd of new keys comes, then who is refused stays refused until their window ends", async () => {
    // In memory alone, and behind counts that are lost: what this instance knows is all there is.
    for (const add of [undefined, () => Promise.reject(new Error("gone"))]) {
      let now = 0;
      const limit = rateLimit(policy, { add, now: () => now });
      // As many as the limit says: the next one is refused, whoever comes in between.
      await verdicts(limit, 10);
      for (let i = 0; i < 60_000; i++) await limit.consume(`key ${i}`);
      expect(await limit.consume("ada")).toMatchObject({ allowed: false });
      now += 60_001;
      expect(await limit.consume("ada")).toMatchObject({ allowed: true, used: 1 });
    }
  });

  test("When who comes often is among a crowd, then their count goes on; who came once begins anew", async () => {
    const limit = rateLimit(policy);
    for (let i = 0; i < 60_000; i++) {
      await limit.consume(`key ${i}`);
      if (i % 10_000 === 0) await limit.consume("ada");
    }
    expect((await limit.consume("ada")).used).toBe(7);
    expect((await limit.consume("key 0")).used).toBe(1);
    expect((await limit.consume("key 59999")).used).toBe(2);
  });

  test("When the memory is full, then a new key costs what the first one did: nothing is searched, nothing sorted", async () => {
    const limit = rateLimit(policy);
    await verdicts(limit, 12);
    for (let i = 0; i < 50_000; i++) await limit.consume(`key ${i}`);
    const walks = (["entries", "keys", "values", "forEach", Symbol.iterator] as const).map((walk) =>
      vi.spyOn(Map.prototype, walk as "keys"),
    );
    for (let i = 50_000; i < 110_000; i++) await limit.consume(`key ${i}`);
    expect(walks.map((walk) => walk.mock.calls.length)).toEqual([0, 0, 0, 0, 0]);
  });
});
