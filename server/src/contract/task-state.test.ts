import { describe, expect, test } from "vitest";
import { mayDelete, publicState, TASK_STATES, type TaskRole, taskState } from "./task-state.ts";

const ROLES: TaskRole[] = ["client", "hired", "freelancer"];

test("When a task is not in work, then its client may delete it, unless it was ever awarded", () => {
  for (const role of ROLES) {
    const deletable = TASK_STATES.filter((state) => mayDelete(role, { state }));
    expect(deletable).toEqual(role === "client" ? ["open", "cancelled", "expired"] : []);
    expect(TASK_STATES.some((state) => mayDelete(role, { state, wasAwarded: true }))).toBe(false);
  }
});

describe("the visible state", () => {
  test("When work was delivered, then the public still sees the task as awarded", () => {
    expect(TASK_STATES.map(publicState)).toEqual([
      "open",
      "awarded",
      "awarded",
      "completed",
      "cancelled",
      "expired",
    ]);
  });

  const now = new Date("2026-11-21T23:59:59.999Z");
  test("When the deadline day is over in UTC, then only an open task becomes expired", () => {
    for (const state of ["open", "awarded", "delivered", "completed", "cancelled"] as const) {
      expect(taskState({ state, deadline: "2026-11-21" }, now)).toBe(state);
      expect(taskState({ state, deadline: "2026-11-20" }, now)).toBe(state === "open" ? "expired" : state);
    }
  });
});
