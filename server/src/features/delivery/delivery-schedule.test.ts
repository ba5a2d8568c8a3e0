import { expect, test } from "vitest";
import { deliveredAt, reminderDue } from "./delivery-schedule.ts";

const AT = new Date("2026-03-01T10:00:00.000Z");
/** The day of March on which it is that time again. */
const on = (day: number) => new Date(Date.UTC(2026, 2, day, 10));

test("When work is handed in, then its client has fourteen days, and hears of it again after seven", () => {
  expect(deliveredAt(AT)).toEqual({ at: AT, mayCompleteFrom: on(15), remindAt: on(8) });
});

test.each([
  [8, "client", on(13)],
  [9, "client", on(13)],
  [13, "client", on(15)],
  [15, "freelancer", undefined],
  [40, "freelancer", undefined],
] as const)("When it is March %i, then the %s is told, and the next time is said", (day, whom, next) => {
  expect(reminderDue({ at: AT }, on(day))).toEqual({ whom, next });
});

test("When the fourteen days are not quite over, then it is still the client who is reminded", () => {
  const justBefore = new Date(on(15).getTime() - 1);
  expect(reminderDue({ at: AT }, justBefore)).toEqual({ whom: "client", next: on(15) });
});
