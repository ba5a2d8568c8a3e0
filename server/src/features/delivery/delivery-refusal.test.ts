import { describe, expect, test } from "vitest";
import { aBidDoc, aDelivery, anAwardOf, aTaskDoc } from "../../../test/builders.ts";
import { refusalOf } from "./delivery-refusal.ts";

const award = anAwardOf(aBidDoc({ bidderId: "fay" }));
const task = aTaskDoc({ ownerId: "clara", state: "awarded", award });
type State = typeof task.state;
const [client, hired, other] = ["clara", "fay", "ann"].map((uid) => ({ uid })) as [
  { uid: string },
  { uid: string },
  { uid: string },
];
const detailOf = (outcome: ReturnType<typeof refusalOf>) => ("detail" in outcome ? outcome.detail : outcome);

test("When a task is gone, or hidden from the caller, then it is not there", () => {
  const missing = { refused: "task-not-found" };
  expect(refusalOf(null, "deliver", hired)).toEqual(missing);
  expect(refusalOf({ ...task, hidden: true }, "deliver", other)).toEqual(missing);
  expect(refusalOf({ ...task, hidden: true }, "deliver", { ...other, isOperator: true })).toEqual({
    refused: "not-hired",
  });
});

describe("a delivery that did not get through", () => {
  test("When the caller was not hired, then only whoever is hired may deliver or complete", () => {
    const { award: _, ...open } = task;
    for (const action of ["deliver", "complete-unanswered"] as const) {
      for (const caller of [client, other])
        expect(refusalOf(task, action, caller)).toEqual({ refused: "not-hired" });
      expect(refusalOf(open, action, hired)).toEqual({ refused: "not-hired" });
    }
  });

  test.each<[State, RegExp]>([
    ["open", /^Nobody is hired/],
    ["awarded", /^The task has changed in the meantime/],
    ["delivered", /^You have delivered already/],
    ["completed", /^This task is completed already/],
    ["cancelled", /^The client has cancelled this task\. Nothing can be delivered/],
  ])("When the task is %s, then it says so", (state, text) => {
    const outcome = refusalOf({ ...task, state }, "deliver", hired);
    expect(outcome).toMatchObject({ refused: "wrong-state" });
    expect(detailOf(outcome)).toMatch(text);
  });
});

describe("asking for changes that did not get through", () => {
  test("When the caller is not its client, then it is not their task", () => {
    for (const caller of [hired, other])
      expect(refusalOf(task, "request-changes", caller)).toEqual({ refused: "not-your-task" });
  });

  test.each<[State, RegExp]>([
    ["open", /^Nothing has been delivered yet/],
    ["awarded", /^Nothing waits for you/],
    ["delivered", /^The task has changed in the meantime/],
    ["completed", /cannot ask for changes any more/],
    ["cancelled", /^You have cancelled this task/],
  ])("When the task is %s, then it says so", (state, text) => {
    const outcome = refusalOf({ ...task, state }, "request-changes", client);
    expect(outcome).toMatchObject({ refused: "wrong-state" });
    expect(detailOf(outcome)).toMatch(text);
  });
});

describe("completing in the client's place that did not get through", () => {
  test("When the task is completed already, then both wanted the same, and nothing changes", () => {
    expect(refusalOf({ ...task, state: "completed" }, "complete-unanswered", hired)).toEqual({
      changed: false,
    });
  });

  test("When the client still has time, then it says until when", () => {
    const delivery = aDelivery(new Date("2026-03-01T23:30:00.000Z"));
    const outcome = refusalOf({ ...task, state: "delivered", delivery }, "complete-unanswered", hired);
    expect(outcome).toMatchObject({ refused: "wrong-state" });
    expect(detailOf(outcome)).toMatch(/^The client has until March 15, 2026 to look at your work/);
  });

  test.each<[State, RegExp]>([
    ["open", /^Nobody is hired/],
    ["awarded", /^The client has asked for changes/],
    ["cancelled", /^The client has cancelled this task\.$/],
  ])("When the task is %s, then it says so", (state, text) => {
    const outcome = refusalOf({ ...task, state }, "complete-unanswered", hired);
    expect(detailOf(outcome)).toMatch(text);
  });
});
