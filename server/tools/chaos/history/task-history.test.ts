import { expect, test } from "vitest";
import { exampleTask } from "../../lib/example-task.ts";
import type { Action } from "../../model/task.ts";
import type { Outcome } from "../balancer.ts";
import { whyNotLinearizable } from "./linearizability.ts";
import { createTaskHistory, modelOf, type TaskInput } from "./task-history.ts";

const taskModel = modelOf({ owner: "cleo", draft: exampleTask({ budget: 100, description: "first" }) });
const done = { changed: true };
const act = (by: string, action: Action): TaskInput => ({ by, action });
const bid = (by: string, amount?: number) => act(by, { kind: "bid", amount } as Action);
const award = (whose: string) => act("cleo", { kind: "award", whose });
const withdraw = act("ann", { kind: "withdraw" });
const task: TaskInput = { by: "visitor", reads: "task" };
const bids: TaskInput = { by: "cleo", reads: "bids" };
const view = (bidsCount: number, state = "open") => ({ state, bidsCount, description: "first" });

type Step = [input: TaskInput, output: object | undefined, beganAt?: number, endedAt?: number];

/** Steps run one after another unless times are given. */
function isExplained(steps: readonly Step[]): boolean {
  const operations = steps.map(([input, output, beganAt, endedAt], index) => ({
    input,
    output: output as { changed: boolean } | undefined,
    beganAt: beganAt ?? index * 10,
    endedAt: endedAt ?? (beganAt ?? index * 10) + 5,
  }));
  return whyNotLinearizable(operations, taskModel) === undefined;
}

test.each<[string, boolean, Step[]]>([
  [
    "a task goes from bids to completion",
    true,
    [
      [bid("ann"), done],
      [bid("ann"), { changed: false }],
      [bid("bob", 80), done],
      [bids, { bids: { ann: 100, bob: 80 } }],
      [withdraw, done],
      [award("ann"), { refused: "bid-not-found" }],
      [award("bob"), done],
      [bid("eve"), { refused: "task-not-open" }],
      [act("bob", { kind: "deliver" }), done],
      [task, view(1, "awarded")],
      [act("cleo", { kind: "complete" }), done],
      [task, view(1, "completed")],
    ],
  ],
  [
    "an award names a bid that was replaced",
    true,
    [
      [bid("ann"), done],
      [withdraw, done],
      [bid("ann"), done],
      [award("ann"), { refused: "bid-not-found" }],
    ],
  ],
  [
    "an acknowledged bid is missing",
    false,
    [
      [bid("ann"), done],
      [bids, { bids: {} }],
    ],
  ],
  [
    "a withdrawn bid reappears",
    false,
    [
      [bid("ann"), done],
      [withdraw, done],
      [task, view(1)],
    ],
  ],
  [
    "an edit is lost",
    false,
    [
      [act("cleo", { kind: "edit", description: "second" }), done],
      [task, view(0)],
    ],
  ],
  [
    "two people are hired",
    false,
    [
      [bid("ann"), done],
      [bid("bob"), done],
      [award("ann"), done, 20, 40],
      [award("bob"), done, 20, 40],
    ],
  ],
])("When %s, then that is explained: %s", (_, expected, steps) => {
  expect(isExplained(steps)).toBe(expected);
});

const response = (status: number | undefined, body: unknown): Outcome => ({
  status,
  body,
  retryAfterS: 0,
  ms: 1,
});
const DONE = response(200, { modifiedCount: 1 });
const seen = (bidsCount: number) => response(200, { state: "open", bidsCount, description: "first" });
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
    history.add("t", bid("ann"), outcome, { beganAt: 0, endedAt: 5 });
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
    history.add("t", bid("ann"), outcome, { beganAt: 0, endedAt: 5 });
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
    history.add("t", bid("ann"), DONE, { beganAt: 0, endedAt: 5 });
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
  expect(history.counts()).toEqual({ tasks: 1, operations: 1 });
});
