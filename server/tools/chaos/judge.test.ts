import { expect, test } from "vitest";
import { problemsOfRequests, withoutResponse } from "./judge.ts";
import type { Phase, Sent } from "./report.ts";

const sent = (fields: Partial<Sent>): Sent => ({ at: 100, ms: 10, status: 200, what: "bid", ...fields });

test("When requests succeed, are refused because of a state, or should be retried, then nothing is wrong", () => {
  const fine = [
    sent({}),
    sent({ status: 409, why: "task-not-open" }),
    sent({ status: 503, why: "unavailable" }),
    sent({ status: 429, why: "too-many-requests" }),
    sent({ status: undefined }),
  ];
  expect(problemsOfRequests(fine)).toEqual([]);
});

test("When a request fails, is refused without reason, or takes longer than six seconds, then it is found", () => {
  const wrong = [
    sent({ status: 500, why: "internal-error" }),
    sent({ status: 500, why: "internal-error" }),
    sent({ what: "GET /tasks/:id", status: 404, why: "task-not-found" }),
    sent({ ms: 6_001 }),
  ];
  expect(problemsOfRequests(wrong)).toEqual([
    "2 × bid got 500 internal-error",
    "1 × GET /tasks/:id got 404 task-not-found",
    "bid took 6001 ms, 0 s into the run",
  ]);
});

test("When a request gets no response, then it is found, unless its instance was killed", () => {
  const phase = (name: string, from: number, to: number): Phase => ({ name, from, to, note: "" });
  const phases = [phase("nothing", 0, 200), phase("API instance killed -9, replaced", 200, 300)];
  const lost = [150, 250, 350].map((at) => sent({ at, status: undefined, why: "ECONNRESET" }));
  expect(withoutResponse(lost, phases)).toEqual([
    '1 × during "nothing" no response to bid: ECONNRESET after 0 s',
    '1 × during "no fault" no response to bid: ECONNRESET after 0 s',
  ]);
});
