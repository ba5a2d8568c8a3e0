import { expect, test } from "vitest";
import {
  type ConversationInput,
  type ConversationOperation,
  conversationModel,
  type SeenMessage,
} from "./conversation-model.ts";
import { whyNotLinearizable } from "./linearizability.ts";

type Step = [
  input: ConversationInput,
  output: ConversationOperation["output"],
  beganAt?: number,
  endedAt?: number,
];
type Role = "client" | "freelancer";

const send = (by: Role, key: string): ConversationInput => ({ kind: "send", by, key });
const see = (by: Role, upTo: number): ConversationInput => ({ kind: "see", by, upTo });
const page = (by: Role, before?: number): ConversationInput => ({
  kind: "page",
  by,
  limit: 2,
  ...(before !== undefined && { before }),
});
/** A page as the freelancer reads it; the client writes in lower case. */
const read = (hasMore: boolean, ...messages: [number, string][]) => ({
  page: messages.map(([number, key]): SeenMessage => [number, key, key === key.toUpperCase()]),
  hasMore,
});
const view = (count: number, unread: number, seenByOther: number, last: string | null) => ({
  view: { count, unread, seenByOther, last },
});
const A = send("client", "a");
const B = send("client", "b");
const C = send("freelancer", "C");

/** Steps run one after another unless times are given. */
function stuckAt(...steps: Step[]): ConversationOperation["output"] {
  const operations = steps.map(
    ([input, output, beganAt, endedAt], index): ConversationOperation => ({
      input,
      output,
      beganAt: beganAt ?? index * 10,
      endedAt: endedAt ?? (beganAt ?? index * 10) + 5,
    }),
  );
  return whyNotLinearizable(operations, conversationModel)?.output;
}

test("When two people write, read page by page and mark as seen, then every step is explained", () => {
  expect(
    stuckAt(
      [{ kind: "read", by: "freelancer" }, view(0, 0, 0, null)],
      [A, { number: 1 }],
      [B, { number: 2 }],
      [{ kind: "read", by: "freelancer" }, view(2, 2, 2, "b")],
      [see("freelancer", 1), { changed: true }],
      [see("freelancer", 1), { changed: false }],
      [{ kind: "read", by: "client" }, view(2, 0, 1, "b")],
      [C, { number: 3 }],
      [{ kind: "read", by: "freelancer" }, view(3, 0, 2, "C")],
      [{ kind: "read", by: "client" }, view(3, 1, 3, "C")],
      [page("freelancer"), read(true, [3, "C"], [2, "b"])],
      [page("freelancer", 2), read(false, [1, "a"])],
      [see("client", 9), { changed: true }],
      [{ kind: "pry" }, { refused: "conversation-not-found" }],
    ),
  ).toBeUndefined();
});

test("When a message without a response is sent again with its key, then it is stored once, whenever it took effect", () => {
  expect(stuckAt([A, undefined], [B, { number: 1 }], [A, { number: 2 }])).toBeUndefined();
  expect(stuckAt([A, undefined], [A, { number: 1 }], [B, { number: 2 }])).toBeUndefined();
  expect(stuckAt([A, undefined], [page("freelancer"), read(false)], [B, { number: 2 }])).toBeUndefined();
  expect(stuckAt([A, undefined], [B, { number: 1 }], [page("freelancer"), read(false, [1, "b"])])).toBe(
    undefined,
  );
});

test("When two people write at the same moment, then either may come first, but for everybody", () => {
  const both: Step[] = [
    [A, { number: 2 }, 0, 9],
    [C, { number: 1 }, 1, 8],
  ];
  expect(stuckAt(...both, [page("freelancer"), read(false, [2, "a"], [1, "C"])])).toBeUndefined();
  expect(stuckAt(...both, [page("freelancer"), read(false, [2, "C"], [1, "a"])])).toBeDefined();
});

test.each<[string, Step[]]>([
  [
    "an acknowledged message is missing",
    [
      [A, { number: 1 }],
      [page("freelancer"), read(false)],
    ],
  ],
  [
    "a message that was sent again is stored twice",
    [
      [A, undefined],
      [A, { number: 2 }],
      [page("freelancer"), read(false, [2, "a"], [1, "a"])],
    ],
  ],
  [
    "two messages have the same number",
    [
      [A, { number: 1 }, 0, 9],
      [C, { number: 1 }, 0, 9],
    ],
  ],
  [
    "a page leaves out a message in the middle",
    [
      [A, { number: 1 }],
      [B, { number: 2 }],
      [C, { number: 3 }],
      [page("freelancer"), read(true, [3, "C"], [1, "a"])],
    ],
  ],
  [
    "a page says that there is no more although there is",
    [
      [A, { number: 1 }],
      [B, { number: 2 }],
      [C, { number: 3 }],
      [page("freelancer"), read(false, [3, "C"], [2, "b"])],
    ],
  ],
  [
    "the two sides read different orders",
    [
      [A, { number: 1 }, 0, 9],
      [B, { number: 2 }, 0, 9],
      [page("freelancer"), read(false, [2, "b"], [1, "a"]), 10, 11],
      [
        page("client"),
        {
          page: [
            [2, "a", true],
            [1, "b", true],
          ],
          hasMore: false,
        },
        12,
        13,
      ],
    ],
  ],
  [
    "a message disappears after it was read",
    [
      [A, { number: 1 }, 0, 100],
      [page("freelancer"), read(false, [1, "a"]), 1, 2],
      [page("client"), { page: [], hasMore: false }, 3, 4],
    ],
  ],
  [
    "a reader's own message is shown as the other's",
    [
      [A, { number: 1 }],
      [page("client"), read(false, [1, "a"])],
    ],
  ],
  [
    "seen messages become unread again",
    [
      [A, { number: 1 }],
      [see("freelancer", 1), { changed: true }],
      [{ kind: "read", by: "freelancer" }, view(1, 1, 1, "a")],
    ],
  ],
  [
    "a message counts as seen that nobody has seen",
    [
      [A, { number: 1 }],
      [{ kind: "read", by: "client" }, view(1, 0, 1, "a")],
    ],
  ],
  ["a message is read that nobody wrote", [[page("freelancer"), read(false, [1, "a"])]]],
  ["an outsider reads it", [[{ kind: "pry" }, { page: [], hasMore: true }]]],
])("When %s, then no order explains it", (_, steps) => {
  expect(stuckAt(...steps)).toBeDefined();
});
