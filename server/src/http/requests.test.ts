import { gzipSync } from "node:zlib";
import supertest from "supertest";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aTaskDraft } from "../../test/builders.ts";
import { expectProblem, useHarness } from "../../test/harness.ts";
import { type Person, signUp } from "../../test/people.ts";

const house = useHarness();
let ada: Person;

beforeAll(async () => {
  ada = await signUp();
});

beforeEach(() => {
  house.log.length = 0;
});

/** Posts bytes as they are, with the headers given. */
function postRaw(body: string | Buffer, headers: Record<string, string>) {
  const request = supertest(house.app).post("/tasks").set("Authorization", `Bearer ${ada.token}`);
  for (const [name, value] of Object.entries(headers)) request.set(name, value);
  // Serialized by hand: superagent would turn a Buffer into JSON.
  return request.serialize((sent) => sent).send(body);
}
const JSON_TYPE = { "Content-Type": "application/json" };

describe("bodies", () => {
  test("When the JSON is broken or not an object, then 400", async () => {
    for (const body of ['{"title":', "nonsense", '"text"', "{'a':1}", "\u0000"]) {
      expectProblem(await postRaw(body, JSON_TYPE), 400, "invalid-json");
    }
  });

  test("When the body is larger than 100 kB, plain or unpacked, then 413", async () => {
    const large = JSON.stringify(aTaskDraft({ description: "x".repeat(110_000) }));
    expectProblem(await postRaw(large, JSON_TYPE), 413, "too-large");
    const packed = { ...JSON_TYPE, "Content-Encoding": "gzip" };
    expectProblem(await postRaw(gzipSync(large), packed), 413, "too-large");
  });

  test("When the body is not JSON, or not encoded as it says, then 415 or 400", async () => {
    const good = JSON.stringify(aTaskDraft());
    expectProblem(
      await postRaw("title=x", { "Content-Type": "application/x-www-form-urlencoded" }),
      415,
      "not-json",
    );
    expectProblem(await postRaw(good, { "Content-Type": "text/plain" }), 415, "not-json");
    expectProblem(
      await postRaw(good, { "Content-Type": "application/json; charset=klingon" }),
      415,
      "not-json",
    );
    expectProblem(await postRaw(good, { ...JSON_TYPE, "Content-Encoding": "zip" }), 415, "not-json");
    expectProblem(await postRaw(good, { ...JSON_TYPE, "Content-Encoding": "gzip" }), 400, "bad-request");
  });

  test("When keys are prototypes or the nesting is deep, then nothing breaks and nothing is polluted", async () => {
    const draft = JSON.stringify(aTaskDraft()).slice(1);
    const hostile = `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},${draft}`;
    await postRaw(hostile, JSON_TYPE).expect(201);
    expect({}).not.toHaveProperty("polluted");
    const deep = `${"[".repeat(40_000)}${"]".repeat(40_000)}`;
    expectProblem(await postRaw(deep, JSON_TYPE), 422, "invalid");
    expectProblem(await postRaw(`{"title":${deep}}`, JSON_TYPE), 422, "invalid");
  });
});

describe("addresses", () => {
  test("When nothing is there, then 404 as a problem, whatever the method", async () => {
    expectProblem(await house.as().get("/nothing"), 404, "route-not-found");
    expectProblem(await house.as().get("/tasks/a/b/c"), 404, "route-not-found");
    expectProblem(await house.as().delete("/tasks"), 404, "route-not-found");
  });

  test("When the address is not encoded correctly, then 400", async () => {
    expectProblem(await house.as().get("/tasks/%E0%A4%A"), 400, "bad-request");
  });
});

describe("other sites", () => {
  const preflight = (origin: string) => {
    return supertest(house.app)
      .options("/tasks")
      .set({ Origin: origin, "Access-Control-Request-Method": "POST" });
  };

  test("When the site is on the list, then its browser may call, and read the paging link", async () => {
    const answer = await preflight("https://web.example").expect(204);
    expect(answer.headers["access-control-allow-origin"]).toBe("https://web.example");
    const read = await supertest(house.app).get("/tasks").set("Origin", "https://web.example").expect(200);
    expect(read.headers["access-control-expose-headers"]).toContain("Link");
    expect(read.headers["vary"]).toContain("Origin");
  });

  test("When the site is not on the list, then its preflight is refused and its reads get no permission", async () => {
    for (const origin of ["https://evil.example", "https://web.example.evil.example", "null"]) {
      const answer = await preflight(origin);
      expectProblem(answer, 403, "origin-not-allowed");
      const read = await supertest(house.app).get("/tasks").set("Origin", origin);
      for (const { headers } of [answer, read])
        expect(headers["access-control-allow-origin"]).toBeUndefined();
    }
  });
});

describe("what an answer and the log say", () => {
  test("When anything is answered, then with an id and the protective headers, and without naming the software", async () => {
    const { headers } = await house.as().get("/tasks").expect(200);
    expect(headers["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["content-security-policy"]).toMatch(/default-src 'self'.*frame-ancestors 'none'/);
    expect(headers["content-security-policy"]).not.toMatch(/script-src[^;]*unsafe/);
    expect(headers).not.toHaveProperty("x-powered-by");
  });

  test("When a signed-in person acts, then the log has the request and neither token nor e-mail", async () => {
    await house
      .as(ada)
      .get(`/tasks?email=${encodeURIComponent(ada.email)}`)
      .expect(200);
    await house
      .as(ada)
      .post("/tasks", { ...aTaskDraft(), title: "" })
      .expect(422);
    const log = house.log.join("");
    expect(log).toContain('"path":"/tasks"');
    for (const secret of [ada.token, ada.email, encodeURIComponent(ada.email)])
      expect(log).not.toContain(secret);
  });
});

describe("health", () => {
  test("When the database answers, then it is up", async () => {
    const answer = await house.as().get("/health").expect(200);
    expect(answer.body).toEqual({ status: "ok", database: "up" });
  });
});
