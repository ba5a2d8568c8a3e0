import { describe, expect, test } from "vitest";
import { aConversationDoc } from "../../../test/builders.ts";
import { formerMemberId } from "../../domain/notify.ts";
import { closingTime, otherOf, roleOf, whyClosed } from "./rules.ts";

const conversation = aConversationDoc({ clientId: "clara", freelancerId: "fay" });
const NOW = new Date("2026-11-21T12:00:00.000Z");
const openTask = { state: "open" } as const;
const why = (blockedBy: string[], task: Parameters<typeof whyClosed>[1] = openTask) =>
  whyClosed({ ...conversation, blockedBy }, task, "clara", NOW);

test("When somebody is a member of a conversation, then they have a role in it, and the other member is found", () => {
  expect([roleOf(conversation, "clara"), otherOf(conversation, "clara")]).toEqual(["client", "fay"]);
  expect([roleOf(conversation, "fay"), otherOf(conversation, "fay")]).toEqual(["freelancer", "clara"]);
});

describe("a task's conversations", () => {
  const endedAt = new Date("2026-10-22T12:00:00.000Z");

  test("When the task was completed or cancelled, then they take messages for another thirty days", () => {
    for (const state of ["completed", "cancelled"] as const) {
      expect(closingTime({ state, endedAt })).toEqual(NOW);
      expect(why([], { state, endedAt })).toBe("ended");
      expect(why([], { state, endedAt: new Date(endedAt.getTime() + 1) })).toBeUndefined();
    }
  });

  test("When the task has not ended, or was reopened, then they do not close", () => {
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

describe("a blocked conversation", () => {
  test("When both members have blocked each other, then the reader's own block is the reason", () => {
    expect(why(["clara"])).toBe("you-blocked");
    expect(why(["fay"])).toBe("blocked-you");
    expect(why(["fay", "clara"], null)).toBe("you-blocked");
  });

  test("When the other member has deleted their account, then that is the reason before all others", () => {
    const left = { ...conversation, freelancerId: formerMemberId(), blockedBy: ["clara"] };
    expect(whyClosed(left, null, "clara", NOW)).toBe("left");
  });

  test("When nobody has blocked it, then it takes messages", () => {
    expect(why([])).toBeUndefined();
  });
});
