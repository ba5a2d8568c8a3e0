import { expect, test } from "vitest";
import { aBidDoc, anAwardOf, aTaskDoc } from "../../../test/builders.ts";
import { canListTasksOf, roleIn } from "./task-policy.ts";

const award = anAwardOf(aBidDoc({ bidderId: "fay" }));
const task = aTaskDoc({ ownerId: "clara", state: "awarded", award });

test("When tasks of an email address are asked for, then it has to be the caller's own, in whatever case", () => {
  const caller = { email: "Clara@People.example" };
  expect(canListTasksOf(" clara@PEOPLE.example ", caller)).toBe(true);
  expect(canListTasksOf("fay@people.example", caller)).toBe(false);
  expect(canListTasksOf("", caller)).toBe(false);
});

test("When somebody looks at a task, then they are its client, who was hired, or a freelancer like others", () => {
  const roles = ["clara", "fay", "ann"].map((uid) => roleIn(task, { uid }));
  expect(roles).toEqual(["client", "hired", "freelancer"]);
  expect(roleIn(aTaskDoc(), { uid: "fay" })).toBe("freelancer");
});

test("When an awarded task was cancelled, then nobody is hired for it any more", () => {
  expect(roleIn({ ...task, state: "cancelled" }, { uid: "fay" })).toBe("freelancer");
  expect(roleIn({ ...task, state: "completed" }, { uid: "fay" })).toBe("hired");
});
