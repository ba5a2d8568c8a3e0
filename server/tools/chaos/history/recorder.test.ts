import { expect, test } from "vitest";
import { exampleTask } from "../../lib/example-task.ts";
import type { Outcome } from "../balancer.ts";
import { createTaskHistory, type TaskInput } from "./task-history.ts";

const response = (status: number | undefined, body: unknown): Outcome => ({
  status,
  body,
  retryAfterS: 0,
  ms: 1,
});
const DONE = response(200, { modifiedCount: 1 });
const seen = (bidsCount: number) => response(200, { state: "open", bidsCount, description: "first" });
const bid: TaskInput = { by: "ann", action: { kind: "bid" } };
const read: TaskInput = { by: "ann", reads: "task" };

function aHistory() {
  const history = createTaskHistory();
  history.begin("t", { owner: "cleo", draft: exampleTask({ budget: 100, description: "first" }) });
  return history;
}
const linesOf = (history: ReturnType<typeof aHistory>) => history.problems().map(({ line }) => line);

test.each<[string, Outcome, boolean]>([
  ["it was done", DONE, true],
  ["nothing was done", response(503, { code: "unavailable" }), false],
  ["it was rate limited", response(429, { code: "too-many-requests" }), false],
])("When a bid's response says that %s, then what is read must agree", (_, outcome, isStored) => {
  for (const count of [0, 1]) {
    const history = aHistory();
    history.add("t", bid, outcome, { beganAt: 0, endedAt: 5 });
    history.add("t", read, seen(count), { beganAt: 10, endedAt: 15 });
    expect(linesOf(history)).toHaveLength(Number(isStored) === count ? 0 : 1);
  }
});

test.each<[string, Outcome]>([
  ["no response", response(undefined, undefined)],
  ["a 503 without an outcome", response(503, { code: "outcome-unknown" })],
  ["a page of a proxy", response(502, "Bad gateway")],
])("When a bid gets %s, then reads may show it or not, but it must not disappear again", (_, outcome) => {
  const look = (...counts: number[]) => {
    const history = aHistory();
    history.add("t", bid, outcome, { beganAt: 0, endedAt: 5 });
    for (const [at, count] of counts.entries())
      history.add("t", read, seen(count), { beganAt: 10 * at + 10, endedAt: 10 * at + 15 });
    return linesOf(history);
  };
  expect(look(0)).toEqual([]);
  expect(look(0, 1, 1)).toEqual([]);
  expect(look(1, 0)).toHaveLength(1);
});

test("When a visitor reads two-second-old data, then that is explained, but not three-second-old data, nor stale data for an owner", () => {
  const afterMs = (ms: number, anonymous: boolean) => {
    const history = aHistory();
    history.add("t", bid, DONE, { beganAt: 0, endedAt: 5 });
    history.add("t", read, seen(0), { beganAt: ms, endedAt: ms + 5, anonymous });
    return linesOf(history).length;
  };
  expect([afterMs(1_900, true), afterMs(3_000, true), afterMs(1_900, false)]).toEqual([0, 1, 1]);
});

test("When a reader gets a 404 for a posted task, then nothing explains it", () => {
  const history = aHistory();
  history.add("t", read, response(404, { code: "task-not-found" }), { beganAt: 0, endedAt: 5 });
  expect(linesOf(history)).toEqual([
    't: nothing explains {"by":"ann","reads":"task"} → {"refused":"task-not-found"}, 0 to 5 ms',
  ]);
  expect(history.counts()).toEqual({ things: 1, operations: 1 });
});
