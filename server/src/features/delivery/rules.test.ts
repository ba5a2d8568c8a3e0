import { describe, expect, test } from "vitest";
import { aBidDoc, aDelivery, anAwardOf, aTaskDoc, problemOf } from "../../../test/builders.ts";
import { deliveredAt, reminderDue, requirePossible } from "./rules.ts";

const award = anAwardOf(aBidDoc({ bidderId: "fay" }));
const task = aTaskDoc({ ownerId: "clara", state: "awarded", award });
type State = typeof task.state;
const [client, hired, _other] = ["clara", "fay", "ann"].map((uid) => ({ uid })) as [
  { uid: string },
  { uid: string },
  { uid: string },
];
const refusalOf = (...args: Parameters<typeof requirePossible>) => problemOf(() => requirePossible(...args));

describe("a refused delivery", () => {
  test.each<[State, RegExp]>([
    ["open", /^Nobody is hired/],
    ["awarded", /^The task has changed in the meantime/],
    ["delivered", /^You have delivered already/],
    ["completed", /^This task is already completed/],
    ["cancelled", /^The client has cancelled this task\. Nothing can be delivered/],
  ])("When the task is %s, then it says so", (state, text) => {
    const outcome = refusalOf({ ...task, state }, "deliver", hired);
    expect(outcome).toMatchObject({ code: "wrong-state" });
    expect(outcome).toMatchObject({ message: expect.stringMatching(text) });
  });
});

describe("a refused request for changes", () => {
  test.each<[State, RegExp]>([
    ["open", /^Nothing has been delivered yet/],
    ["awarded", /^There is no delivery/],
    ["delivered", /^The task has changed in the meantime/],
    ["completed", /cannot ask for changes any more/],
    ["cancelled", /^You have cancelled this task/],
  ])("When the task is %s, then it says so", (state, text) => {
    const outcome = refusalOf({ ...task, state }, "request-changes", client);
    expect(outcome).toMatchObject({ code: "wrong-state" });
    expect(outcome).toMatchObject({ message: expect.stringMatching(text) });
  });
});

describe("a refused completion by the freelancer", () => {
  test("When the task is already completed, then nothing changes and there is no error", () => {
    expect(refusalOf({ ...task, state: "completed" }, "complete-unanswered", hired)).toBe(false);
  });

  test("When the client still has time to react, then the detail says until when", () => {
    const delivery = aDelivery(new Date("2026-03-01T23:30:00.000Z"));
    const outcome = refusalOf({ ...task, state: "delivered", delivery }, "complete-unanswered", hired);
    expect(outcome).toMatchObject({ code: "wrong-state" });
    expect(outcome).toMatchObject({ message: expect.stringMatching(/^The client has until March 15, 2026/) });
  });

  test.each<[State, RegExp]>([
    ["open", /^Nobody is hired/],
    ["awarded", /^The client has asked for changes/],
    ["cancelled", /^The client has cancelled this task\.$/],
  ])("When the task is %s, then it says so", (state, text) => {
    const outcome = refusalOf({ ...task, state }, "complete-unanswered", hired);
    expect(outcome).toMatchObject({ message: expect.stringMatching(text) });
  });
});

const AT = new Date("2026-03-01T10:00:00.000Z");
/** The same time of day on another day in March. */
const on = (day: number) => new Date(Date.UTC(2026, 2, day, 10));

test("When work is delivered, then its client has fourteen days to react, and is reminded after seven", () => {
  expect(deliveredAt(AT)).toEqual({ at: AT, mayCompleteFrom: on(15) });
});

test.each([
  [8, "client", on(13)],
  [9, "client", on(13)],
  [13, "client", on(15)],
  [15, "freelancer", undefined],
  [40, "freelancer", undefined],
] as const)(
  "When it is March %i, then the %s is notified, and the next reminder scheduled",
  (day, recipient, next) => {
    expect(reminderDue({ at: AT }, on(day))).toEqual({ recipient, next });
  },
);

test("When the fourteen days are not quite over, then it is still the client who is reminded", () => {
  const justBefore = new Date(on(15).getTime() - 1);
  expect(reminderDue({ at: AT }, justBefore)).toEqual({ recipient: "client", next: on(15) });
});
