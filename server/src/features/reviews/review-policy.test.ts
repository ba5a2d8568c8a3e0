import { expect, test } from "vitest";
import { aBidDoc, anAwardOf, aTaskDoc } from "../../../test/builders.ts";
import { formerMemberId } from "../../db/notices.ts";
import { mayReview } from "./review-policy.ts";

const NOW = new Date("2026-11-21T12:00:00.000Z");
const award = anAwardOf(aBidDoc({ bidderId: "fay" }));
const completed = aTaskDoc({ ownerId: "clara", state: "completed", award });
const askedBy = (uid: string, task: Parameters<typeof mayReview>[0] = completed) =>
  mayReview(task, { uid }, NOW);

test("When a task is completed, then its two sides review each other", () => {
  expect(askedBy("clara")).toEqual({ role: "client", subjectId: "fay" });
  expect(askedBy("fay")).toEqual({ role: "freelancer", subjectId: "clara" });
});

test("When one side has left, then the other reviews nobody", () => {
  const left = { refused: "person-not-found", detail: expect.stringMatching(/has deleted their account/) };
  expect(askedBy("fay", { ...completed, ownerId: formerMemberId() })).toMatchObject(left);
  const whoLeft = { ...award, freelancerId: formerMemberId() };
  expect(askedBy("clara", { ...completed, award: whoLeft })).toMatchObject(left);
});

test("When somebody was no side of the task, then they review nobody", () => {
  expect(askedBy("ann")).toEqual({ refused: "not-your-review" });
});

test("When the work is not completed, then it is too early, or too late", () => {
  for (const state of ["awarded", "delivered", "cancelled"] as const)
    for (const uid of ["clara", "fay"])
      expect(askedBy(uid, { ...completed, state })).toEqual({ refused: "wrong-state" });
});

test("When nobody was hired, then there is nobody to review, and strangers have nothing to do with it", () => {
  const { award: _, ...open } = aTaskDoc({ ownerId: "clara" });
  expect(askedBy("clara", open)).toEqual({ refused: "wrong-state" });
  expect(askedBy("fay", open)).toEqual({ refused: "not-your-review" });
});

test("When a task is hidden, then its sides review each other still, and for others it is not there", () => {
  const hidden = { ...completed, hidden: true };
  expect(askedBy("clara", hidden)).toMatchObject({ role: "client" });
  expect(askedBy("fay", hidden)).toMatchObject({ role: "freelancer" });
  for (const task of [hidden, null]) expect(askedBy("ann", task)).toEqual({ refused: "task-not-found" });
});
