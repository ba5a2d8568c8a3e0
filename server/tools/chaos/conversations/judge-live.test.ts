import { expect, test } from "vitest";
import type { Stream } from "../listeners.ts";
import { type ExpectedEvents, liveProblems } from "./judge-live.ts";

const message = (number: number, beganAt: number) =>
  ({ number, beganAt, endedAt: beganAt + 10, ending: "acknowledged" }) as const;
const heard = (fields: Partial<ExpectedEvents> = {}): ExpectedEvents => ({
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

test("When each message was delivered live, singly or several at a time, then nothing is found", () => {
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

test("When a message was delivered too late or never, then it is found, unless the page had to reload", () => {
  expect(liveProblems([stream([[115, 1]])], [heard()])).toEqual(["c: message 2 was not delivered live"]);
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
  ).toEqual(["c: message 2 was not delivered live"]);
  const unread = [{ at: 900, conversations: 1 }];
  expect(liveProblems([stream([[115, 1]], { unread })], [heard()])).toEqual([]);
});

test("When a stream opened after a message, or broke soon after it, then the message need not be delivered on it", () => {
  expect(liveProblems([stream([], { openedAt: 205 })], [heard()])).toEqual([]);
  expect(liveProblems([stream([], { closedAt: 5_000 })], [heard()])).toEqual([]);
});

test("When there are more events than changes, then it is found", () => {
  const received = stream([
    [50, 0],
    [115, 1],
    [215, 2],
    [300, 2],
    [310, 2],
  ]);
  expect(liveProblems([received], [heard()])).toEqual(["c: 5 live events for at most 3 changes"]);
  expect(
    liveProblems([received], [heard({ changes: [{ beganAt: 290, endedAt: 299 }], notices: 1 })]),
  ).toEqual([]);
});

test("When an event reports fewer messages than before, or goes to an outsider, then it is found", () => {
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
  ).toEqual(["c: a live event with fewer messages than before"]);
  expect(liveProblems([stream([[115, 1]])], [])).toEqual(["c: sent live to an outsider"]);
});
