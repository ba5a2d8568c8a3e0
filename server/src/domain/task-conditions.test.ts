import { expect, test } from "vitest";
import { aTaskDoc } from "../../test/builders.ts";
import { matches } from "../../test/match-filter.ts";
import { STORED_TASK_STATES, TASK_RULES, type TaskAction, taskState } from "../contract/index.ts";
import { inStatesFor, takingBids } from "./task-conditions.ts";

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
