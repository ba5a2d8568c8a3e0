import { expect, test } from "vitest";
import type { Message } from "../../../src/contract/index.ts";
import { MessageLedger } from "./message-ledger.ts";

const SPAN = { beganAt: 0, endedAt: 1 };
const NOTHING = {
  lostMessages: [],
  duplicatedMessages: [],
  unknownMessages: [],
  reorderedMessages: [],
  unsettledMessages: [],
};

/** Newest first: the last text is message number 1. */
function reading(...texts: string[]): Message[] {
  return texts.map((text, index) => {
    const number = texts.length - index;
    return { _id: `${number}`, number, text, mine: true, createdAt: "" };
  });
}

function aLedger(): MessageLedger {
  const ledger = new MessageLedger();
  ledger.sent("c", "one", SPAN, { ending: "acknowledged", number: 1 });
  ledger.sent("c", "two", SPAN, { ending: "unsure" });
  ledger.sent("c", "two", SPAN, { ending: "acknowledged", number: 2 });
  return ledger;
}
const found = (ledger: MessageLedger, client: Message[], freelancer = client) =>
  ledger.compare(new Map([["c", { client, freelancer }]]));

test("When both sides read what was acknowledged, once and in the same order, then nothing is found", () => {
  expect(found(aLedger(), reading("two", "one"))).toEqual(NOTHING);
});

test("When an acknowledged message is missing, duplicated or renumbered, then it is found, for each reader", () => {
  const gone = found(aLedger(), reading("one"), reading("two", "one"));
  expect(gone.lostMessages).toEqual(["c, the client: two, acknowledged as 2, read as "]);
  expect(found(aLedger(), reading("two", "two", "one")).duplicatedMessages).toHaveLength(2);
  expect(found(aLedger(), reading("one", "two")).lostMessages).toHaveLength(4);
  expect(aLedger().compare(new Map()).lostMessages).toHaveLength(4);
});

test("When the two sides read different orders, or numbers with a gap, then it is found", () => {
  const [two, one] = reading("two", "one") as [Message, Message];
  expect(found(aLedger(), [two, one], [one, two]).reorderedMessages).toEqual([
    "c, the freelancer: read 1,2",
    "c: the two sides read different orders",
  ]);
  expect(found(aLedger(), [{ ...two, number: 3 }, one]).reorderedMessages).toHaveLength(2);
});

test("When a message's outcome is unknown, then it may be stored once or not at all, but is reported as unsettled", () => {
  const ledger = aLedger();
  ledger.sent("c", "three", SPAN, { ending: "unsure" });
  for (const texts of [
    ["three", "two", "one"],
    ["two", "one"],
  ])
    expect(found(ledger, reading(...texts))).toEqual({ ...NOTHING, unsettledMessages: ["c: three"] });
  expect(found(ledger, reading("three", "three", "two", "one")).duplicatedMessages).toHaveLength(2);
});

test("When a message is read that was refused, or that nobody sent, then it is found", () => {
  const ledger = aLedger();
  ledger.sent("c", "refused", SPAN, { ending: "refused" });
  expect(found(ledger, reading("strange", "refused", "two", "one")).unknownMessages).toHaveLength(4);
});
