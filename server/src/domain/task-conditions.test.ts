import { describe, expect, test } from "vitest";
import { aBidDoc, anAwardOf, aTaskDoc, problemOf } from "../../test/builders.ts";
import { matches } from "../../test/match-filter.ts";
import { STORED_TASK_STATES, TASK_RULES, type TaskAction, taskState } from "../contract/index.ts";
import { formerMemberId } from "./notify.ts";
import {
  canSee,
  HIDDEN_TITLE,
  inStatesFor,
  isSideOf,
  otherSideLeft,
  requireClient,
  shownState,
  takingBids,
  titleFor,
} from "./task-conditions.ts";

const TODAY = "2026-11-21";
const NOW = new Date(`${TODAY}T12:00:00Z`);
const DEADLINES = ["2026-11-20", TODAY, "2026-11-22"];
const TASKS = STORED_TASK_STATES.flatMap((state) =>
  DEADLINES.map((deadline) => aTaskDoc({ state, deadline })),
);

test("When tasks take bids, then they are open, and their deadline has not passed", () => {
  const found = TASKS.filter((task) => matches(takingBids(TODAY), task));
  expect(found.map(({ state, deadline }) => [state, deadline])).toEqual([
    ["open", TODAY],
    ["open", "2026-11-22"],
  ]);
});

test.each(Object.keys(TASK_RULES) as TaskAction[])(
  "When the action is %s, then the filter matches exactly the tasks whose state allows it",
  (action) => {
    const from: readonly string[] = TASK_RULES[action].from;
    for (const task of TASKS)
      expect([task.state, task.deadline, matches(inStatesFor(action, TODAY), task)]).toEqual([
        task.state,
        task.deadline,
        from.includes(taskState(task, NOW)),
      ]);
  },
);

describe("what people may see of a task", () => {
  const award = anAwardOf(aBidDoc({ bidderId: "fay" }));
  const task = aTaskDoc({ ownerId: "clara", title: "A logo", state: "delivered", award });
  const hidden = { ...task, hidden: true };
  const { award: _, ...unawarded } = aTaskDoc({ ownerId: "clara" });

  test("When somebody posted it or was hired, then they are one of its sides; a visitor never is", () => {
    expect(["clara", "fay", "ann", undefined].map((uid) => isSideOf(task, uid))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(["clara", "fay", undefined].map((uid) => isSideOf(unawarded, uid))).toEqual([true, false, false]);
  });

  test("When it is hidden, then its sides and operators see it, and others do not see its title", () => {
    for (const uid of ["clara", "fay"]) {
      expect(canSee(hidden, { uid })).toBe(true);
      expect(titleFor(hidden, uid)).toBe("A logo");
    }
    expect(canSee(hidden, { uid: "ann" })).toBe(false);
    expect(canSee(hidden, undefined)).toBe(false);
    expect(canSee(hidden, { uid: "ann", isOperator: true })).toBe(true);
    expect(titleFor(hidden, "ann")).toBe(HIDDEN_TITLE);
    expect(HIDDEN_TITLE).toBe("Hidden task");
  });

  test("When an action is for its client only, then others are refused, and do not learn that a hidden task exists", () => {
    const refusals = (which: typeof task) =>
      ["clara", "fay", "ann"].map((uid) => problemOf(() => requireClient(which, { uid }))?.code);
    expect(refusals(task)).toEqual([undefined, "not-your-task", "not-your-task"]);
    expect(refusals(hidden)).toEqual([undefined, "not-your-task", "task-not-found"]);
    const operator = { uid: "ann", isOperator: true } as const;
    expect(problemOf(() => requireClient(hidden, operator))?.code).toBe("not-your-task");
  });

  test("When one side of an award has deleted their account, then the other side has left", () => {
    const [client, freelancer] = [formerMemberId(), formerMemberId()];
    expect(["clara", "fay"].map((uid) => otherSideLeft(task, uid))).toEqual([false, false]);
    expect(otherSideLeft({ ...task, ownerId: client }, "fay")).toBe(true);
    expect(otherSideLeft({ ...task, award: { freelancerId: freelancer } }, "clara")).toBe(true);
    expect(otherSideLeft(unawarded, "clara")).toBe(false);
  });

  test("When work was delivered, then its sides see that, and others see it as awarded", () => {
    const shown = ["clara", "fay", "ann", undefined].map((uid) => shownState(task, uid, NOW));
    expect(shown).toEqual(["delivered", "delivered", "awarded", "awarded"]);
    expect(shownState({ ...unawarded, deadline: "2026-11-20" }, undefined, NOW)).toBe("expired");
  });
});
