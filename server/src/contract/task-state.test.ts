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

// Written by hand, so that a change of the rules has to be made here too: action, role, and the states that allow it.
const ALLOWED: [TaskAction, TaskRole, TaskState[]][] = [
  ["bid", "freelancer", ["open"]],
  ["withdraw-bid", "freelancer", ["open", "cancelled", "expired"]],
  ["ask", "freelancer", ["open"]],
  ["answer", "client", ["open", "expired"]],
  ["triage-bid", "client", ["open", "expired"]],
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
  ["change-agreement", "client", ["awarded", "delivered"]],
  ["change-agreement", "hired", ["awarded", "delivered"]],
  ["end-early", "client", ["awarded", "delivered"]],
  ["end-early", "hired", ["awarded", "delivered"]],
  ["pay", "client", ["completed"]],
  ["confirm-payment", "hired", ["completed"]],
  ["invoice", "hired", ["completed"]],
  ["settle-milestone", "client", ["awarded", "delivered", "completed"]],
  ["settle-milestone", "hired", ["awarded", "delivered", "completed"]],
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

describe("the state machine of a task", () => {
  for (const action of Object.keys(TASK_RULES) as TaskAction[]) {
    for (const role of ROLES) {
      test(`When the role is ${role}, then ${action} is allowed exactly in the states of the table`, () => {
        const states = ALLOWED.find((row) => row[0] === action && row[1] === role)?.[2] ?? [];
        expect(TASK_STATES.filter((state) => mayAct(action, role, state))).toEqual(states);
      });
    }

    test(`When the action is ${action}, then it leads to the state in the table`, () => {
      const rule: { from: unknown; to?: string } = TASK_RULES[action];
      expect(rule.to).toBe((LEADS_TO as Record<string, string>)[action]);
    });

    test(`When the stored states for ${action} are listed, then expired counts as open`, () => {
      const from: readonly TaskState[] = TASK_RULES[action].from;
      const stored = new Set(from.map((state) => (state === "expired" ? "open" : state)));
      expect(new Set(storedStatesFor(action))).toEqual(stored);
    });
  }

  test("When a task is completed, then what is left is its payment, invoice and reviews", () => {
    const left = (Object.keys(TASK_RULES) as TaskAction[]).filter((action) =>
      ROLES.some((role) => mayAct(action, role, "completed")),
    );
    expect(left).toEqual(["pay", "invoice", "confirm-payment", "settle-milestone", "review"]);
  });
});

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
