import { describe, expect, test, vi } from "vitest";
import { rateLimit } from "./rate-limit.ts";
import { addressKey, costOf } from "./request-limits.ts";

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

  test("When the first half of a window is used, then nobody waits for the database", async () => {
    const limit = rateLimit(policy, { add: () => new Promise(() => undefined) });
    const started = performance.now();
    for (let i = 0; i < 5; i++) expect((await limit.consume("ada")).allowed).toBe(true);
    expect(performance.now() - started).toBeLessThan(100);
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
      await verdicts(limit, 12);
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

test("When an address is IPv6, then its /64 network counts; IPv4 counts as it is, also mapped", () => {
  const cases: [string | undefined, string][] = [
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:2::6", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8::1.2.3.4", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    [undefined, "unknown"],
  ];
  for (const [ip, key] of cases) expect(addressKey(ip)).toBe(key);
});

test("When a request writes, searches or asks for everything, then that is what it costs; a page costs nothing", () => {
  const cost = (method: string, originalUrl: string) => {
    const query = Object.fromEntries(new URL(originalUrl, "http://x").searchParams);
    return costOf({ method, query, originalUrl });
  };
  expect(cost("PATCH", "/tasks/1/bid")).toBe("write");
  expect(cost("GET", "/tasks")).toBe("list");
  expect(cost("HEAD", "/TASKS/?search=a")).toBe("list");
  expect(cost("GET", "/tasks?limit=10&search=a")).toBe("search");
  expect(cost("GET", "/me/export")).toBe("list");
  expect(cost("GET", "/me/bids.csv?x")).toBe("list");
  for (const [method, url] of [
    ["GET", "/tasks?limit=10&search="],
    ["GET", "/tasks/featuretasks"],
    ["GET", "/tasks/1"],
    ["OPTIONS", "/tasks"],
  ] as const)
    expect(cost(method, url)).toBeUndefined();
});
