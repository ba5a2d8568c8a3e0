import { describe, expect, it, vi } from "vitest";
import {
  ApiProblem,
  fieldErrorsByName,
  isApiDown,
  isOutcomeUnknown,
  isRejected,
  isSessionOver,
  isTemporary,
  notSignedInProblem,
  offlineProblem,
  problemText,
  readProblem,
  retryAfterOf,
  unreadableProblem,
} from "./problem.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

describe("Retry-After", () => {
  const wait = (value: string) => retryAfterOf(new Headers({ "Retry-After": value }), NOW);

  it.each([
    ["17", 17],
    ["0", 1],
    ["3600", 3_600],
    ["86400", 3_600],
    ["soon", undefined],
    ["", undefined],
    [new Date(NOW + 45_000).toUTCString(), 45],
    [new Date(NOW - 45_000).toUTCString(), 1],
    [new Date(NOW + 7_200_000).toUTCString(), 3_600],
  ])("When it is %j, then the wait is %s seconds", (value, seconds) => {
    expect(wait(value)).toBe(seconds);
  });

  it("When it is missing, then the wait is unknown", () => {
    expect(retryAfterOf(new Headers())).toBeUndefined();
  });
});

describe("a response that is not OK", () => {
  const problem = {
    type: "t",
    title: "T",
    status: 409,
    detail: "The task has changed.",
    code: "wrong-state",
  };
  const read = (body: unknown, init: ResponseInit) =>
    readProblem(new Response(null, init), JSON.stringify(body));

  it("When it is a problem of the contract, then its text is shown and its details are kept", () => {
    const errors = [{ pointer: "#/title", detail: "Title is required." }];
    const body = { ...problem, requestId: "r1", errors };
    expect(read(body, { status: 409, headers: { "Retry-After": "3" } })).toMatchObject({
      name: "ApiProblem",
      code: "wrong-state",
      status: 409,
      message: "The task has changed.",
      requestId: "r1",
      fieldErrors: errors,
      retryAfter: 3,
      timedOut: false,
    });
  });

  it.each([
    ["outcome-unknown", 503, /Try again: it will not be done twice\.$/],
    ["key-reused", 422, /Check whether it arrived, or send this one as well\.$/],
  ])(
    "When it is %s, then the message says what to do, instead of the text meant for API clients",
    (code, status, text) => {
      const body = { ...problem, status, code, detail: "Something about keys." };
      expect(read(body, { status }).message).toMatch(text);
    },
  );

  it.each(["brand-new", "toString", "__proto__"])("When its code is %s, then it is unreadable", (code) => {
    expect(read({ ...problem, code }, { status: 409 })).toMatchObject({
      code: "unreadable",
      status: 409,
    });
  });

  it("When it is not a problem document, then a 5xx is unavailable and anything else is unreadable", () => {
    expect(read("<h1>", { status: 500, headers: { "Retry-After": "9" } })).toMatchObject({
      code: "unavailable",
      status: 500,
      message: "Tasklane has a problem right now. Wait a moment and try again.",
      retryAfter: 9,
    });
    expect(read("<h1>", { status: 499 })).toMatchObject({ code: "unreadable", status: 499 });
  });

  it.each([
    ["1", "1 second"],
    ["119", "119 seconds"],
    ["120", "2 minutes"],
    ["121", "3 minutes"],
  ])("When there were too many requests and Retry-After is %s, then the message says %s", (value, words) => {
    const busy = read({ ...problem, requestId: "r1" }, { status: 429, headers: { "Retry-After": value } });
    expect(busy.message).toBe(`Too many requests. Try again in ${words}.`);
    expect(busy).toMatchObject({ code: "too-many-requests", status: 429, requestId: "r1" });
  });
});

it("When there were too many requests without Retry-After, then the message says to wait a moment", () => {
  const busy = readProblem(new Response(null, { status: 429 }), "<h1>429</h1>");
  expect(busy.message).toBe("Too many requests. Wait a moment and try again.");
  expect(busy).toMatchObject({ retryAfter: undefined, requestId: undefined, fieldErrors: [] });
});

describe("the kind of a problem", () => {
  const unavailable = new ApiProblem("unavailable", 503, "Later.");
  const unknown = new ApiProblem("outcome-unknown", 503, "Unsure.");
  const rejected = new ApiProblem("wrong-state", 409, "No.");
  const all = [offlineProblem(), unavailable, unknown, rejected, new Error("bug"), null];

  it("When there was no response, or it says unavailable, then the API is down", () => {
    expect(all.map(isApiDown)).toEqual([true, true, false, false, false, false]);
  });

  it("When the API is down or there were too many requests, then the failure is temporary", () => {
    const busy = new ApiProblem("too-many-requests", 429, "Slowly.");
    expect([busy, ...all].map(isTemporary)).toEqual([true, true, true, false, false, false, false]);
  });

  it("When a write may have been carried out, then its outcome is unknown", () => {
    expect(all.map(isOutcomeUnknown)).toEqual([true, true, true, false, false, false]);
  });

  it("When the server has processed a write and responds 4xx, then it was rejected", () => {
    const statuses = [400, 401, 403, 404, 408, 409, 412, 422, 429, 499, 500, 503];
    const found = statuses.filter((status) => isRejected(new ApiProblem("invalid", status, "")));
    expect(found).toEqual([400, 403, 404, 409, 412, 422, 499]);
    // A proxy may respond 4xx too.
    const others = [offlineProblem(), unreadableProblem(404), new Error("bug"), null];
    expect(others.filter(isRejected)).toEqual([]);
  });

  it("When an API problem has status 401, then the session is over", () => {
    const errors = [
      notSignedInProblem(),
      new ApiProblem("session-expired", 401, ""),
      rejected,
      { status: 401 },
    ];
    expect(errors.map(isSessionOver)).toEqual([true, true, false, false]);
    expect(notSignedInProblem()).toMatchObject({
      code: "not-signed-in",
      message: "Please log in to continue.",
    });
  });

  it("When another error was thrown, then its message is not shown", () => {
    expect(problemText(new Error("x is undefined"))).toBe("Something went wrong. Please try again.");
    expect(problemText(rejected)).toBe("No.");
    expect(unreadableProblem(200)).toMatchObject({
      code: "unreadable",
      status: 200,
      message: "Tasklane sent a response that this page does not understand. Reload the page and try again.",
    });
  });

  it("When there was no response, then the message says if the browser itself is offline", () => {
    expect(offlineProblem()).toMatchObject({
      code: "offline",
      status: 0,
      timedOut: false,
      message: "We can't reach Tasklane right now. Check your connection and try again.",
    });
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    expect(offlineProblem({ timedOut: true })).toMatchObject({
      timedOut: true,
      message: "You were offline. Connect to the internet and try again.",
    });
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
