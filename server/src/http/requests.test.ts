import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import supertest from "supertest";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { aTaskDraft, expectProblem, type Person, signUp, useHarness } from "../../test/index.ts";
import type { ErrorCode } from "../contract/index.ts";
import { listen } from "./listen.ts";

const harness = useHarness();
let ada: Person;

beforeEach(async () => {
  ada = await signUp();
  harness.log.length = 0;
});

const GOOD = JSON.stringify(aTaskDraft());
const LARGE = JSON.stringify(aTaskDraft({ description: "x".repeat(110_000) }));
const JSON_TYPE = { "Content-Type": "application/json" };
const GZIP = { ...JSON_TYPE, "Content-Encoding": "gzip" };

test.each<[what: string, body: string | Buffer, headers: Record<string, string>, number, ErrorCode]>([
  ["malformed", '{"title":', JSON_TYPE, 400, "invalid-json"],
  ["too large once decompressed", gzipSync(LARGE), GZIP, 413, "too-large"],
  ["not compressed as it says", GOOD, GZIP, 400, "bad-request"],
  ["compressed otherwise", GOOD, { ...JSON_TYPE, "Content-Encoding": "zip" }, 415, "not-json"],
])(
  "When a body is %s, then it is refused and nothing is stored",
  async (_what, body, headers, status, code) => {
    const request = supertest(harness.app).post("/tasks").set("Authorization", `Bearer ${ada.token}`);
    // Keeps superagent from serializing a Buffer as JSON.
    const response = await request
      .set(headers)
      .serialize((sent) => sent)
      .send(body);
    expect(response.status).toBe(status);
    expectProblem(response, code);
    expect(await harness.database.tasks.countDocuments()).toBe(0);
  },
);

test.each<[url: string, number, ErrorCode]>([
  ["/nothing", 404, "route-not-found"],
  ["/tasks/a/b/c", 404, "route-not-found"],
  ["/tasks/%00", 400, "invalid-id"],
  ["/tasks/%E0%A4%A", 400, "bad-request"],
  ["/tasks?limit=1&search[$ne]=x", 400, "bad-request"],
  ["/tasks?limit=1&search=a&search=b", 422, "invalid"],
])("When %s is requested, then the response is %i", async (url, status, code) => {
  const response = await harness.as().get(url);
  expect(response.status).toBe(status);
  expectProblem(response, code);
});

test("When the target of a request cannot be parsed, then it is refused with a problem", async () => {
  const listener = await listen(harness.app, { port: 0, hosts: ["127.0.0.1"] });
  onTestFinished(() => listener.close());
  const socket = connect(listener.port, "127.0.0.1");
  socket.write("GET http://[ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n.*"bad-request"/s);
});

test("When a link has parameters that are not ours, then they are ignored", async () => {
  await harness.read("/tasks?limit=1&utm_source=mail&utm_source=web");
});

const preflight = (origin: string) =>
  supertest(harness.app).options("/tasks").set({ Origin: origin, "Access-Control-Request-Method": "POST" });

test("When another origin is allowed, then its pages may call the API and read the Link header", async () => {
  const response = await preflight("https://web.example").expect(204);
  expect(response.headers["access-control-allow-origin"]).toBe("https://web.example");
  const read = await harness.ok().get("/tasks").set("Origin", "https://web.example");
  expect(read.headers["access-control-expose-headers"]).toContain("Link");
  expect(read.headers["vary"]).toContain("Origin");
});

test("When an origin is not allowed, then its preflight is refused and its reads get no CORS headers", async () => {
  for (const origin of ["https://evil.example", "https://web.example.evil.example", "null"]) {
    const response = await preflight(origin);
    expectProblem(response, "origin-not-allowed");
    const read = await harness.as().get("/tasks").set("Origin", origin);
    for (const { headers } of [response, read])
      expect(headers["access-control-allow-origin"]).toBeUndefined();
  }
});

test("When something throws, then the response is a 500 with only an id, and the log has the details with that id", async () => {
  const now = () => {
    throw new Error("the secret of the product");
  };
  const response = await harness.instance({ now, changes: undefined }).as().get("/tasks/featuretasks");
  const problem = expectProblem(response, "internal");
  expect(response.text).not.toContain("secret");
  const line = harness.log.find((entry) => entry.includes("the secret of the product"));
  expect(line).toContain(problem.requestId);
  expect(response.headers["x-request-id"]).toBe(problem.requestId);
});

test("When a path is nearly as long as a request may be, then its line in the log is short", async () => {
  const path = `/tasks/${"x".repeat(13_000)}`;
  await harness.as().get(path).expect(400);
  await expect.poll(() => harness.log.length).toBe(1);
  expect(harness.log[0]?.length).toBeLessThan(1_000);
});

test("When a signed-in person sends a request, then it is logged without token and email address", async () => {
  const email = encodeURIComponent(ada.email);
  await harness.read(`/tasks?email=${email}`, ada);
  await harness
    .as(ada)
    .post("/tasks", aTaskDraft({ title: "" }))
    .expect(422);
  const log = harness.log.join("");
  expect(log).toContain('"path":"/tasks"');
  for (const secret of [ada.token, ada.email, email]) expect(log).not.toContain(secret);
});
