import type { Document, Sort as MongoSort } from "mongodb";
import { describe, expect, test } from "vitest";
import { inDays } from "../../../test/builders.ts";
import { inAllStates, manyTasks } from "../../../test/many-tasks.ts";
import { inOrderOf, matches } from "../../../test/match-filter.ts";
import { SORTS, type Sort, type TaskFilters } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { INDEXES } from "../../db/indexes.ts";
import { searchGrams } from "../../db/task-search.ts";
import {
  type ListPlan,
  type Narrowing,
  orderKey,
  placeOf,
  planBudgetCount,
  planCount,
  planFeatured,
  planGramCount,
  planList,
  selectTasks,
} from "./task-list-plan.ts";

/*
 * Which tasks a list holds, in which order and from which place on, by plain filtering and sorting of some tasks in
 * memory. How the database reads the same plans is tested in task-list-plan.test.ts.
 */

const today = inDays(0);
const TASKS = inAllStates(manyTasks(60)).map((task, number) => ({
  ...task,
  // As many ties in each order.
  budget: 100 + (number % 12) * 50.5,
  createdAt: new Date(Date.UTC(2026, 0, 1 + (number % 14))),
  ownerId: `owner-${number % 3}`,
}));

type Choice = TaskFilters & { ownerId?: string };
const CHOICES: Choice[] = [
  {},
  { state: "open" },
  { category: "Design" },
  { category: "Design", state: "open" },
  { minBudget: "200" },
  { maxBudget: "400.5" },
  { minBudget: "200", maxBudget: "504", category: "Writing" },
  { search: "NEWSletter" },
  { search: "e", state: "open", minBudget: "150.5", maxBudget: "600" },
  { search: "menu card", category: "Design" },
  { search: "r a", state: "open" },
  { email: "c@people.example", ownerId: "owner-1" },
  { email: "c@people.example", ownerId: "owner-1", state: "open", search: "a", category: "Writing" },
];

/** What the choice means, said once more in other words. */
function isChosen(
  task: TaskDoc,
  { ownerId, search = "", category, minBudget = "0", maxBudget = "1e9", state }: Choice,
) {
  return (
    (ownerId === undefined ? !task.hidden : task.ownerId === ownerId) &&
    task.title.toLowerCase().includes(search.toLowerCase()) &&
    (category === undefined || task.category === category) &&
    task.budget >= Number(minBudget) &&
    task.budget <= Number(maxBudget) &&
    (state === undefined || (task.state === "open" && task.deadline >= today))
  );
}

const directions: Record<Sort, 1 | -1> = {
  newest: -1,
  oldest: 1,
  asc: 1,
  desc: -1,
  "budget-asc": 1,
  "budget-desc": -1,
};
const keys = {
  newest: "createdAt",
  oldest: "createdAt",
  asc: "deadline",
  desc: "deadline",
  "budget-asc": "budget",
  "budget-desc": "budget",
} as const;
const orderOf = (order: Sort) => inOrderOf({ [keys[order]]: directions[order], _id: directions[order] });

function select({ ownerId, ...filters }: Choice) {
  return selectTasks(filters, { ownerId, today });
}

/** What a plan finds: its ranges one behind the other. */
function found({ ranges }: Pick<ListPlan, "ranges">): TaskDoc[] {
  const sorted = (sort: MongoSort) => inOrderOf(sort as Record<string, 1 | -1>);
  return ranges.flatMap(({ filter, sort }) =>
    TASKS.filter((task) => matches(filter, task)).sort(sorted(sort)),
  );
}

const titles = (tasks: TaskDoc[]) => tasks.map(({ _id, title }) => `${_id} ${title}`);

/** Every way in which a choice may be read. */
function narrowings({ search, minBudget, maxBudget }: Choice): Narrowing[] {
  const gram = search && searchGrams(search)[0];
  const ways: Narrowing[] = [{}];
  if (gram) ways.push({ gram }, { gram, few: "gram" });
  if (minBudget ?? maxBudget) ways.push({ gram, few: "budget" });
  return ways;
}

describe.each(CHOICES)("a list of %j", (choice) => {
  test.each(SORTS)(
    "When it is sorted by %s, then it has the chosen tasks in that order, from every place on",
    (order) => {
      const chosen = TASKS.filter((task) => isChosen(task, choice)).sort(orderOf(order));
      // A list that is empty, or has everything, would prove little.
      expect(chosen.length).toBeGreaterThan(0);
      const selection = select(choice);
      for (const narrowing of narrowings(choice)) {
        expect(titles(found(planList({ selection, order }, narrowing)))).toEqual(titles(chosen));
        // Also after tasks that are not in it: what was chosen may have changed since.
        for (const before of TASKS) {
          const rest = chosen.filter((task) => orderOf(order)(before, task) < 0);
          const after = placeOf(before, order);
          expect(titles(found(planList({ selection, order, after }, narrowing)))).toEqual(titles(rest));
        }
      }
    },
  );

  test("When it is counted, then as many are counted as are in it, whatever was found out before", () => {
    const count = TASKS.filter((task) => isChosen(task, choice)).length;
    for (const narrowing of narrowings(choice)) {
      const { filter } = planCount(select(choice), narrowing);
      expect(TASKS.filter((task) => matches(filter, task))).toHaveLength(count);
    }
  });
});

test("When nothing is filtered, then that is known, because then nothing needs to be counted", () => {
  expect(select({}).isEverything).toBe(true);
  expect(select({ category: undefined }).isEverything).toBe(true);
  for (const choice of CHOICES.slice(1)) expect(select(choice).isEverything).toBe(false);
});

test("When a place is named, then by what its list is sorted by, and an instant as text", () => {
  const [task] = TASKS as [TaskDoc];
  const id = task._id.toHexString();
  expect(placeOf(task, "oldest")).toEqual({ key: task.createdAt.toISOString(), id });
  expect(placeOf(task, "desc")).toEqual({ key: task.deadline, id });
  expect(placeOf(task, "budget-asc")).toEqual({ key: task.budget, id });
  for (const order of SORTS) expect(orderKey(order)).toBe(keys[order]);
});

describe("the index of a list", () => {
  const lists: [Choice, Narrowing["few"], by: [created: string, deadline: string, budget: string]][] = [
    [{}, undefined, ["newest", "by-deadline", "by-budget"]],
    [{ category: "Design" }, undefined, ["category-newest", "category-by-deadline", "category-by-budget"]],
    [{ ownerId: "owner-1", search: "a" }, "gram", ["owner-newest", "owner-by-deadline", "owner-newest"]],
    [{ search: "a" }, undefined, ["search-newest", "search-by-deadline", "by-budget"]],
    [
      { search: "a", category: "Design" },
      undefined,
      ["search-newest", "search-by-deadline", "category-by-budget"],
    ],
    // Few tasks have the gram, or the budget: these alone are read, and sorted.
    [{ search: "a" }, "gram", ["search-newest", "search-by-deadline", "search-by-deadline"]],
    [{ search: "a", minBudget: "9" }, "budget", ["by-budget", "by-budget", "by-budget"]],
    [
      { category: "Design", minBudget: "9" },
      "budget",
      ["category-by-budget", "category-by-budget", "category-by-budget"],
    ],
  ];
  test.each(lists)(
    "When %j is listed and %s is few, then it is the one that leads to the fewest tasks",
    (choice, few, by) => {
      const selection = select(choice);
      const of = (order: Sort) => planList({ selection, order }, { gram: "a", few }).index;
      expect([of("newest"), of("asc"), of("budget-asc")]).toEqual(by);
      expect([of("oldest"), of("desc"), of("budget-desc")]).toEqual(by);
    },
  );

  test.each<[Choice, string]>([
    [{}, "by-deadline"],
    [{ category: "Design" }, "category-by-deadline"],
    [{ minBudget: "9" }, "by-budget"],
    [{ maxBudget: "9", category: "Design" }, "category-by-budget"],
    [{ ownerId: "owner-1" }, "owner-by-deadline"],
    [{ search: "a" }, "search-by-deadline"],
    [{ search: "a", minBudget: "9" }, "search-by-deadline"],
  ])("When %j is counted, then in one that holds what is asked for", (choice, index) => {
    expect(planCount(select(choice), { gram: "a" }).index).toBe(index);
  });

  /** The fields of an index, in order. */
  const fieldsOf = (name: string) => Object.keys(INDEXES.tasks.find((each) => each.name === name)?.key ?? {});
  const names = (filter: Document, field: string): boolean =>
    field in filter || (filter["$or"]?.every((part: Document) => names(part, field)) ?? false);

  test("When a list or a count is read, then each range begins somewhere in its index", () => {
    for (const choice of CHOICES) {
      const selection = select(choice);
      for (const narrowing of narrowings(choice)) {
        const plans = SORTS.flatMap((order) => {
          const after = placeOf(TASKS[7] as TaskDoc, order);
          return [
            planList({ selection, order }, narrowing),
            planList({ selection, order, after }, narrowing),
          ];
        });
        const count = planCount(selection, narrowing);
        for (const { index, filter } of [
          ...plans.flatMap(({ index, ranges }) => ranges.map(({ filter }) => ({ index, filter }))),
          count,
        ]) {
          // A search that has no gram yet, and a search by budget, read the tasks of an index in its order.
          const isBegun = index.startsWith("search-")
            ? narrowing.gram !== undefined
            : narrowing.few === undefined;
          if (isBegun)
            expect(names(filter, fieldsOf(index)[0] as string), `${index} ${JSON.stringify(filter)}`).toBe(
              true,
            );
        }
      }
    }
  });

  test("When an index holds no grams, then none is asked for", () => {
    const selection = select({ search: "a", minBudget: "9" });
    for (const few of [undefined, "budget"] as const) {
      const plan = planList({ selection, order: "budget-asc" }, { gram: "a", few });
      expect(plan.ranges.map(({ filter }) => "titleGrams" in filter)).toEqual([false]);
    }
  });

  test("When a search goes on after a place, then in two ranges, because each is merged from the categories already", () => {
    const after = placeOf(TASKS[0] as TaskDoc, "newest");
    const ranges = (choice: Choice) =>
      planList({ selection: select(choice), order: "newest", after }, { gram: "a" }).ranges.length;
    expect([ranges({ search: "a" }), ranges({})]).toEqual([2, 1]);
  });
});

describe("what is found out before a list is read", () => {
  const countOf = ({ filter }: { filter: Document }) => TASKS.filter((task) => matches(filter, task)).length;

  test("When a gram is counted, then in the titles of one category, or of all", () => {
    const has = (gram: string) => (task: TaskDoc) => task.titleGrams.includes(gram);
    const inAll = planGramCount(undefined, "boo");
    const inOne = planGramCount("Design", "boo");
    expect(countOf(inAll)).toBe(TASKS.filter(has("boo")).length);
    expect(countOf(inOne)).toBe(
      TASKS.filter(({ category }) => category === "Design").filter(has("boo")).length,
    );
    expect(countOf(inOne)).toBeGreaterThan(0);
    expect([inAll.index, inOne.index]).toEqual(["search-by-deadline", "search-by-deadline"]);
    // Named one by one, because the index begins with it.
    for (const plan of [inAll, inOne]) expect(plan.filter).toHaveProperty("category");
  });

  test("When a range of budgets is counted, then whatever else is asked of the tasks", () => {
    const range = { minBudget: "200", maxBudget: "400.5" };
    const isInRange = ({ budget }: TaskDoc) => budget >= 200 && budget <= 400.5;
    const inAll = planBudgetCount(select({ ...range, state: "open", search: "a" }));
    expect([countOf(inAll), inAll.index]).toEqual([TASKS.filter(isInRange).length, "by-budget"]);
    const inOne = planBudgetCount(select({ ...range, category: "Design" }));
    const designs = TASKS.filter(({ category }) => category === "Design");
    expect([countOf(inOne), inOne.index]).toEqual([designs.filter(isInRange).length, "category-by-budget"]);
  });
});

test("When Home asks for the featured tasks, then they take bids and are visible, most bids first, then the soonest deadline", () => {
  const plan = planFeatured(today);
  const open = TASKS.filter((task) => isChosen(task, { state: "open" }));
  expect(titles(found(plan))).toEqual(titles(open.sort(inOrderOf({ bidsCount: -1, deadline: 1, _id: 1 }))));
  expect(plan.index).toBe("featured");
  expect(plan.ranges[0]?.filter).toHaveProperty("bidsCount");
});
