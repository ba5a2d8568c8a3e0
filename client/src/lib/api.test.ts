import { expect, it, vi } from "vitest";
import { createApi } from "./api.ts";
import { serverTime } from "./clock.ts";

const OK = () => Response.json({ ok: true });

/** The API over a network that gives these responses, one after the other. */
function setUp(...responses: (Response | Error)[]) {
  const sent: Request[] = [];
  const api = createApi({
    origin: "http://api.test",
    getToken: async (fresh) => (fresh ? "new" : "old"),
    fetch: async (input, init) => {
      sent.push(new Request(input, init));
      const next = responses.shift() ?? new Error("one call too many");
      if (next instanceof Error) throw next;
      return next;
    },
  });
  return { api, sent };
}

it("When the token is rejected, then the call is retried once with a fresh one", async () => {
  const { api, sent } = setUp(Response.json({}, { status: 401 }), OK());
  expect(await api.call("GET /me/saved/ids", {})).toMatchObject({ data: { ok: true } });
  expect(sent.map(({ headers }) => headers.get("Authorization"))).toEqual(["Bearer old", "Bearer new"]);
});

it("When the token cannot be obtained, then the problem is offline; when there is none, then nobody is signed in", async () => {
  const callWith = (getToken: () => Promise<null>) =>
    createApi({ origin: "http://api.test", getToken, fetch: async () => OK() }).call("GET /me/saved/ids", {});
  await expect(callWith(() => Promise.reject(new Error("no network")))).rejects.toMatchObject({
    code: "offline",
  });
  await expect(callWith(async () => null)).rejects.toMatchObject({ status: 401 });
});

it("When the device's clock is wrong, then the time is the server's", async () => {
  const respond = (date: Date) => setUp(Response.json({}, { headers: { Date: date.toUTCString() } })).api;
  const today = () => serverTime().toISOString().slice(0, 10);
  vi.setSystemTime("2026-11-27T00:00:00Z");
  await respond(new Date("2026-11-20T12:00:00Z")).call("GET /tasks", { asVisitor: true });
  expect(today()).toBe("2026-11-20");
  await respond(new Date()).call("GET /tasks", { asVisitor: true });
  expect(today()).toBe("2026-11-27");
});

it("When called as a visitor, then no token is sent", async () => {
  const { api, sent } = setUp(OK());
  await api.call("GET /tasks", { query: { search: "b c", category: undefined }, asVisitor: true });
  expect(sent[0]?.headers.has("Authorization")).toBe(false);
  expect(sent[0]?.url).toBe("http://api.test/tasks?search=b+c");
});

it("When an endpoint has parameters, a version, a key and a payload, then they are in the path, the headers and the body", async () => {
  const { api, sent } = setUp(OK());
  const options = { version: 3, idempotencyKey: "k1", body: { state: "declined" } } as const;
  await api.call("PATCH /tasks/:id/bids/:bidId", { params: { id: "a/b", bidId: "c" }, ...options });
  expect(sent[0]).toMatchObject({ method: "PATCH", url: "http://api.test/tasks/a%2Fb/bids/c" });
  const headers = ["If-Match", "Idempotency-Key", "Content-Type"].map((name) => sent[0]?.headers.get(name));
  expect(headers).toEqual(['"3"', "k1", "application/json"]);
  expect(await sent[0]?.json()).toEqual({ state: "declined" });
});

it.each([
  ["the request fails", new TypeError("Failed to fetch"), "offline"],
  ["a successful response is not JSON", new Response("<h1>Log in to the hotel's network</h1>"), "unreadable"],
  [
    "the server responds with a problem",
    Response.json({ type: "t", title: "T", status: 422, detail: "No.", code: "invalid" }, { status: 422 }),
    "invalid",
  ],
])("When %s, then the call is rejected with that", async (_, response, code) => {
  const { api } = setUp(response);
  await expect(api.call("GET /me/saved/ids", {})).rejects.toMatchObject({ name: "ApiProblem", code });
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
  await expect(api.call("GET /me/saved/ids", {})).rejects.toMatchObject({ code: "offline", timedOut });
});
