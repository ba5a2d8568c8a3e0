import { describe, expect, it, onTestFinished, vi } from "vitest";
import { aTask } from "../../../testing/builders.ts";
import {
  copiedValues,
  EMPTY_TASK,
  isSavedAs,
  sameValues,
  submitTask,
  TASK_FIELDS,
  TASK_LABELS,
  type TaskFormValues,
  taskValues,
} from "./task-form-values.ts";

const task = aTask({ title: "A logo", budget: 99.5, screeningQuestion: "When?" });
const VALUES: TaskFormValues = {
  title: "A logo",
  category: "Design",
  description: task.description,
  deadline: "2099-06-30",
  budget: "99.5",
  screeningQuestion: "When?",
  showEmail: "on",
};

it("When a new task is started, then all fields are empty and showing the email is on", () => {
  const nothing = Object.fromEntries(TASK_FIELDS.map((field) => [field, ""]));
  expect(EMPTY_TASK).toEqual({ ...nothing, showEmail: "on" });
  for (const field of TASK_FIELDS) expect(TASK_LABELS[field]).toMatch(/^[A-Z]/);
});

it("When a task is edited, then the form starts with its values and the owner's choice of showing the email", () => {
  expect(taskValues(task)).toEqual(VALUES);
  const viewer = { isOwner: true, hasBid: false, role: "client", hasReviewed: false } as const;
  expect(taskValues({ ...task, viewer: { ...viewer, showEmail: false } }).showEmail).toBe("");
  expect(taskValues({ ...task, viewer: { ...viewer, showEmail: true } }).showEmail).toBe("on");
});

it("When a task is posted again, then everything except the deadline is copied", () => {
  expect(copiedValues(task)).toEqual({ ...VALUES, deadline: "" });
});

it("When values are compared, then every field counts", () => {
  expect(sameValues(VALUES, { ...VALUES })).toBe(true);
  for (const field of TASK_FIELDS) expect(sameValues(VALUES, { ...VALUES, [field]: "other" })).toBe(false);
});

it("When a task was saved as typed, then it matches the form despite trimming; after a later change it does not", () => {
  expect(isSavedAs(task, { ...VALUES, title: "  A logo ", budget: "99.50" })).toBe(true);
  expect(isSavedAs({ ...task, budget: 100 }, VALUES)).toBe(false);
  expect(isSavedAs(task, { ...VALUES, budget: "" })).toBe(false);
});

describe("saving a task", () => {
  const submit = (values: Partial<Record<string, string>>, more: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...VALUES, ...values, ...more }))
      form.set(name, value ?? "");
    const saved: unknown[] = [];
    const result = submitTask(form, async (draft, key) => {
      saved.push([draft, key]);
      return { version: 2, id: "t1" };
    });
    return { result, saved };
  };

  it("When the form is valid, then a typed draft is saved, and the result holds the values that were sent", async () => {
    const { result, saved } = submit({ title: " A logo " });
    expect(await result).toEqual({ ok: true, sent: { ...VALUES, title: " A logo " }, version: 2, id: "t1" });
    const { title, category, description, deadline, budget, screeningQuestion } = task;
    const draft = { title, category, description, deadline, budget, screeningQuestion, showEmail: true };
    expect(saved).toEqual([[draft, expect.stringMatching(/^[0-9a-f]{32}$/)]]);
  });

  it("When the deadline has passed, then it is rejected, unless the task already has that deadline", async () => {
    vi.setSystemTime("2026-11-20T12:00:00Z");
    onTestFinished(() => void vi.useRealTimers());
    const yesterday = "2026-11-19";
    const refused = submit({ deadline: yesterday });
    expect(await refused.result).toMatchObject({
      ok: false,
      fieldErrors: { deadline: expect.stringMatching(/^This deadline has passed/) },
    });
    expect(refused.saved).toEqual([]);
    expect(await submit({ deadline: yesterday }, { keptDeadline: yesterday }).result).toMatchObject({
      ok: true,
    });
    expect(await submit({ deadline: yesterday }, { keptDeadline: "2020-01-01" }).result).toMatchObject({
      ok: false,
    });
  });

  it("When the deadline is empty, then it is rejected, even if the task had none", async () => {
    const result = await submit({ deadline: "" }, { keptDeadline: "" }).result;
    expect(result).toMatchObject({ ok: false, fieldErrors: { deadline: expect.any(String) } });
  });
});
