import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { json } from "node:stream/consumers";
import express, {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import supertest from "supertest";
import { describe, expect, test } from "vitest";
import { serving } from "../../test/serving.ts";
import { ProblemError } from "../domain/problem-error.ts";
import { documentId, readJsonBody, refuseAmbiguous } from "./request-input.ts";

/** A server that responds with the body it has read. */
const app = express();
app.use(async (request, response) => {
  await readJsonBody(request, response);
  response.json({ body: request.body === undefined ? "none" : request.body });
});
app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
  const { code, message, errors } = error as ProblemError;
  const { type, status } = error as { type?: string; status?: number };
  const isOurs = error instanceof ProblemError;
  response.status(isOurs ? 400 : (status ?? 500)).json(isOurs ? { code, message, errors } : { type });
});

function send(text: string, type = "application/json") {
  return supertest(app)
    .post("/")
    .set("Content-Type", type)
    .serialize((sent) => sent as string)
    .send(text);
}
const read = async (text: string, type?: string) => (await send(text, type)).body;

describe("the body of a request", () => {
  test("When it is JSON, then it is read; when it is absent, or declared empty as by browsers, then there is none", async () => {
    expect(await read('{"title":"Ä","list":[1,{"a":null}]}')).toEqual({
      body: { title: "Ä", list: [1, { a: null }] },
    });
    expect((await supertest(app).patch("/")).body).toEqual({ body: "none" });
    expect(
      (
        await supertest(app)
          .patch("/")
          .set("Content-Length", "0")
          .set("Content-Type", "text/plain; charset=utf-16")
      ).body,
    ).toEqual({
      body: "none",
    });
  });

  test("When a proxy announces neither length nor type, then an empty body is none, and any other needs a type", async () => {
    const { port } = await serving(app);
    const begin = (text: string, type = {}) => {
      const headers = { ...type, "Transfer-Encoding": "chunked" };
      const sending = request({ port, method: "PATCH", headers });
      if (text) sending.write(text);
      return { sending, response: once(sending, "response").then(([response]) => json(response)) };
    };
    const nothing = begin("");
    nothing.sending.end();
    expect(await nothing.response).toEqual({ body: "none" });
    const typed = begin('{"a":1}', { "Content-Type": "application/json" });
    typed.sending.end();
    expect(await typed.response).toEqual({ body: { a: 1 } });
    // The response does not wait for the rest.
    const untyped = begin("{");
    expect(await untyped.response).toMatchObject({ code: "not-json" });
    untyped.sending.destroy();
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "application/merge-patch+json"])(
    "When it is %s, then the error asks for JSON",
    async (type) => {
      expect(await read("{}", type)).toEqual({
        code: "not-json",
        message: "Send the body as JSON, with Content-Type: application/json.",
      });
    },
  );

  test.each([
    ...["utf-8", "UTF-8", '"utf-8"', "utf-8 "].map((charset) => [charset, true] as const),
    // Other checks read the bytes as UTF-8.
    ...["utf-16", "utf-7", "us-ascii", "xutf-8", "utf-8x", "", "utf-8; charset=utf-16"].map(
      (charset) => [charset, false] as const,
    ),
  ])("When its charset is %j, then whether it is read is %s", async (charset, isRead) => {
    const refused = { code: "not-json", message: "This charset is not supported, send UTF-8." };
    for (const type of [`;charset=${charset}`, ` ; Charset = ${charset}${isRead ? "; v=1" : ""}`])
      expect(await read("{}", `application/json${type}`)).toEqual(isRead ? { body: {} } : refused);
  });

  test.each([
    ["{", "entity.parse.failed"],
    ['"text"', "entity.parse.failed"],
    [`{"text":"${"x".repeat(102_400)}"}`, "entity.too.large"],
  ])(
    "When it is not a JSON object or array, or too large, then the parser's error is thrown",
    async (text, type) => {
      expect(await read(text)).toEqual({ type });
    },
  );

  const nested = (depth: number, inner = "") => `${"[".repeat(depth)}${inner}${"]".repeat(depth)}`;
  const TOO_DEEP = "The JSON is nested too deeply.";

  test("When it is nested up to twenty levels deep, then it is read; deeper, it is rejected before it is parsed", async () => {
    expect(await read(nested(20))).toHaveProperty("body");
    expect(await read(`{"a":${nested(19)},"b":${nested(19)}}`)).toHaveProperty("body");
    for (const text of [
      nested(21),
      `{"a":${nested(20)}}`,
      `[${'{"a":'.repeat(20)}1${"}".repeat(20)}]`,
      "[".repeat(21),
    ])
      expect(await read(text)).toMatchObject({
        code: "invalid",
        errors: [{ pointer: "#", detail: TOO_DEEP }],
      });
  });

  test("When a string contains brackets and escaped quotes, then they do not count as nesting", async () => {
    const brackets = "[{".repeat(30);
    expect(await read(JSON.stringify([brackets, `"${brackets}\\"`, "\\"]))).toHaveProperty("body");
    expect(await read(`["]]]]","\\"]]]]\\\\",${nested(20)}]`)).toMatchObject({ code: "invalid" });
  });

  test.each(["$where", "a.b", "a\u0000b", "__proto__", "constructor", "prototype"])(
    "When a field is called %j, then it is rejected at any depth",
    async (name) => {
      const detail = "A field cannot have this name.";
      const token = encodeURIComponent(name);
      expect(await read(`{${JSON.stringify(name)}:1}`)).toMatchObject({
        code: "invalid",
        errors: [{ pointer: `#/${token}`, detail }],
      });
      expect(await read(`{"list":[{"a/b":{${JSON.stringify(name)}:1}}]}`)).toMatchObject({
        errors: [{ pointer: `#/list/0/a~1b/${token}`, detail }],
      });
    },
  );

  test("When names are long or cannot be encoded, then the error about one of them points to the whole body", async () => {
    for (const outer of ["x".repeat(50_000), "\ud800"])
      expect(await read(JSON.stringify({ [outer]: { $where: 1 } }))).toMatchObject({
        code: "invalid",
        errors: [{ pointer: "#" }],
      });
    expect(await read('{"\\ud800":1}')).toHaveProperty("body");
  });

  test("When a field is called similarly, then it is read", async () => {
    const body = { a$: 1, proto: 1, constructors: 1, my__proto__: 1, "a-b": 1 };
    expect(await read(JSON.stringify(body))).toEqual({ body });
  });
});

test.each([
  ["of a known length", 'Content-Type: application/json\r\nContent-Length: 13\r\n\r\n{"amount":50}'],
  ["in chunks", "Transfer-Encoding: chunked\r\n\r\n"],
])(
  "When the client disconnects before its body %s was read, then the request fails instead of counting as one without a body",
  async (_case, rest) => {
    const ends: unknown[] = [];
    const caught: ErrorRequestHandler = (error, _request, _response, _next) => void ends.push(error);
    // Waits like the check of a token does.
    const untilGone: RequestHandler = async (request, _response, next) => {
      await once(request.socket, "close").catch(() => undefined);
      next();
    };
    const read: RequestHandler = async (request, response) => {
      await readJsonBody(request, response);
      ends.push(request.body);
    };
    const app = express().use(untilGone, read).use(caught);
    const { server, port } = await serving(app);
    const socket = connect(port, "127.0.0.1");
    socket.write(`PATCH / HTTP/1.1\r\nHost: x\r\n${rest}`);
    await once(server, "request");
    socket.destroy();
    await expect.poll(() => ends.length).toBe(1);
    expect(ends[0]).toBeInstanceOf(ProblemError);
    const message = "The request ended before its body had arrived.";
    expect(ends[0]).toMatchObject({ code: "bad-request", message });
  },
);

describe("ambiguous requests", () => {
  const check = (originalUrl: string, rawHeaders: string[] = []) => {
    try {
      refuseAmbiguous({ rawHeaders, originalUrl } as Request);
    } catch (error) {
      const { code, message, errors } = error as ProblemError;
      return [code, message, errors?.[0]?.parameter];
    }
    return "fine";
  };

  test.each(["authorization", "content-type", "host", "idempotency-key", "if-match"])(
    "When the header %s is sent twice, then it is rejected",
    (name) => {
      expect(check("/tasks", [name.toUpperCase(), "a", "Accept", "b", name, "c"])).toEqual([
        "bad-request",
        `The header ${name} was sent twice.`,
        undefined,
      ]);
      expect(check("/tasks", [name, name])).toBe("fine");
    },
  );

  test("When another header is sent twice, or a value equals a header's name, then that is fine", () => {
    expect(check("/tasks", ["Accept", "a", "accept", "b", "X-A", "host", "X-B", "host", "Host", "c"])).toBe(
      "fine",
    );
  });

  test.each([
    "/tasks",
    "/tasks?",
    "/tasks?&&",
    "/tasks?a",
    "/tasks?search=a%20b&utm_source=x.y-z&flag",
    "/tasks?search=100%25",
    "/tasks?%73earch=a",
    "/a%zz?search=",
    `/tasks?${"n".repeat(64)}=1`,
    "/tasks?search=a=b",
  ])("When the URL is %s, then it is fine", (url) => {
    expect(check(url)).toBe("fine");
  });

  const NAMES = "Parameter names have at most 64 letters, digits, dots, hyphens and underscores.";
  test.each([
    ["/tasks?search[$ne]=a", NAMES, "?"],
    ["/tasks?search%5B%24ne%5D=a", NAMES, "?"],
    ["/tasks?a=1&%zz=1", NAMES, "?"],
    ["/tasks?=1", NAMES, "?"],
    ["/tasks?%zz", NAMES, "?"],
    [`/tasks?${"n".repeat(65)}=1`, NAMES, "?"],
    ["/tasks?search=%", 'The parameter "search" is not encoded correctly.', "search"],
    ["/tasks?a=1&search=%E4", 'The parameter "search" is not encoded correctly.', "search"],
  ])("When the URL is %s, then it is rejected with the reason", (url, message, parameter) => {
    expect(check(url)).toEqual(["bad-request", message, parameter]);
  });
});

test("When an id has 24 hexadecimal digits of any case, then it is returned in lower case; otherwise it is invalid", () => {
  const id = "6b013f7acde63707dd8cd5c7";
  expect([documentId(id), documentId(id.toUpperCase())].map(String)).toEqual([id, id]);
  for (const bad of [`${id}0`, `0${id}`, id.slice(1), "", "../etc"])
    expect(() => documentId(bad), bad).toThrow(
      expect.objectContaining({ code: "invalid-id", message: "An id has 24 hexadecimal digits." }),
    );
});
