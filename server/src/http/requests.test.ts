import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { gzipSync } from "node:zlib";
import supertest from "supertest";
import { beforeEach, describe, expect, test } from "vitest";
import { aTaskDraft } from "../../test/builders.ts";
import { expectProblem, useHarness } from "../../test/harness.ts";
import { type Person, signUp } from "../../test/people.ts";

const harness = useHarness();
let ada: Person;

beforeEach(async () => {
  ada = await signUp();
  harness.log.length = 0;
});

/** Posts the body unchanged, with these headers. */
function postRaw(body: string | Buffer, headers: Record<string, string>) {
  const request = supertest(harness.app).post("/tasks").set("Authorization", `Bearer ${ada.token}`);
  for (const [name, value] of Object.entries(headers)) request.set(name, value);
  // Keeps superagent from serializing a Buffer as JSON.
  return request.serialize((sent) => sent).send(body);
}
const JSON_TYPE = { "Content-Type": "application/json" };

describe("bodies", () => {
  test("When the body is malformed JSON or not an object, then 400", async () => {
    for (const body of ['{"title":', "nonsense", '"text"', "{'a':1}", "\u0000"]) {
      expectProblem(await postRaw(body, JSON_TYPE), 400, "invalid-json");
    }
  });

  test("When the body is larger than 100 kB, plain or decompressed, then 413", async () => {
    const large = JSON.stringify(aTaskDraft({ description: "x".repeat(110_000) }));
    expectProblem(await postRaw(large, JSON_TYPE), 413, "too-large");
    const packed = { ...JSON_TYPE, "Content-Encoding": "gzip" };
    expectProblem(await postRaw(gzipSync(large), packed), 413, "too-large");
  });

  test("When the body is not JSON, or not encoded as declared, then 415 or 400", async () => {
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

  test("When a chunked body is empty, as from some proxies, then there is no body; any other needs a type", async () => {
    const id = await harness.postTask(await signUp());
    const bid = () => harness.as(ada).patch(`/tasks/${id}/bid`).set("Transfer-Encoding", "chunked");
    const text = bid();
    text.write('{"amount":50}');
    expectProblem(await text, 415, "not-json");
    expect((await bid().expect(200)).body.modifiedCount).toBe(1);
  });

  test("When the charset is not UTF-8, then 415 and nothing is stored; every valid notation of UTF-8 is accepted", async () => {
    const good = JSON.stringify(aTaskDraft());
    const post = (parameters: string) => postRaw(good, { "Content-Type": `application/json${parameters}` });
    for (const charset of ["utf-7", '"UTF-7"', "utf-16", "utf-32le", "utf-8;charset=utf-7", '"', ""])
      expectProblem(await post(`; charset=${charset}`), 415, "not-json");
    expect(await harness.database.tasks.countDocuments({ ownerId: ada.uid })).toBe(0);
    for (const parameters of ["; charset=UTF-8", ';charset="utf-8"', "; profile=x;Charset=utf-8"])
      await post(parameters).expect(201);
  });

  test("When a field is named like a prototype, operator or path, then 422 names it and no prototype is polluted", async () => {
    const draft = JSON.stringify(aTaskDraft()).slice(1);
    for (const name of ["__proto__", "constructor", "prototype", "$where", "$ne", "owner.id", "a\\u0000b"]) {
      const response = await postRaw(`{"${name}":{"polluted":true},${draft}`, JSON_TYPE);
      const problem = expectProblem(response, 422, "invalid");
      expect(problem.errors?.[0]?.pointer).toBe(`#/${encodeURIComponent(JSON.parse(`"${name}"`))}`);
    }
    const inside = await postRaw(`{"x":[{"y":{"$gt":""}}],${draft}`, JSON_TYPE);
    expect(expectProblem(inside, 422, "invalid").errors?.[0]?.pointer).toBe("#/x/0/y/%24gt");
    expect({}).not.toHaveProperty("polluted");
    expect(await harness.database.tasks.countDocuments({ ownerId: ada.uid })).toBe(0);
  });

  test("When the nesting is too deep, then 422, even in an unknown field; brackets in a string do not count", async () => {
    const draft = JSON.stringify(aTaskDraft()).slice(1);
    const deep = `${"[".repeat(40_000)}${"]".repeat(40_000)}`;
    expectProblem(await postRaw(deep, JSON_TYPE), 422, "invalid");
    expectProblem(await postRaw(`{"title":${deep}}`, JSON_TYPE), 422, "invalid");
    expectProblem(
      await postRaw(`{"x":${"[".repeat(21)}${"]".repeat(21)},${draft}`, JSON_TYPE),
      422,
      "invalid",
    );
    const title = `${"[{".repeat(30)}\\"`;
    await postRaw(`{"title":"${title}",${draft.replace(/"title":"[^"]*",/, "")}`, JSON_TYPE).expect(201);
  });

  test("When the budget is huge, negative or not a number, then 422 names the field", async () => {
    const draft = JSON.stringify(aTaskDraft({ budget: 450.5 }));
    for (const budget of [
      "1e999",
      "-1e999",
      "1e300",
      "99999999999999999999",
      "-1",
      "null",
      '"5"',
      "[5]",
      "0.001",
    ]) {
      const response = await postRaw(draft.replace("450.5", budget), JSON_TYPE);
      expect(expectProblem(response, 422, "invalid").errors?.[0]?.pointer).toBe("#/budget");
    }
  });
});

describe("URLs", () => {
  test("When the route does not exist, then 404 as a problem", async () => {
    expectProblem(await harness.as().get("/nothing"), 404, "route-not-found");
    expectProblem(await harness.as().get("/tasks/a/b/c"), 404, "route-not-found");
  });

  test("When the URL is not encoded correctly, then 400", async () => {
    expectProblem(await harness.as().get("/tasks/%E0%A4%A"), 400, "bad-request");
    const query = await harness.as().get("/tasks?limit=5&search=%E0%A4%A");
    expect(expectProblem(query, 400, "bad-request").errors?.[0]?.parameter).toBe("search");
  });

  test("When a path contains a NUL or tries path traversal, then 4xx", async () => {
    expectProblem(await harness.as().get("/tasks/%00"), 400, "invalid-id");
    expectProblem(await harness.as().get("/%00"), 404, "route-not-found");
    expectProblem(await harness.as().get("/tasks/..%2f..%2fetc%2fpasswd"), 400, "invalid-id");
  });

  test("When a parameter is given twice, then 4xx names it; unknown ones are ignored", async () => {
    for (const name of ["limit", "search", "category", "sort", "cursor", "email"]) {
      const response = await harness.as().get(`/tasks?${name}=a&${name}=b`);
      expect(expectProblem(response, 422, "invalid").errors).toContainEqual({
        parameter: name,
        detail: `Give "${name}" once.`,
      });
    }
    await harness.as().get("/tasks?limit=1&utm_source=mail&utm_source=web&$where").expect(400);
    await harness.as().get("/tasks?limit=1&utm_source=mail&utm_source=web").expect(200);
  });

  test("When parameters are structured like operators, then 400", async () => {
    for (const query of [
      "search[$ne]=x",
      "search%5B%24regex%5D=x",
      "category[]=Design",
      "__proto__[x]=1",
      "%ff=1",
    ]) {
      expectProblem(await harness.as().get(`/tasks?limit=1&${query}`), 400, "bad-request");
    }
  });

  test("When limit is huge or not a whole number, then 422 names the parameter", async () => {
    for (const limit of ["99999999999999999999", "1e3", "-1", "0x10", "NaN", "1.5"]) {
      const response = await harness.as().get(`/tasks?limit=${limit}`);
      expect(expectProblem(response, 422, "invalid").errors?.[0]?.parameter).toBe("limit");
    }
  });
});

describe("headers", () => {
  const send = (headers: string[]) => rawRequest(harness.app, headers);

  test("When a header that must be unique is sent twice, then 400", async () => {
    const token = `Authorization: Bearer ${ada.token}`;
    expect(await send(["GET /tasks?limit=1 HTTP/1.1", token])).toMatch(/^HTTP\/1.1 200 /);
    expect(await send(["GET /tasks?limit=1 HTTP/1.1", token, token])).toMatch(
      /^HTTP\/1.1 400 [\s\S]*sent twice/,
    );
  });

  test("When headers are larger than 16 kB, or the request is not HTTP, then the response is a 4xx", async () => {
    expect(await send(["GET /tasks?limit=1 HTTP/1.1", `X-Large: ${"x".repeat(20_000)}`])).toMatch(
      /^HTTP\/1.1 431 /,
    );
    expect(await send(["nonsense"])).toMatch(/^HTTP\/1.1 400 /);
    expect(await send(["POST /tasks HTTP/1.1", "Content-Length: 3", "Transfer-Encoding: chunked"])).toMatch(
      /^HTTP\/1.1 400 /,
    );
  });
});

describe("cross-origin requests", () => {
  const preflight = (origin: string) => {
    return supertest(harness.app)
      .options("/tasks")
      .set({ Origin: origin, "Access-Control-Request-Method": "POST" });
  };

  test("When the origin is allowed, then its pages may call the API and read the Link header", async () => {
    const response = await preflight("https://web.example").expect(204);
    expect(response.headers["access-control-allow-origin"]).toBe("https://web.example");
    const read = await supertest(harness.app).get("/tasks").set("Origin", "https://web.example").expect(200);
    expect(read.headers["access-control-expose-headers"]).toContain("Link");
    expect(read.headers["vary"]).toContain("Origin");
  });

  test("When the origin is not allowed, then its preflight is refused and its reads get no CORS headers", async () => {
    for (const origin of ["https://evil.example", "https://web.example.evil.example", "null"]) {
      const response = await preflight(origin);
      expectProblem(response, 403, "origin-not-allowed");
      const read = await supertest(harness.app).get("/tasks").set("Origin", origin);
      for (const { headers } of [response, read])
        expect(headers["access-control-allow-origin"]).toBeUndefined();
    }
  });
});

describe("responses and the log", () => {
  test("When any response is sent, then it has a request id and security headers, and does not name the software", async () => {
    const { headers } = await harness.as().get("/tasks").expect(200);
    expect(headers["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["content-security-policy"]).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
    for (const banner of ["x-powered-by", "server", "via"]) expect(headers).not.toHaveProperty(banner);
    expect(headers).not.toHaveProperty("strict-transport-security");
  });

  test("When a path is nearly as long as a request may be, then its line in the log is short", async () => {
    harness.log.length = 0;
    await harness
      .as()
      .get(`/tasks/${"x".repeat(13_000)}`)
      .expect(400);
    await expect.poll(() => harness.log.length).toBe(1);
    expect(harness.log[0]?.length).toBeLessThan(1_000);
  });

  test("When a signed-in person sends a request, then it is logged without token and email address", async () => {
    await harness
      .as(ada)
      .get(`/tasks?email=${encodeURIComponent(ada.email)}`)
      .expect(200);
    await harness
      .as(ada)
      .post("/tasks", { ...aTaskDraft(), title: "" })
      .expect(422);
    const log = harness.log.join("");
    expect(log).toContain('"path":"/tasks"');
    for (const secret of [ada.token, ada.email, encodeURIComponent(ada.email)])
      expect(log).not.toContain(secret);
  });
});

describe("health checks", () => {
  test("When the database responds, then the server is healthy and ready", async () => {
    expect((await harness.as().get("/health").expect(200)).body).toEqual({ status: "ok" });
    expect((await harness.as().get("/ready").expect(200)).body).toMatchObject({
      status: "ready",
      failing: [],
    });
  });
});

/** Sends these lines unchanged and returns the whole response. */
async function rawRequest(app: RequestListener, lines: string[]): Promise<string> {
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [request = "", ...headers] = lines;
  socket.write(`${[request, "Host: localhost", "Connection: close", ...headers].join("\r\n")}\r\n\r\n`);
  let response = "";
  socket.on("data", (bytes) => {
    response += bytes;
  });
  await once(socket, "close");
  server.close();
  return response;
}
