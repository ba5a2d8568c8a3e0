import { describe, expect, test } from "vitest";
import { aBidDoc } from "../../../test/builders.ts";
import { MAX_SENT_TO } from "../../contract/index.ts";
import type { MessagePrint } from "../../db/documents/bids.ts";
import { isNearlySame, messagePrint, withPrint } from "./similar-messages.ts";

const printOf = (message: string) => messagePrint(message) as MessagePrint;
const areAlike = (one: string, other: string) => {
  const keys = new Set(printOf(other).keys);
  return {
    isFound: printOf(one).keys.some((key) => keys.has(key)),
    isSame: isNearlySame(printOf(one), printOf(other)),
  };
};

const template = (client: string, title: string) =>
  `Dear ${client}, I have read your task ${title} carefully and I am the best person to do it. I have more than eight years of experience, I deliver on time, and my clients come back. Please open a chat so that we can talk about the details.`;
const SENT = template("Clara", "Logo for a bakery");
const OTHER =
  "Your brief is clear. Two questions before I start: who hosts it today, and may I have read access to the current database? I would begin with a small working version in the first week.";
const wide = (text: string) =>
  text.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));

test.each([
  ["the same", SENT],
  ["a template with other names", template("Dr. Kim", "Booking page")],
  ["shouted", SENT.toUpperCase()],
  ["laid out differently", SENT.replace(/[.,] /g, " …\n\n— ")],
  ["full of invisible characters", SENT.replace(/e/g, "e\u200B")],
  ["in wide letters", wide(SENT)],
  ["a sentence longer", `${SENT} I can start on Monday.`],
])("When a message is %s, then it is found and is nearly the same", (_how, message) => {
  const alike = { isFound: true, isSame: true };
  expect([areAlike(SENT, message), areAlike(message, SENT)]).toEqual([alike, alike]);
});

test.each([
  ["another one", OTHER],
  ["a third of it", SENT.slice(0, 90)],
  [
    "the same greeting and goodbye around something else",
    `Dear Clara, I have read your task. ${OTHER} Please open a chat.`,
  ],
])("When a message is %s, then it is not nearly the same", (_what, message) => {
  expect([areAlike(SENT, message).isSame, areAlike(message, SENT).isSame]).toEqual([false, false]);
});

describe("a message's print", () => {
  test("When a message is too short after normalization, then it has no print", () => {
    const short = "I have done this before and can start today".padEnd(79, "y");
    for (const message of ["", short, `${short}!${" ".repeat(500)}\u200B?`])
      expect(messagePrint(message)).toBeUndefined();
    expect(messagePrint(`${short}y`)).toBeDefined();
  });

  test("When a message is as long as possible, then its print stays small and fits into 32-bit integers", () => {
    const long = Array.from({ length: 500 }, (_, index) => `w${index * index}`)
      .join(" ")
      .slice(0, 2_000);
    const { keys, sketch } = printOf(long);
    expect([keys.length, sketch.length]).toEqual([4, 32]);
    for (const hash of sketch) expect(hash).toBe(hash | 0);
    expect(new Set(sketch).size).toBe(32);
  });
});

test("When nearly the same message was sent on other tasks, then these are counted, up to a maximum", () => {
  const print = printOf(SENT);
  const sent = (more: object) => aBidDoc({ bidderId: "fay", print, ...more });
  const bid = sent({});
  const short = aBidDoc({ bidderId: "fay" });
  const others = [sent({ taskId: bid.taskId }), sent({ print: printOf(OTHER) }), short, sent({})];
  expect(withPrint(bid, print, others).sentTo).toBe(1);
  expect(withPrint(bid, print, Array(MAX_SENT_TO + 5).fill(sent({}))).sentTo).toBe(MAX_SENT_TO);
});
