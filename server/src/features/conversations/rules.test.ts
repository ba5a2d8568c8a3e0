import { expect, test } from "vitest";
import { aConversationDoc } from "../../../test/builders.ts";
import { formerMemberId } from "../../domain/notify.ts";
import { whyClosed } from "./rules.ts";

const conversation = aConversationDoc({ clientId: "clara", freelancerId: "fay" });
const NOW = new Date("2026-11-21T12:00:00.000Z");
const why = (...blockedBy: string[]) => whyClosed({ ...conversation, blockedBy }, null, "clara", NOW);

test("When both members have blocked each other, then the reader's own block is the reason", () => {
  expect([why("clara"), why("fay"), why("fay", "clara")]).toEqual([
    "you-blocked",
    "blocked-you",
    "you-blocked",
  ]);
});

test("When the other member has deleted their account, then that is the reason before all others", () => {
  const left = { ...conversation, freelancerId: formerMemberId(), blockedBy: ["clara"] };
  expect(whyClosed(left, null, "clara", NOW)).toBe("left");
});
