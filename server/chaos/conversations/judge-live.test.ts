import { expect, test } from "vitest";
import type { Stream } from "../listeners.ts";
import { type Heard, liveProblems } from "./judge-live.ts";

const message = (number: number, beganAt: number) =>
  ({ number, beganAt, endedAt: beganAt + 10, ending: "acknowledged" }) as const;
const heard = (fields: Partial<Heard> = {}): Heard => ({
  id: "c",
  messages: [message(1, 100), message(2, 200)],
  changes: [],
  notices: 0,
  ...fields,
});
function stream(counts: [at: number, count: number][], fields: Partial<Stream> = {}): Stream {
  const conversations = counts.map(([at, count]) => ({ at, count, conversationId: "c" }));
  return { openedAt: 0, closedAt: undefined, unread: [], conversations, ...fields };
}

test("When each message was told, one by one or several at once, then nothing is found", () => {
  expect(
    liveProblems(
      [
        stream([
          [115, 1],
          [215, 2],
        ]),
      ],
      [heard()],
    ),
  ).toEqual([]);
  expect(liveProblems([stream([[215, 2]])], [heard()])).toEqual([]);
});

test("When a message was told too late, or never, then it is found, unless the page was told to read again", () => {
  expect(liveProblems([stream([[115, 1]])], [heard()])).toEqual(["c: message 2 was not told live"]);
  expect(
    liveProblems(
      [
        stream([
          [115, 1],
          [40_000, 2],
        ]),
      ],
      [heard()],
    ),
  ).toEqual(["c: message 2 was not told live"]);
  const unread = [{ at: 900, conversations: 1 }];
  expect(liveProblems([stream([[115, 1]], { unread })], [heard()])).toEqual([]);
});

test("When a stream was opened after a message, or broke soon after it, then it need not tell of it", () => {
  expect(liveProblems([stream([], { openedAt: 205 })], [heard()])).toEqual([]);
  expect(liveProblems([stream([], { closedAt: 5_000 })], [heard()])).toEqual([]);
});

test("When more is told than has changed, then it is found", () => {
  const told = stream([
    [50, 0],
    [115, 1],
    [215, 2],
    [300, 2],
    [310, 2],
  ]);
  expect(liveProblems([told], [heard()])).toEqual(["c: told live 5 times, changed 3 times"]);
  expect(liveProblems([told], [heard({ changes: [{ beganAt: 290, endedAt: 299 }], notices: 1 })])).toEqual(
    [],
  );
});

test("When fewer messages are told of than before, or somebody hears of what is not theirs, then it is found", () => {
  expect(
    liveProblems(
      [
        stream([
          [115, 2],
          [215, 1],
          [216, 2],
        ]),
      ],
      [heard()],
    ),
  ).toEqual(["c: told live of fewer messages than before"]);
  expect(liveProblems([stream([[115, 1]])], [])).toEqual(["c: told live to somebody whose it is not"]);
});
