import { request as ask, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type NextFunction, type Request, type Response } from "express";
import supertest from "supertest";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { User } from "../auth/token-verifier.ts";
import type { ProblemError } from "../domain/problem-error.ts";
import { addressKey } from "./connections.ts";
import { costOf, type RateCounts, rateLimits } from "./rate-limit.ts";

type Policies = NonNullable<Parameters<typeof rateLimits>[1]>["policies"];

// The clock is frozen, because a window that ends during a test would allow one more request.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** Shared counts by policy and key, as in the database. */
function sharedCounts(msLeft = 60_000) {
  const counts = new Map<string, number>();
  const add: RateCounts["add"] = async ({ name }, key, points) => {
    const count = (counts.get(`${name} ${key}`) ?? 0) + points;
    counts.set(`${name} ${key}`, count);
    return { count, msLeft };
  };
  return { add, counts };
}

/** An app that only limits requests. `X-User` is the uid of a signed-in caller. */
function limitedApp(counts: Pick<RateCounts, "add">, policies?: Policies) {
  const limits = rateLimits(counts, { ...(policies && { policies }), maxWaitMs: 5_000 });
  const app = express().set("trust proxy", 1).disable("etag");
  app.use(async (request, response) => {
    const uid = request.get("X-User");
    await limits.byAddress(request, response);
    if (uid) await limits.byUser(request, response, { uid } as User);
    response.json("ok");
  });
  app.use((error: ProblemError, _request: Request, response: Response, _next: NextFunction) => {
    response.status(error.code === "too-many-requests" ? 429 : 500).set(error.headers);
    response.json({ detail: error.message });
  });
  return app;
}

function limited(counts: Pick<RateCounts, "add">, policies?: Policies) {
  const app = limitedApp(counts, policies);
  return (method: "get" | "post", path: string, { from = "192.0.2.1", user = "" } = {}) => {
    const sent = supertest(app)[method](path).set("X-Forwarded-For", from);
    return user ? sent.set("X-User", user) : sent;
  };
}

const small = (name: string, points: number) => ({ name, points, windowS: 60 });
/** The same limit for each kind of request. */
const each = (points: number, of = "") => ({
  write: small(`writes${of}`, points),
  search: small(`searches${of}`, points),
  overview: small(`overviews${of}`, points),
  list: small(`lists${of}`, points),
});
const few = { reads: small("reads-address", 3), user: each(2), address: each(9, "-address") };

describe("limits per minute for a person and an address", () => {
  test.each([
    ["post", "/tasks", "writes", 600, 120],
    ["get", "/tasks", "lists", 90, 30],
    ["get", "/tasks?limit=9&search=logo", "searches", 600, 180],
  ] as const)(
    "When %s %s is sent, then the response says what is left of both limits of %s: %i and %i",
    async (method, path, name, ofAddress, ofUser) => {
      const { headers } = await limited(sharedCounts())(method, path, { user: "ada" }).expect(200);
      const both = (unit: string, address: number, user: number, rest: string) =>
        `"${name}-address";${unit}=${address};${rest}, "${name}";${unit}=${user};${rest}`;
      expect(headers["ratelimit-policy"]).toBe(both("q", ofAddress, ofUser, "w=60"));
      expect(headers["ratelimit"]).toBe(both("r", ofAddress - 1, ofUser - 1, "t=60"));
    },
  );

  test("When a page or a task is read, then there are no RateLimit headers and nothing is counted in the database", async () => {
    const { add, counts } = sharedCounts();
    const response = await limited({ add })("get", "/tasks/1", { user: "ada" }).expect(200);
    expect(response.headers).not.toHaveProperty("ratelimit");
    expect(counts.size).toBe(0);
  });

  test.each([
    "/tasks?limit=",
    "/tasks?limit=&search=logo",
    "http://tasklane.example/tasks",
    "/tasks#?limit=9",
  ])(
    "When the target of a request is %s, then it is limited as the whole list that the router serves for it",
    async (path) => {
      const server = limitedApp(sharedCounts()).listen(0);
      const { port } = server.address() as AddressInfo;
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        ask({ port, path, agent: false }, resolve).on("error", reject).end();
      });
      response.resume();
      server.close();
      expect(response.headers["ratelimit-policy"]).toBe('"lists-address";q=90;w=60');
    },
  );

  test("When the caller is anonymous, then only the address is limited", async () => {
    const { add, counts } = sharedCounts();
    const send = limited({ add }, few);
    for (let time = 0; time < 3; time++) await send("post", "/tasks").expect(200);
    expect([...counts]).toEqual([["writes-address 192.0.2.1", 3]]);
  });
});

describe("above the limit", () => {
  test("When a person is above the limit, then the response says when to retry, and others at their address can continue", async () => {
    const send = limited(sharedCounts(), few);
    for (let time = 0; time < 2; time++) await send("get", "/tasks", { user: "ada" }).expect(200);
    const refused = await send("get", "/tasks", { user: "ada", from: "192.0.2.7" }).expect(429);
    expect(refused.headers["ratelimit"]).toMatch(/"lists";r=0;t=60$/);
    expect(refused.headers["retry-after"]).toBe("60");
    expect(refused.body.detail).toMatch(/Please try again in 60 seconds\.$/);
    await send("get", "/tasks?limit=9&search=logo", { user: "ada", from: "192.0.2.7" }).expect(200);
    await send("post", "/tasks", { user: "bob" }).expect(200);
  });

  test.each([
    [600, "1", "1 second."],
    [1_400, "2", "2 seconds."],
  ])(
    "When the window still lasts %i ms, then Retry-After is %s, in whole seconds",
    async (msLeft, wait, words) => {
      const policies = { ...few, user: { ...few.user, write: small("writes", 1) } };
      const send = limited(sharedCounts(msLeft), policies);
      await send("post", "/tasks", { user: "ada" }).expect(200);
      const refused = await send("post", "/tasks", { user: "ada" }).expect(429);
      expect(refused.headers["retry-after"]).toBe(wait);
      expect(refused.body.detail).toBe(`That was a lot in a short time. Please try again in ${words}`);
    },
  );

  test("When an address floods the server, even with plain reads, then this instance refuses it without the database", async () => {
    const { add, counts } = sharedCounts();
    const send = limited({ add }, few);
    for (let time = 0; time < 3; time++) await send("get", "/tasks/1").expect(200);
    const refused = await send("get", "/tasks/1").expect(429);
    expect(refused.headers["ratelimit-policy"]).toBe('"reads-address";q=3;w=60');
    await send("get", "/tasks/1", { from: "192.0.2.2" }).expect(200);
    expect(counts.size).toBe(0);
  });
});

test("When an address is IPv6, then the key is its /64 network; IPv4, even mapped, is its own key", () => {
  const cases: [string | undefined, string][] = [
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:2::6", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8::1.2.3.4", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    // Groups after the zeros may belong to the network too.
    ["2001::2:3:4:5:6:7", "2001:0:2:3::/64"],
    ["::2:3:4:5:6:7:8", "0:2:3:4::/64"],
    ["2001::2:3:4:5:192.0.2.1", "2001:0:2:3::/64"],
    ["2001:db8::ffff:198.51.100.27", "2001:db8:0:0::/64"],
    ["::FFFF:198.51.100.27", "198.51.100.27"],
    [undefined, "unknown"],
  ];
  for (const [ip, key] of cases) expect(addressKey(ip)).toBe(key);
});

test.each([
  ["write", ["PATCH /tasks/1/bid"]],
  ["search", ["GET /tasks?limit=10&search=a", "GET /tasks.atom?search=a", "GET /Tasks.atom/?search=a"]],
  ["overview", ["GET /Me/Overview/?x"]],
  [
    "list",
    [
      ...["GET /tasks", "HEAD /TASKS/?search=a", "GET /sitemap.xml", "GET /Sitemap-tasks.xml"],
      ...["GET /sitemap.xml/?x", "GET /ME/export/", "GET /openapi.json", "GET /me/tasks.csv/"],
      ...["GET /me/export", "GET /me/bids.csv?x"],
    ],
  ],
  [
    undefined,
    [
      ...["GET /tasks?limit=10&search=", "GET /tasks?limit=10", "GET /tasks.atom", "GET /tasks.atom?search="],
      ...[
        "GET /my/tasks",
        "GET /my/tasks.atom?search=a",
        "GET /tasks.atom/x?search=a",
        "GET /my/sitemap.xml",
      ],
      ...["GET /sitemap.xml/x", "GET /sitemap1.xml", "GET /about/me/export", "GET /me/export/x", "GET /me"],
      ...["GET /my/me/overview", "GET /tasks/featuretasks", "GET /tasks/1", "OPTIONS /tasks"],
    ],
  ],
])("When the cost of a request is %s, then it is one of these", (cost, requests) => {
  for (const request of requests) {
    const [method = "", url = ""] = request.split(" ");
    const { pathname: path, searchParams } = new URL(url, "http://x");
    const query = Object.fromEntries(searchParams);
    expect(costOf({ method, baseUrl: "", path, query }), request).toBe(cost);
  }
});
