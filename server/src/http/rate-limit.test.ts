import { request as ask, type IncomingMessage } from "node:http";
import express, { type NextFunction, type Request, type Response } from "express";
import supertest from "supertest";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { aTaskDraft, expectProblem, serving, signUp, useHarness } from "../../test/index.ts";
import type { User } from "../auth/token-verifier.ts";
import type { ProblemError } from "../domain/problem-error.ts";
import { costOf, rateLimits } from "./rate-limit.ts";

const harness = useHarness();

// The clock stands still, because a window that ends during a test would allow one more request.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(async () => {
  vi.useRealTimers();
  await harness.clear("rateLimits");
});

type Limits = NonNullable<Parameters<typeof rateLimits>[1]>;
/** The same limits for each kind of request. */
const few = (person: number, address: number, requests = 100): Limits => ({
  requests,
  write: { name: "writes", person, address },
  search: { name: "searches", person, address },
  overview: { name: "overviews", person, address },
  list: { name: "lists", person, address },
});

/** An instance that only limits requests. `X-User` is the uid of a signed-in caller. */
function instance(limits?: Limits) {
  const { byAddress, byUser } = rateLimits(harness.database.db, limits);
  const app = express().set("trust proxy", 1).disable("etag");
  app.use(async (request, response) => {
    const uid = request.get("X-User");
    await byAddress(request, response);
    if (uid) await byUser(request, response, { uid } as User);
    response.json("ok");
  });
  app.use((error: ProblemError, _request: Request, response: Response, _next: NextFunction) => {
    response.status(error.code === "too-many-requests" ? 429 : 500).set(error.headers);
    response.json({ detail: error.message });
  });
  return app;
}

function limited(limits?: Limits) {
  const app = instance(limits);
  return (method: "get" | "post", path: string, { from = "192.0.2.1", user = "" } = {}) => {
    const sent = supertest(app)[method](path).set("X-Forwarded-For", from);
    return user ? sent.set("X-User", user) : sent;
  };
}

/** What the database has counted, by limit and key. */
const counted = async () =>
  Object.fromEntries(
    (await harness.database.rateLimits.find().toArray()).map(({ key, points }) => [key, points]),
  );

describe("limits per minute for a person and an address", () => {
  test.each([
    ["post", "/tasks", "writes", 600, 120],
    ["get", "/tasks", "lists", 90, 30],
    ["get", "/tasks?limit=9&search=logo", "searches", 600, 180],
  ] as const)(
    "When %s %s is sent, then the response says what is left of both limits of %s: %i and %i",
    async (method, path, name, ofAddress, ofUser) => {
      const { headers } = await limited()(method, path, { user: "ada" }).expect(200);
      const both = (unit: string, address: number, user: number, rest: string) =>
        `"${name}-address";${unit}=${address};${rest}, "${name}";${unit}=${user};${rest}`;
      expect(headers["ratelimit-policy"]).toBe(both("q", ofAddress, ofUser, "w=60"));
      expect(headers["ratelimit"]).toBe(both("r", ofAddress - 1, ofUser - 1, "t=60"));
    },
  );

  test("When a page or a task is read, then there are no RateLimit headers", async () => {
    const response = await limited(few(0, 0))("get", "/tasks/1", { user: "ada" }).expect(200);
    expect(response.headers).not.toHaveProperty("ratelimit");
  });

  test.each([
    "/tasks?limit=",
    "/tasks?limit=&search=logo",
    "http://tasklane.example/tasks",
    "/tasks#?limit=9",
  ])(
    "When the target of a request is %s, then it is limited as the whole list that the router serves for it",
    async (path) => {
      const { port } = await serving(instance());
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        ask({ port, path, agent: false }, resolve).on("error", reject).end();
      });
      response.resume();
      expect(response.headers["ratelimit-policy"]).toBe('"lists-address";q=90;w=60');
    },
  );

  test("When instances share a limit, then each counts its first quarter for itself, and then all of them in the database until it is used up", async () => {
    const [one, two] = [limited(few(8, 100)), limited(few(8, 100))];
    const status = async (send: typeof one) => (await send("post", "/tasks", { user: "ada" })).status;
    for (const send of [one, one, two, two]) expect(await status(send)).toBe(200);
    expect(await counted()).toEqual({});
    // Six more at the same time, of ten.
    const statuses = await Promise.all(Array.from({ length: 10 }, (_, at) => status(at % 2 ? one : two)));
    expect(statuses.filter((each) => each === 200)).toHaveLength(6);
    // Refusals are not counted.
    const before = await counted();
    for (const send of [one, two]) expect([await status(send), await status(send)]).toEqual([429, 429]);
    expect(await counted()).toEqual(before);
  });

  test("When the caller is anonymous, then only the address is limited", async () => {
    const send = limited(few(0, 4));
    for (let time = 0; time < 4; time++) await send("post", "/tasks").expect(200);
    expect(await counted()).toEqual({ "writes-address:192.0.2.1": 3 });
    await send("post", "/tasks").expect(429);
  });
});

describe("above the limit", () => {
  test("When a person is above the limit, then the response says when to retry, and others at their address can continue", async () => {
    const send = limited(few(2, 9));
    for (let time = 0; time < 2; time++) await send("get", "/tasks", { user: "ada" }).expect(200);
    const refused = await send("get", "/tasks", { user: "ada", from: "192.0.2.7" }).expect(429);
    expect(refused.headers["ratelimit"]).toMatch(/"lists";r=0;t=60$/);
    expect(refused.headers["retry-after"]).toBe("60");
    expect(refused.body.detail).toMatch(/Please try again in 60 seconds\.$/);
    await send("get", "/tasks?limit=9&search=logo", { user: "ada", from: "192.0.2.7" }).expect(200);
    await send("post", "/tasks", { user: "bob" }).expect(200);
  });

  test("When the window is about to end, then Retry-After is in whole seconds; after it, requests are allowed again", async () => {
    const send = limited(few(1, 9));
    await send("post", "/tasks", { user: "ada" }).expect(200);
    const start = Date.now();
    for (const [after, wait, words] of [
      [58_600, "2", "2 seconds."],
      [59_400, "1", "1 second."],
    ] as const) {
      vi.setSystemTime(start + after);
      const refused = await send("post", "/tasks", { user: "ada" });
      expect(refused.headers["retry-after"]).toBe(wait);
      expect(refused.body.detail).toBe(`That was a lot in a short time. Please try again in ${words}`);
    }
    vi.setSystemTime(start + 60_001);
    await send("post", "/tasks", { user: "ada" }).expect(200);
  });

  test("When an address floods the server, even with plain reads, then this instance refuses it without the database", async () => {
    const send = limited(few(9, 9, 3));
    for (let time = 0; time < 3; time++) await send("get", "/tasks/1").expect(200);
    const refused = await send("get", "/tasks/1").expect(429);
    expect(refused.headers["ratelimit-policy"]).toBe('"reads-address";q=3;w=60');
    await send("get", "/tasks/1", { from: "192.0.2.2" }).expect(200);
    expect(await counted()).toEqual({});
  });
});

test("When the product limits requests, then writes above the limit change nothing, and of the rest only health checks have a limit of their own", async () => {
  const ada = await signUp();
  const { as, ok } = harness.instance({ limits: rateLimits(harness.database.db, few(2, 50, 20)) });
  for (let time = 0; time < 2; time++) await ok(ada).post("/tasks", aTaskDraft());
  expectProblem(await as(ada).post("/tasks", aTaskDraft()), "too-many-requests");
  expect(await harness.database.tasks.countDocuments({ ownerId: ada.uid })).toBe(2);
  await ok(ada).get("/tasks?limit=1");
  for (let time = 0; time < 20; time++) await as(ada).get("/tasks?limit=1");
  for (const open of ["/tasks?limit=1", "/openapi.json", "/robots.txt", "/api-docs", "/sitemap-pages.xml"])
    expectProblem(await as().get(open), "too-many-requests");
  await ok().get("/health");
});

test.each([
  ["write", ["PATCH /tasks/1/bid", "PATCH /files/uploads/1 1", "PATCH /files/uploads/1"]],
  [
    "search",
    [
      ...["GET /tasks?limit=10&search=a", "GET /tasks.atom?search=a", "GET /Tasks.atom/?search=a"],
      ...["GET /profiles?search=a", "GET /me/conversations/1/messages?search=a"],
      ...["GET /tasks?limit=1&maxBids=0", "GET /tasks?limit=1&clientRating=4", "GET /me/bids?state=awarded"],
    ],
  ],
  ["overview", ["GET /Me/Overview/?x", "GET /me/recommendations"]],
  [
    "list",
    [
      ...["GET /tasks", "HEAD /TASKS/?search=a", "GET /sitemap.xml", "GET /Sitemap-tasks.xml"],
      ...["GET /sitemap.xml/?x", "GET /ME/export/", "GET /openapi.json", "GET /me/tasks.csv/"],
      ...["GET /me/export", "GET /me/bids.csv?x"],
      ...["GET /tasks/1/agreement.pdf", "HEAD /Tasks/1/agreement.PDF/?x", "GET /tasks/1/invoices/2/pdf"],
    ],
  ],
  [
    undefined,
    [
      ...["GET /tasks?limit=10&search=", "GET /tasks?limit=10", "GET /tasks.atom", "GET /tasks.atom?search="],
      ...["GET /my/tasks", "GET /profiles", "GET /profiles?search=", "GET /my/sitemap.xml"],
      ...["GET /sitemap.xml/x", "GET /sitemap1.xml", "GET /about/me/export", "GET /me/export/x", "GET /me"],
      ...["GET /my/me/overview", "GET /tasks/featuretasks", "GET /tasks/1", "OPTIONS /tasks"],
      ...["GET /tasks/1/agreement", "GET /tasks/1/invoices", "GET /tasks/1/files"],
      ...["GET /me/bids?state=", "GET /tasks?limit=1&state=open", "PATCH /files/uploads/1 1000000"],
    ],
  ],
])("When the cost of a request is %s, then it is one of these", (cost, requests) => {
  for (const request of requests) {
    const [method = "", url = "", length] = request.split(" ");
    const { pathname: path, searchParams } = new URL(url, "http://x");
    const query = Object.fromEntries(searchParams);
    const headers = { "content-length": length };
    expect(costOf({ method, baseUrl: "", path, query, headers }), request).toBe(cost);
  }
});
