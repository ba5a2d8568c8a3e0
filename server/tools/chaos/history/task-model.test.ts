import { expect, test } from "vitest";
import { whyNotLinearizable } from "./linearizability.ts";
import { type TaskInput, type TaskOperation, type TaskOutput, taskModel } from "./task-model.ts";

const model = taskModel({ budget: 100, description: "first" });
const done = { changed: true };
const bid = (by: string, amount?: number): TaskInput => ({
  kind: "bid",
  by,
  ...(amount !== undefined && { amount }),
});
const view = (bidsCount: number, { state = "open", description = "first" } = {}): TaskOutput => ({
  view: { state: state as "open", bidsCount, description },
});

type Step = [input: TaskInput, output: TaskOutput | undefined, beganAt?: number, endedAt?: number];

/** Steps run one after another unless times are given. */
function stuckAt(...steps: Step[]): TaskOutput | undefined {
  const operations = steps.map(
    ([input, output, beganAt, endedAt], index): TaskOperation => ({
      input,
      output,
      beganAt: beganAt ?? index * 10,
      endedAt: endedAt ?? (beganAt ?? index * 10) + 5,
    }),
  );
  return whyNotLinearizable(operations, model)?.output;
}

test("When a task goes from bids to completion, then every step is explained", () => {
  expect(
    stuckAt(
      [bid("ann"), done],
      [bid("ann"), { changed: false }],
      [bid("bob", 80), done],
      [{ kind: "list-bids" }, { bids: { ann: 100, bob: 80 } }],
      [{ kind: "withdraw", by: "ann" }, done],
      [{ kind: "award", to: "ann" }, { refused: "bid-not-found" }],
      [{ kind: "award", to: "bob" }, done],
      [{ kind: "award", to: "bob" }, { changed: false }],
      [bid("eve", 10), { refused: "task-not-open" }],
      [{ kind: "withdraw", by: "bob" }, { refused: "wrong-state" }],
      [{ kind: "edit", description: "second" }, { refused: "task-locked" }],
      [{ kind: "cancel" }, done],
      [{ kind: "reopen" }, done],
      [{ kind: "edit", description: "second" }, done],
      [{ kind: "read" }, view(1, { description: "second" })],
      [{ kind: "award", to: "bob" }, done],
      [{ kind: "deliver", by: "ann" }, { refused: "not-hired" }],
      [{ kind: "deliver", by: "bob" }, done],
      [{ kind: "award", to: "bob" }, { changed: false }],
      [{ kind: "edit", description: "third" }, { refused: "task-locked" }],
      [{ kind: "edit", description: "second" }, done],
      [{ kind: "cancel" }, { refused: "wrong-state" }],
      [{ kind: "read" }, view(1, { state: "awarded", description: "second" })],
      [{ kind: "request-changes" }, done],
      [{ kind: "request-changes" }, { refused: "wrong-state" }],
      [{ kind: "deliver", by: "bob" }, done],
      [{ kind: "complete" }, done],
      [{ kind: "award", to: "bob" }, { refused: "wrong-state" }],
      [{ kind: "edit", description: "second" }, { refused: "task-locked" }],
      [{ kind: "read" }, view(1, { state: "completed", description: "second" })],
    ),
  ).toBeUndefined();
});

test("When a bid without a response appears later, or never, then both are explained", () => {
  expect(
    stuckAt([bid("ann"), undefined], [{ kind: "read" }, view(0)], [{ kind: "read" }, view(1)]),
  ).toBeUndefined();
  expect(stuckAt([bid("ann"), undefined], [{ kind: "read" }, view(0)])).toBeUndefined();
});

test.each<[string, Step[]]>([
  [
    "an acknowledged bid is missing",
    [
      [bid("ann"), done],
      [{ kind: "list-bids" }, { bids: {} }],
    ],
  ],
  [
    "a bid is counted twice",
    [
      [bid("ann"), done],
      [{ kind: "read" }, view(2)],
    ],
  ],
  [
    "a change is lost",
    [
      [bid("ann"), done],
      [bid("ann", 70), done],
      [{ kind: "list-bids" }, { bids: { ann: 100 } }],
    ],
  ],
  [
    "an edit is lost",
    [
      [{ kind: "edit", description: "second" }, done],
      [{ kind: "read" }, view(0)],
    ],
  ],
  [
    "two people are hired",
    [
      [bid("ann"), done],
      [bid("bob"), done],
      [{ kind: "award", to: "ann" }, done, 20, 40],
      [{ kind: "award", to: "bob" }, done, 20, 40],
    ],
  ],
  [
    "an older state is read after a newer one",
    [
      [bid("ann"), done],
      [bid("bob"), done, 10, 50],
      [{ kind: "read" }, view(2), 11, 12],
      [{ kind: "read" }, view(1), 20, 21],
    ],
  ],
  [
    "a withdrawn bid reappears",
    [
      [bid("ann"), done],
      [{ kind: "withdraw", by: "ann" }, done],
      [{ kind: "read" }, view(1)],
    ],
  ],
  ["a bid is read that nobody placed", [[{ kind: "list-bids" }, { bids: { eve: 1 } }]]],
  [
    "a bid is accepted after the award",
    [
      [bid("ann"), done],
      [{ kind: "award", to: "ann" }, done],
      [bid("bob"), done],
    ],
  ],
  ["a completed task was never awarded", [[{ kind: "complete" }, done]]],
])("When %s, then no order explains it", (_, steps) => {
  expect(stuckAt(...steps)).toBeDefined();
});
