import { expect, test } from "vitest";
import { exampleTask } from "../../lib/example-task.ts";
import type { Action } from "../../model/task.ts";
import { type ConversationInput, conversationModel } from "./conversation-history.ts";
import { type Model, whyNotLinearizable } from "./linearizability.ts";
import { modelOf, type TaskInput } from "./task-history.ts";

const taskModel = modelOf({ owner: "cleo", draft: exampleTask({ budget: 100, description: "first" }) });
const done = { changed: true };
const act = (by: string, action: Action): TaskInput => ({ by, action });
const bid = (by: string, amount?: number) => act(by, { kind: "bid", amount } as Action);
const award = (whose: string) => act("cleo", { kind: "award", whose });
const withdraw = act("ann", { kind: "withdraw" });
const bids: TaskInput = { by: "cleo", reads: "bids" };

type Step<Input> = [input: Input, output: object | undefined, beganAt?: number, endedAt?: number];

/** Steps run one after another unless times are given. */
function isExplained<State, Input, Output extends object>(
  model: Model<State, Input, Output>,
  steps: readonly Step<Input>[],
): boolean {
  const operations = steps.map(([input, output, beganAt, endedAt], index) => ({
    input,
    output: output as Output | undefined,
    beganAt: beganAt ?? index * 10,
    endedAt: endedAt ?? (beganAt ?? index * 10) + 5,
  }));
  return whyNotLinearizable(operations, model) === undefined;
}

test.each<[string, boolean, Step<TaskInput>[]]>([
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
  expect(isExplained(taskModel, steps)).toBe(expected);
});

const send = (by: "client" | "freelancer", key: string): ConversationInput => ({ by, sends: key });
const seen: ConversationInput = { by: "freelancer", hasSeen: 1 };
const look: ConversationInput = { by: "freelancer", reads: "conversation" };
const page: ConversationInput = { by: "freelancer", reads: "page", limit: 2 };
const A = send("client", "a");
const C = send("freelancer", "c");
const read = (count: number, unread: number, seenByOther: number, last: string | null) => ({
  count,
  unread,
  seenByOther,
  last,
});
const both: Step<ConversationInput>[] = [
  [A, { number: 2 }, 0, 9],
  [C, { number: 1 }, 1, 8],
];

test.each<[string, boolean, Step<ConversationInput>[]]>([
  [
    "two people write, read and mark as seen",
    true,
    [
      [look, read(0, 0, 0, null)],
      [A, { number: 1 }],
      [seen, done],
      [seen, { changed: false }],
      [C, { number: 2 }],
      [look, read(2, 0, 1, "c")],
      [
        page,
        {
          page: [
            [2, "c", true],
            [1, "a", false],
          ],
          hasMore: false,
        },
      ],
      [{ by: "outsider", reads: "conversation" }, { refused: "conversation-not-found" }],
    ],
  ],
  [
    "a message without a response is sent again",
    true,
    [
      [A, undefined],
      [C, { number: 2 }],
      [A, { number: 1 }],
    ],
  ],
  [
    "two write at the same moment",
    true,
    [
      ...both,
      [
        page,
        {
          page: [
            [2, "a", false],
            [1, "c", true],
          ],
          hasMore: false,
        },
      ],
    ],
  ],
  [
    "their order changes",
    false,
    [
      ...both,
      [
        page,
        {
          page: [
            [2, "c", true],
            [1, "a", false],
          ],
          hasMore: false,
        },
      ],
    ],
  ],
  [
    "an acknowledged message is missing",
    false,
    [
      [A, { number: 1 }],
      [page, { page: [], hasMore: false }],
    ],
  ],
  [
    "two messages have the same number",
    false,
    [
      [A, { number: 1 }, 0, 9],
      [C, { number: 1 }, 0, 9],
    ],
  ],
  [
    "seen messages become unread again",
    false,
    [
      [A, { number: 1 }],
      [seen, done],
      [look, read(1, 1, 1, "a")],
    ],
  ],
  ["an outsider reads it", false, [[{ by: "outsider", reads: "conversation" }, read(0, 0, 0, null)]]],
])("When %s, then that is explained: %s", (_, expected, steps) => {
  expect(isExplained(conversationModel, steps)).toBe(expected);
});
