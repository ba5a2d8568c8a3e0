import { ObjectId } from "mongodb";
import { expect, test } from "vitest";
import { aBidDoc, aDelivery, anAwardOf, aTaskDoc, problemOf } from "../../../test/builders.ts";
import type { User } from "../../auth/token-verifier.ts";
import type { AwardDoc, TimelineDoc } from "../../db/documents/tasks.ts";
import { deliveredAt, firstReminder, presentStep, reminderDue, requirePossible } from "./rules.ts";

const award = anAwardOf(aBidDoc({ bidderId: "fay" }));
const task = aTaskDoc({ ownerId: "clara", state: "awarded", award });
type State = typeof task.state;
const [client, hired] = [{ uid: "clara" }, { uid: "fay" }];

test.each<[Parameters<typeof requirePossible>[1], { uid: string }, State, RegExp]>([
  ["deliver", hired, "open", /^Nobody is hired/],
  ["deliver", hired, "awarded", /^The task has changed in the meantime/],
  ["deliver", hired, "delivered", /^You have delivered already/],
  ["deliver", hired, "completed", /^This task is already completed/],
  ["deliver", hired, "cancelled", /^The client has cancelled this task\. Nothing can be delivered/],
  ["request-changes", client, "open", /^Nothing has been delivered yet/],
  ["request-changes", client, "awarded", /^There is no delivery/],
  ["request-changes", client, "delivered", /^The task has changed in the meantime/],
  ["request-changes", client, "completed", /cannot ask for changes anymore/],
  ["request-changes", client, "cancelled", /^You have cancelled this task/],
  ["complete-unanswered", hired, "open", /^Nobody is hired/],
  ["complete-unanswered", hired, "awarded", /^Nothing is delivered/],
  ["complete-unanswered", hired, "delivered", /^The client has until Mar 15, 2026/],
  ["complete-unanswered", hired, "cancelled", /^The client has cancelled this task\.$/],
])("When %s by %o is refused because the task is %s, then it says so", (action, who, state, text) => {
  const delivery = state === "delivered" && { delivery: aDelivery(new Date("2026-03-01T23:30:00.000Z")) };
  const refused = problemOf(() => requirePossible({ ...task, state, ...delivery }, action, who));
  expect(refused).toMatchObject({ code: "wrong-state", message: expect.stringMatching(text) });
});

test("When the client has asked for changes, then completing says so", () => {
  const sentBack = { ...task, award: { ...award, sentBack: true as const } };
  const refused = problemOf(() => requirePossible(sentBack, "complete-unanswered", hired));
  expect(refused).toMatchObject({ message: expect.stringMatching(/^The client has asked for changes/) });
  const cancelled = { ...sentBack, state: "cancelled" as const };
  const over = problemOf(() => requirePossible(cancelled, "complete-unanswered", hired));
  expect(over).toMatchObject({ message: "The client has cancelled this task." });
});

test("When an operator decides about a task, then its freelancer cannot complete it", () => {
  const disputed = { ...task, award: { ...award, ending: "operator" as const } };
  const refused = problemOf(() => requirePossible(disputed, "complete-unanswered", hired));
  expect(refused).toMatchObject({ message: expect.stringMatching(/^There is a dispute/) });
});

test("When the freelancer completes a completed task, then nothing changes and there is no error", () => {
  expect(requirePossible({ ...task, state: "completed" }, "complete-unanswered", hired)).toBe(false);
});

const AT = new Date("2026-03-01T10:00:00.000Z");
/** The same time of day on another day in March. */
const on = (day: number) => new Date(Date.UTC(2026, 2, day, 10));

test("When work is delivered, then its client has fourteen days to react, and is reminded after seven", () => {
  expect(deliveredAt(AT)).toEqual({ at: AT, mayCompleteFrom: on(15) });
  expect(firstReminder(AT)).toEqual(on(8));
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

const step: TimelineDoc = {
  ...{ _id: new ObjectId(), taskId: new ObjectId(), clientId: "clara", freelancerId: "fay" },
  ...{ kind: "delivered", by: "freelancer", at: AT, note: "All done" },
};
const { taskId: _, clientId: __, freelancerId: ___, ...whole } = step;
const { _id, at } = step;
const byBen = { freelancerId: "ben" };
const operator = { isOperator: true as const };
test.each<[string, string | undefined, Partial<TimelineDoc>, Partial<AwardDoc>, Partial<User>, object[]]>([
  ["its client", "clara", {}, {}, {}, [whole]],
  ["its freelancer", "fay", {}, {}, {}, [whole]],
  ["a freelancer who was hired later", "fay", byBen, {}, {}, []],
  ["a visitor", undefined, {}, {}, {}, []],
  ["a visitor, of a public kind", undefined, { kind: "completed" }, {}, {}, [{ _id, kind: "completed", at }]],
  ["an operator", "oda", {}, {}, operator, []],
  ["an operator, in a dispute", "oda", {}, { ending: "operator" }, operator, [whole]],
  ["an operator, in a dispute of a later hire", "oda", byBen, { ending: "operator" }, operator, []],
  ["nobody concerned, in a dispute", "ola", {}, { ending: "operator" }, {}, []],
])("When a step is read by %s, then what is private is seen only by whom it concerns", (...row) => {
  const [, uid, fields, ending, more, seen] = row;
  const visitor = uid === undefined ? undefined : ({ uid, ...more } as User);
  const of = { ...task, award: { ...award, ...ending } };
  expect(presentStep({ ...step, ...fields }, of, visitor)).toEqual(seen);
});
