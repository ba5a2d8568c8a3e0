import { describe, expect, test } from "vitest";
import { aConversationDoc } from "../../../test/builders.ts";
import { formerMemberId } from "../../db/notices.ts";
import { CLOSED_DETAILS, closingTime, otherOf, roleOf, whyClosed } from "./conversation-policy.ts";

const conversation = aConversationDoc({ clientId: "clara", freelancerId: "fay" });
const NOW = new Date("2026-11-21T12:00:00.000Z");
const openTask = { state: "open" } as const;
const why = (blockedBy: string[], task: Parameters<typeof whyClosed>[1] = openTask) =>
  whyClosed({ ...conversation, blockedBy }, task, "clara", NOW);

test("When somebody is in a conversation, then they are one side of it and the other one is the other", () => {
  expect([roleOf(conversation, "clara"), otherOf(conversation, "clara")]).toEqual(["client", "fay"]);
  expect([roleOf(conversation, "fay"), otherOf(conversation, "fay")]).toEqual(["freelancer", "clara"]);
});

describe("a task's conversations", () => {
  const endedAt = new Date("2026-10-22T12:00:00.000Z");

  test("When the task was completed or cancelled, then they take messages for thirty days more", () => {
    for (const state of ["completed", "cancelled"] as const) {
      expect(closingTime({ state, endedAt })).toEqual(NOW);
      expect(why([], { state, endedAt })).toBe("ended");
      expect(why([], { state, endedAt: new Date(endedAt.getTime() + 1) })).toBeUndefined();
    }
  });

  test("When the task goes on, also after it was opened again, then they do not close", () => {
    for (const state of ["open", "awarded", "delivered"] as const) {
      expect(closingTime({ state, endedAt })).toBeUndefined();
      expect(why([], { state, endedAt })).toBeUndefined();
    }
    expect(closingTime({ state: "completed" })).toBeUndefined();
  });

  test("When the task was deleted, then they are closed", () => {
    expect(why([], null)).toBe("deleted");
  });
});

describe("a conversation that one side has blocked", () => {
  test("When it was the reader, then that is said first, else that the other one did", () => {
    expect(why(["clara"])).toBe("you-blocked");
    expect(why(["fay"])).toBe("blocked-you");
    expect(why(["fay", "clara"], null)).toBe("you-blocked");
  });

  test("When the other side has left, then that is said before all else", () => {
    const left = { ...conversation, freelancerId: formerMemberId(), blockedBy: ["clara"] };
    expect(whyClosed(left, null, "clara", NOW)).toBe("left");
  });

  test("When nobody did, then it takes messages", () => {
    expect(why([])).toBeUndefined();
  });
});

test.each([
  ["left", /other side has deleted their account/],
  ["you-blocked", /You have blocked this person\. Unblock them/],
  ["blocked-you", /takes no messages from you/],
  ["deleted", /task was deleted/],
  ["ended", /ended more than 30 days ago/],
] as const)("When it is closed because of %s, then the writer reads that", (reason, words) => {
  expect(CLOSED_DETAILS[reason]).toMatch(words);
});
