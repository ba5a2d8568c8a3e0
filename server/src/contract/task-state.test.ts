import { describe, expect, test } from "vitest";
import {
  mayAct,
  mayDelete,
  publicState,
  storedStatesFor,
  TASK_RULES,
  TASK_STATES,
  type TaskAction,
  type TaskRole,
  type TaskState,
  taskState,
} from "./task-state.ts";

const ROLES: TaskRole[] = ["client", "hired", "freelancer"];

// Written out by hand, so that a change of the rules is a change here too: action, role, the states where it is allowed.
const ALLOWED: [TaskAction, TaskRole, TaskState[]][] = [
  ["bid", "freelancer", ["open"]],
  ["withdraw-bid", "freelancer", ["open", "cancelled", "expired"]],
  ["ask", "freelancer", ["open"]],
  ["answer", "client", ["open", "expired"]],
  ["sort-bid", "client", ["open", "expired"]],
  ["award", "client", ["open", "expired"]],
  ["deliver", "hired", ["awarded"]],
  ["request-changes", "client", ["delivered"]],
  ["complete", "client", ["awarded", "delivered"]],
  ["complete-unanswered", "hired", ["delivered"]],
  ["cancel", "client", ["open", "awarded", "expired"]],
  ["reopen", "client", ["cancelled", "expired"]],
  ["edit-terms", "client", ["open", "cancelled", "expired"]],
  ["edit-schedule", "client", ["open", "awarded", "delivered", "cancelled", "expired"]],
  ["delete", "client", ["open", "cancelled", "expired"]],
  ["review", "client", ["completed"]],
  ["review", "hired", ["completed"]],
];
const LEADS_TO = {
  award: "awarded",
  deliver: "delivered",
  "request-changes": "awarded",
  complete: "completed",
  "complete-unanswered": "completed",
  cancel: "cancelled",
  close: "cancelled",
  reopen: "open",
};

describe("the rules of a task's life", () => {
  for (const action of Object.keys(TASK_RULES) as TaskAction[]) {
    for (const role of ROLES) {
      test(`When a ${role} wants to ${action}, then it is allowed in the states of the table and in no other`, () => {
        const states = ALLOWED.find((row) => row[0] === action && row[1] === role)?.[2] ?? [];
        expect(TASK_STATES.filter((state) => mayAct(action, role, state))).toEqual(states);
      });
    }

    test(`When somebody may ${action}, then the state it leads to is the one of the table`, () => {
      const rule: { from: unknown; to?: string } = TASK_RULES[action];
      expect(rule.to).toBe((LEADS_TO as Record<string, string>)[action]);
    });

    test(`When ${action} is looked up by what is stored, then expired counts as open`, () => {
      const from: readonly TaskState[] = TASK_RULES[action].from;
      const stored = new Set(from.map((state) => (state === "expired" ? "open" : state)));
      expect(new Set(storedStatesFor(action))).toEqual(stored);
    });
  }

  test("When nobody may do anything any more but review, then the task is completed", () => {
    const left = (Object.keys(TASK_RULES) as TaskAction[]).filter((action) =>
      ROLES.some((role) => mayAct(action, role, "completed")),
    );
    expect(left).toEqual(["review"]);
  });
});

test("When a task was ever awarded, then nobody may delete it, whatever state it is in", () => {
  for (const state of TASK_STATES) {
    expect(mayDelete("client", { state, wasAwarded: true })).toBe(false);
    for (const role of ROLES) expect(mayDelete(role, { state })).toBe(mayAct("delete", role, state));
  }
});

describe("the state that people see", () => {
  test("When work was handed in, then only its two sides know", () => {
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
  test("When the deadline day is over in UTC, then an open task is expired, and no other", () => {
    for (const state of ["open", "awarded", "delivered", "completed", "cancelled"] as const) {
      expect(taskState({ state, deadline: "2026-11-21" }, now)).toBe(state);
      expect(taskState({ state, deadline: "2026-11-20" }, now)).toBe(state === "open" ? "expired" : state);
    }
  });
});
