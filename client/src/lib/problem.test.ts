import { describe, expect, it, vi } from "vitest";
import {
  ApiProblem,
  fieldErrorsByName,
  isRejected,
  offlineProblem,
  readProblem,
  retryAfterOf,
  unreadableProblem,
} from "./problem.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

it.each([
  ["17", 17],
  ["0", 1],
  ["86400", 3_600],
  ["soon", undefined],
  ["", undefined],
  [new Date(NOW + 45_000).toUTCString(), 45],
  [new Date(NOW - 45_000).toUTCString(), 1],
  [new Date(NOW + 7_200_000).toUTCString(), 3_600],
])("When Retry-After is %j, then the wait is %s seconds", (value, seconds) => {
  expect(retryAfterOf(new Headers({ "Retry-After": value }), NOW)).toBe(seconds);
});

describe("a response that is not OK", () => {
  const problem = {
    type: "t",
    title: "T",
    status: 409,
    detail: "The task has changed.",
    code: "wrong-state",
  };
  const read = (body: unknown, status: number, retryAfter?: string) =>
    readProblem(
      new Response(null, { status, headers: retryAfter ? { "Retry-After": retryAfter } : {} }),
      JSON.stringify(body),
    );

  it("When it is a problem of the contract, then its text is shown and its details are kept", () => {
    const errors = [{ pointer: "#/title", detail: "Title is required." }];
    expect(read({ ...problem, requestId: "r1", errors }, 409, "3")).toMatchObject({
      ...{ name: "ApiProblem", code: "wrong-state", status: 409, message: "The task has changed." },
      ...{ requestId: "r1", fieldErrors: errors, retryAfter: 3, timedOut: false },
    });
  });

  it.each([
    ["outcome-unknown", 503, /Try again: it will not be done twice\.$/],
    ["key-reused", 422, /Check whether it arrived, or send this one as well\.$/],
  ])("When it is %s, then the message says what to do, not what API clients should", (code, status, text) => {
    expect(read({ ...problem, status, code, detail: "Something about keys." }, status).message).toMatch(text);
  });

  it.each(["brand-new", "__proto__"])("When its code is %s, then its detail is the message", (code) => {
    expect(read({ ...problem, code }, 409)).toMatchObject({ code, status: 409, message: problem.detail });
  });

  it("When it is not a problem document, then a 5xx is unavailable and anything else is unreadable", () => {
    const message = "Tasklane has a problem right now. Wait a moment and try again.";
    expect(read("<h1>", 500, "9")).toMatchObject({
      code: "unavailable",
      status: 500,
      message,
      retryAfter: 9,
    });
    expect(read("<h1>", 499)).toMatchObject({ code: "unreadable", status: 499 });
  });

  it.each([
    ["1", "Try again in 1 second."],
    ["119", "Try again in 119 seconds."],
    ["121", "Try again in 3 minutes."],
    [undefined, "Wait a moment and try again."],
  ])("When there were too many requests and Retry-After is %s, then the message says: %s", (value, words) => {
    for (const body of ["<h1>429</h1>", problem])
      expect(read(body, 429, value)).toMatchObject({
        code: "too-many-requests",
        message: `Too many requests. ${words}`,
      });
  });
});

describe("the kind of a problem", () => {
  it("When the server has processed a write and responds 4xx, then it was rejected", () => {
    const statuses = [400, 401, 403, 404, 408, 409, 412, 422, 429, 499, 500, 503];
    const found = statuses.filter((status) => isRejected(new ApiProblem("invalid", status, "")));
    expect(found).toEqual([400, 403, 404, 409, 412, 422, 499]);
    // A proxy may respond 4xx too.
    const others = [offlineProblem(), unreadableProblem(404), new Error("bug"), null];
    expect(others.filter(isRejected)).toEqual([]);
  });

  it("When there was no response, then the message says if the browser itself is offline", () => {
    expect(offlineProblem().message).toMatch(/^We can't reach Tasklane right now\./);
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    expect(offlineProblem().message).toMatch(/^You were offline\./);
  });
});

it("When fields are invalid, then each has its first message, by name; pointers to anything else are skipped", () => {
  const errors = [
    { pointer: "#/title", detail: "Title is required." },
    { pointer: "#/title", detail: "Title is short." },
    { pointer: "#/skills/3", detail: "Skill is required." },
    { pointer: "#", detail: "Send an object." },
    { pointer: "x#/budget", detail: "No." },
    { parameter: "limit", detail: "Give one limit." },
  ];
  expect(fieldErrorsByName(errors)).toEqual({ title: "Title is required.", skills: "Skill is required." });
});
