import { describe, expect, it, vi } from "vitest";
import { createApi } from "./api.ts";
import type { ApiProblem } from "./problem.ts";

const json = (status: number, body: unknown, type = "application/json") =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": type } });

function setUp(...responses: (Response | Error)[]) {
  const sent: Request[] = [];
  const tokenRequests: boolean[] = [];
  const api = createApi({
    origin: "http://api.test",
    getToken: async (fresh) => {
      tokenRequests.push(fresh);
      return fresh ? "new" : "old";
    },
    fetch: async (input, init) => {
      sent.push(new Request(input, init));
      const next = responses.shift();
      if (!next) throw new Error("one call too many");
      if (next instanceof Error) throw next;
      return next;
    },
  });
  return { api, sent, tokenRequests };
}

describe("api", () => {
  it("When the token is rejected, then it retries once with a fresh one", async () => {
    const { api, sent } = setUp(json(401, {}), json(200, { ok: true }));
    await expect(api.call("GET /me/saved/ids", {})).resolves.toMatchObject({ data: { ok: true } });
    expect(sent.map((request) => request.headers.get("Authorization"))).toEqual(["Bearer old", "Bearer new"]);
  });

  it("When the token cannot be obtained, then the problem is offline; when there is none, then nobody is signed in", async () => {
    const deps = { origin: "http://api.test", fetch: async () => json(200, { ok: true }) };
    const broken = createApi({ ...deps, getToken: async () => Promise.reject(new Error("no network")) });
    await expect(broken.call("GET /me/saved/ids", {})).rejects.toMatchObject({ code: "offline" });
    const signedOut = createApi({ ...deps, getToken: async () => null });
    await expect(signedOut.call("GET /me/saved/ids", {})).rejects.toMatchObject({ status: 401 });
  });

  it("When called as a visitor, then no token is sent", async () => {
    const { api, sent, tokenRequests } = setUp(json(200, { ok: true }));
    await api.call("GET /tasks", { query: { search: "b c", category: undefined }, asVisitor: true });
    expect(tokenRequests).toEqual([]);
    expect(sent[0]?.headers.has("Authorization")).toBe(false);
    expect(sent[0]?.url).toBe("http://api.test/tasks?search=b+c");
  });

  it("When the server responds with a problem, then its code, detail and fields are kept", async () => {
    const problem = {
      type: "t",
      title: "T",
      status: 422,
      detail: "Look again.",
      code: "invalid",
      errors: [{ pointer: "#/title", detail: "Title is required." }],
    };
    const { api } = setUp(json(422, problem, "application/problem+json"));
    await expect(api.call("GET /me/saved/ids", { asVisitor: true })).rejects.toMatchObject({
      code: "invalid",
      status: 422,
      message: "Look again.",
      fieldErrors: problem.errors,
    });
  });

  it("When the request fails, then the problem is offline", async () => {
    const { api } = setUp(new TypeError("Failed to fetch"));
    await expect(api.call("GET /me/saved/ids", { asVisitor: true })).rejects.toMatchObject({
      code: "offline",
    });
  });

  it.each([
    ["the connection breaks", 200, false],
    ["the connection breaks", 409, false],
    ["the timeout expires", 200, true],
  ])("When %s while the body of a %i arrives, then the problem is offline", async (_, status, timedOut) => {
    if (timedOut) vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"ok":')),
      pull: (stream) => stream.error(new TypeError("network error")),
    });
    const { api } = setUp(new Response(body, { status }));
    await expect(api.call("GET /me/saved/ids", { asVisitor: true })).rejects.toMatchObject({
      code: "offline",
      timedOut,
    });
  });

  it("When a proxy responds with HTML for a server that is down, then the server is unavailable, not the connection", async () => {
    const { api } = setUp(new Response("<h1>Bad gateway</h1>", { status: 502 }));
    const problem = await api
      .call("GET /me/saved/ids", { asVisitor: true })
      .catch((error: ApiProblem) => error);
    expect(problem).toMatchObject({ code: "unavailable", status: 502 });
    expect((problem as ApiProblem).message).not.toMatch(/connection/);
  });

  it.each([
    ["17", "Too many requests. Try again in 17 seconds.", 17],
    ["1", "Too many requests. Try again in 1 second.", 1],
    ["900", "Too many requests. Try again in 15 minutes.", 900],
    [null, "Too many requests. Wait a moment and try again.", undefined],
    ["soon", "Too many requests. Wait a moment and try again.", undefined],
  ])(
    "When a proxy responds 429 with Retry-After %s and no problem, then the message says how long to wait",
    async (value, message, retryAfter) => {
      const headers = value === null ? {} : { "Retry-After": value };
      const { api } = setUp(new Response("<h1>429</h1>", { status: 429, headers }));
      await expect(api.call("GET /me/saved/ids", { asVisitor: true })).rejects.toMatchObject({
        code: "too-many-requests",
        message,
        retryAfter,
      });
    },
  );

  it("When Retry-After is a date, then it is converted to seconds", async () => {
    const at = new Date(Date.now() + 45_000).toUTCString();
    const { api } = setUp(new Response(null, { status: 503, headers: { "Retry-After": at } }));
    const problem = await api
      .call("GET /me/saved/ids", { asVisitor: true })
      .catch((error: ApiProblem) => error);
    expect((problem as ApiProblem).code).toBe("unavailable");
    expect(Math.abs(((problem as ApiProblem).retryAfter ?? 0) - 45)).toBeLessThanOrEqual(1);
  });

  it("When an endpoint has parameters, a version, a key and a payload, then they are in the path, the headers and the body", async () => {
    const { api, sent } = setUp(json(200, { ok: true }));
    const options = { version: 3, idempotencyKey: "k1", body: { state: "declined" } } as const;
    await api.call("PATCH /tasks/:id/bids/:bidId", { params: { id: "a/b", bidId: "c" }, ...options });
    expect(sent[0]).toMatchObject({ method: "PATCH", url: "http://api.test/tasks/a%2Fb/bids/c" });
    expect(sent[0]?.headers.get("If-Match")).toBe('"3"');
    expect(sent[0]?.headers.get("Idempotency-Key")).toBe("k1");
    expect(sent[0]?.headers.get("Content-Type")).toBe("application/json");
    expect(await sent[0]?.json()).toEqual({ state: "declined" });
  });

  it("When a successful response is not JSON, then it is rejected", async () => {
    const { api } = setUp(new Response("<h1>Log in to the hotel's network</h1>"));
    await expect(api.call("GET /me/saved/ids", {})).rejects.toMatchObject({ code: "unreadable" });
  });
});
