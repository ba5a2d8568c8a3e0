import { describe, expect, test } from "vitest";
import { mayAct, mayDelete, publicState, TASK_STATES, type TaskRole, taskState } from "./task-state.ts";

const ROLES: TaskRole[] = ["client", "hired", "freelancer"];

test("When a task was ever awarded, then nobody may delete it in any state", () => {
  for (const state of TASK_STATES) {
    expect(mayDelete("client", { state, wasAwarded: true })).toBe(false);
    for (const role of ROLES) expect(mayDelete(role, { state })).toBe(mayAct("delete", role, state));
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
