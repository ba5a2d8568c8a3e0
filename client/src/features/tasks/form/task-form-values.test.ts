import { TASK_FIELD_NAMES } from "@tasklane/server/contract";
import { expect, it, vi } from "vitest";
import { aTask, aTaskDraft } from "../../../testing/builders.ts";
import { EMPTY_TASK, isSavedAs, sameValues, submitTask, taskValues } from "./task-form-values.ts";

const task = aTask({ title: "A logo", budget: 99.5, screeningQuestion: "When?" });
const VALUES = taskValues(task);

it("When a new task is started, then all fields are empty and showing the email is on", () => {
  const nothing = Object.fromEntries(TASK_FIELD_NAMES.map((field) => [field, ""]));
  expect(EMPTY_TASK).toEqual({ ...nothing, files: "", showEmail: "on" });
});

it("When values are compared, then every field counts", () => {
  expect(sameValues(VALUES, { ...VALUES })).toBe(true);
  for (const field of TASK_FIELD_NAMES)
    expect(sameValues(VALUES, { ...VALUES, [field]: "other" })).toBe(false);
});

it("When a task was saved as typed, then it matches the form despite trimming; after a later change it does not", () => {
  expect(isSavedAs(task, { ...VALUES, title: "  A logo ", budget: "99.50" })).toBe(true);
  expect(isSavedAs({ ...task, budget: 100 }, VALUES)).toBe(false);
  expect(isSavedAs(task, { ...VALUES, budget: "" })).toBe(false);
});

/** Submits a form with these values. @returns the result, and the drafts that were saved. */
async function submit(more: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...VALUES, ...more })) form.set(name, value);
  const saved: unknown[] = [];
  const result = await submitTask(form, async (draft) => {
    saved.push(draft);
    return { version: 2, id: "t1" };
  });
  return { result, saved };
}

it("When a form is submitted, then a typed draft is saved, and the result holds the values that were sent", async () => {
  const typed = { title: " A logo ", skills: "Ink\n\nType" };
  const { result, saved } = await submit(typed);
  expect(result).toEqual({ ok: true, sent: { ...VALUES, ...typed }, version: 2, id: "t1" });
  const empty = { deliverBy: "", unlisted: false };
  const filled = { title: "A logo", budget: 99.5, skills: ["Ink", "Type"], screeningQuestion: "When?" };
  const draft = { ...empty, ...filled, showEmail: true };
  expect(saved).toEqual([{ ...aTaskDraft(draft), files: [] }]);
});

it.each([
  ["has passed", { deadline: "2026-11-19" }, false],
  ["has passed, but the task already has it", { deadline: "2026-11-19", keptDeadline: "2026-11-19" }, true],
  ["has passed, and the task has another one", { deadline: "2026-11-19", keptDeadline: "2020-01-01" }, false],
  ["is empty, even if the task had none", { deadline: "", keptDeadline: "" }, false],
])("When the deadline %s, then it is saved: %s %s", async (_, values, ok) => {
  vi.setSystemTime("2026-11-20T12:00:00Z");
  const { result, saved } = await submit(values);
  expect(result).toMatchObject(ok ? { ok } : { ok, fieldErrors: { deadline: expect.any(String) } });
  expect(saved).toHaveLength(Number(ok));
});
