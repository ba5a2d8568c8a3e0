import { TASK_FIELD_NAMES } from "@tasklane/server/contract";
import { expect, it } from "vitest";
import { aTask } from "../../../testing/builders.ts";
import { EMPTY_TASK, isSavedAs, sameValues, taskValues } from "./task-form-values.ts";

const files = ["1".repeat(24), "2".repeat(24)];
const task = { ...aTask({ title: "A logo", budget: 99.5, screeningQuestion: "When?" }), files };
const VALUES = taskValues(task);

it("When a new task is started, then all fields are empty and showing the email is on", () => {
  const nothing = Object.fromEntries(TASK_FIELD_NAMES.map((field) => [field, ""]));
  expect(EMPTY_TASK).toEqual({ ...nothing, files: "", showEmail: "on" });
});

it("When values are compared, then every field counts", () => {
  expect(sameValues(VALUES, { ...VALUES })).toBe(true);
  for (const field of Object.keys(VALUES))
    expect(sameValues(VALUES, { ...VALUES, [field]: "other" })).toBe(false);
});

it("When a task was saved as typed, then it matches the form despite trimming; after a later change it does not", () => {
  expect(isSavedAs(task, { ...VALUES, title: "  A logo ", budget: "99.50" })).toBe(true);
  expect(isSavedAs({ ...task, budget: 100 }, VALUES)).toBe(false);
  expect(isSavedAs({ ...task, files: [] }, VALUES)).toBe(false);
  expect(isSavedAs(task, { ...VALUES, budget: "" })).toBe(false);
});
