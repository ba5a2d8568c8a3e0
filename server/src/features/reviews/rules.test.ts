import { expect, test } from "vitest";
import { aBidDoc, anAwardOf, aTaskDoc, problemOf } from "../../../test/builders.ts";
import { formerMemberId } from "../../domain/notify.ts";
import { type ReviewedTask, sidesOfReview } from "./rules.ts";

const NOW = new Date("2026-11-21T12:00:00.000Z");
const award = anAwardOf(aBidDoc({ bidderId: "fay" }));
const completed = aTaskDoc({ ownerId: "clara", state: "completed", award });
const reviewBy = (uid: string, task: ReviewedTask | null = completed) =>
  problemOf(() => sidesOfReview(task, { uid }, NOW));

test("When a task is completed, then its two sides may review each other", () => {
  expect(reviewBy("clara")).toMatchObject({ role: "client", subjectId: "fay" });
  expect(reviewBy("fay")).toMatchObject({ role: "freelancer", subjectId: "clara" });
});

test("When one side has deleted their account, then the other has nobody to review", () => {
  const left = { code: "person-not-found", message: expect.stringMatching(/has deleted their account/) };
  expect(reviewBy("fay", { ...completed, ownerId: formerMemberId() })).toMatchObject(left);
  const whoLeft = { ...award, freelancerId: formerMemberId() };
  expect(reviewBy("clara", { ...completed, award: whoLeft })).toMatchObject(left);
});

test("When somebody was not a side of the task, then they may not review anybody", () => {
  expect(reviewBy("ann")).toMatchObject({ code: "not-a-side" });
});

test("When the work is not completed, then nobody may review", () => {
  for (const state of ["awarded", "delivered", "cancelled"] as const)
    for (const uid of ["clara", "fay"])
      expect(reviewBy(uid, { ...completed, state })).toMatchObject({ code: "wrong-state" });
});

test("When nobody was hired, then the client has nobody to review, and others may not review anybody", () => {
  const { award: _, ...open } = aTaskDoc({ ownerId: "clara" });
  expect(reviewBy("clara", open)).toMatchObject({ code: "wrong-state" });
  expect(reviewBy("fay", open)).toMatchObject({ code: "not-a-side" });
});

test("When a task is hidden, then its sides may still review each other, and others do not find it", () => {
  const hidden = { ...completed, hidden: true };
  expect(reviewBy("clara", hidden)).toMatchObject({ role: "client" });
  expect(reviewBy("fay", hidden)).toMatchObject({ role: "freelancer" });
  for (const task of [hidden, null]) expect(reviewBy("ann", task)).toMatchObject({ code: "task-not-found" });
});
