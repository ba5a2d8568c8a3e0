import type { Document, Sort as MongoSort } from "mongodb";
import { describe, expect, test } from "vitest";
import { inDays } from "../../../test/builders.ts";
import { inAllStates, manyTasks } from "../../../test/many-tasks.ts";
import { inOrderOf, matches } from "../../../test/match-filter.ts";
import { SORTS, type Sort, type TaskFilters } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { searchGrams, searchWords } from "../../domain/text-search.ts";
import {
  type ListPlan,
  type Narrowing,
  placeOf,
  planBudgetCount,
  planCount,
  planFeatured,
  planKeyCount,
  planList,
  planUnlistedCount,
  SEARCH_PARTS,
  type SearchPart,
  selectTasks,
} from "./task-list-plan.ts";

/*
 * Compares the plans with plain filtering and sorting in memory: which tasks a list has, in which order and after which
 * place. How the database executes the plans is tested in task-list-plan.test.ts.
 */

const today = inDays(0);
const DESCRIPTION = "Careful native writers, with a newsletter.";
const TASKS = inAllStates(manyTasks(60, 1, (number) => (number % 5 === 0 ? DESCRIPTION : undefined))).map(
  (task, number) => ({
    ...task,
    // Ties in every order.
    budget: 100 + (number % 12) * 50.5,
    createdAt: new Date(inDays(-(number % 14))),
    ownerId: `owner-${number % 3}`,
    bidsCount: number % 7,
    clientRating: number % 6,
  }),
);

// Five, so that each budget is among them, also those that a range begins or ends with.
const SOME = TASKS.filter((_, number) => number % 5 === 0);

type Choice = TaskFilters & { ownerId?: string };
const CHOICES: Choice[] = [
  {},
  { state: "open" },
  { category: "Design" },
  { category: "Design", state: "open" },
  { minBudget: "201" },
  { maxBudget: "403" },
  { minBudget: "200", maxBudget: "504", category: "Writing" },
  { clientRating: "4" },
  { posted: "7", state: "open" },
  { maxBids: "5" },
  { client: "owner-2" },
  { search: "NEWSletter" },
  { search: "e", state: "open", minBudget: "150.5", maxBudget: "600" },
  { search: "menu card", category: "Design" },
  { search: "r a", state: "open" },
  { search: "careful NATIVE", state: "open" },
  { email: "c@people.example", ownerId: "owner-1" },
  { email: "c@people.example", ownerId: "owner-1", state: "open", search: "a", category: "Writing" },
];

/** An independent implementation of the filters. */
function isChosen(
  task: TaskDoc,
  { ownerId, search = "", category, minBudget = "0", maxBudget = "1e9", state, ...more }: Choice,
) {
  const { clientRating = "0", posted = "99", maxBids = "99", client = task.ownerId } = more;
  return (
    (ownerId === undefined ? !task.hidden : task.ownerId === ownerId) &&
    (isFound(task, search, "title") || isFound(task, search, "description")) &&
    (category === undefined || task.category === category) &&
    task.budget >= Number(minBudget) &&
    task.budget <= Number(maxBudget) &&
    (task.clientRating ?? 0) >= Number(clientRating) &&
    task.createdAt >= new Date(inDays(-Number(posted))) &&
    task.bidsCount <= Number(maxBids) &&
    task.ownerId === client &&
    (state === undefined || (task.state === "open" && task.deadline >= today))
  );
}

function isFound({ title, description }: TaskDoc, search: string, part: SearchPart): boolean {
  const words = description.toLowerCase().split(/\W+/u);
  return part === "title"
    ? title.toLowerCase().includes(search.toLowerCase())
    : search
        .toLowerCase()
        .split(" ")
        .every((word) => words.includes(word));
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

/** What a plan finds: the tasks of its consecutive ranges. */
function found({ ranges }: Pick<ListPlan, "ranges">): TaskDoc[] {
  const sorted = (sort: MongoSort) => inOrderOf(sort as Record<string, 1 | -1>);
  return ranges.flatMap(({ filter, sort }) =>
    TASKS.filter((task) => matches(filter, task)).sort(sorted(sort)),
  );
}

const titles = (tasks: TaskDoc[]) => tasks.map(({ _id, title }) => `${_id} ${title}`);

/** Every narrowing with which a choice can be read. */
function narrowings({ search, minBudget, maxBudget }: Choice): Narrowing[] {
  const keys = search ? [...searchGrams(search).slice(0, 1), ...searchWords(search)] : undefined;
  const ways: Narrowing[] = [{}];
  if (keys) ways.push({ keys }, { keys, few: "keys" });
  if (minBudget ?? maxBudget) ways.push({ keys, few: "budget" });
  return ways;
}

describe.each(CHOICES)("a list of %j", (choice) => {
  test.each(SORTS)(
    "When it is sorted by %s, then it has the chosen tasks in that order, after any place",
    (order) => {
      const chosen = TASKS.filter((task) => isChosen(task, choice)).sort(orderOf(order));
      // An empty list would prove nothing.
      expect(chosen.length).toBeGreaterThan(0);
      const selection = select(choice);
      for (const narrowing of narrowings(choice)) {
        expect(titles(found(planList({ selection, order }, narrowing)))).toEqual(titles(chosen));
        // Even after tasks that are not in the list, because they may have changed since.
        for (const before of SOME) {
          const rest = chosen.filter((task) => orderOf(order)(before, task) < 0);
          const after = placeOf(before, order);
          expect(titles(found(planList({ selection, order, after }, narrowing)))).toEqual(titles(rest));
        }
      }
    },
  );

  test("When it is counted, then the number matches the list, whatever the narrowing", () => {
    const count = TASKS.filter((task) => isChosen(task, choice)).length;
    for (const narrowing of narrowings(choice)) {
      const { filter } = planCount(select(choice), narrowing);
      expect(TASKS.filter((task) => matches(filter, task))).toHaveLength(count);
    }
  });
});

describe.each(CHOICES.filter(({ search }) => search))("a search of %j", (choice) => {
  test.each(SEARCH_PARTS)("When it lists the matches in %s, then no other, the newest first", (part) => {
    const { search = "", ...others } = choice;
    const isIn = (task: TaskDoc) =>
      isFound(task, search, part) && !(part === "description" && isFound(task, search, "title"));
    const chosen = TASKS.filter((task) => isChosen(task, others) && isIn(task)).sort(orderOf("newest"));
    const { ownerId, ...filters } = choice;
    const selection = selectTasks(filters, { ownerId, today, part });
    const keys = selection.keys.map(([key = ""]) => key);
    for (const narrowing of [{}, { keys }, { keys, few: "keys" }] satisfies Narrowing[])
      expect(titles(found(planList({ selection, order: "best" }, narrowing)))).toEqual(titles(chosen));
  });
});

test("When there are no filters, then the selection says so, so that nothing needs to be counted", () => {
  expect(select({}).isEverything).toBe(true);
  expect(select({ category: undefined }).isEverything).toBe(true);
  for (const choice of CHOICES.slice(1)) expect(select(choice).isEverything).toBe(false);
});

test("When a filter changes all the time, and so is in no index, then the selection says that it is not counted", () => {
  expect(select({ category: "Design" }).isCountable).toBe(true);
  expect(select({ maxBids: "5" }).isCountable).toBe(false);
  expect(select({ clientRating: "4" }).isCountable).toBe(false);
});

test("When a text has many words, then only a few of its keys are counted to plan its list", () => {
  const { keys } = select({ search: "a b c d e f g h i j k l m n o p q r s t u v w x y z" });
  expect(keys.map(({ length }) => length)).toEqual([4, 2]);
});

describe("the index of a list", () => {
  const lists: [Choice, Narrowing["few"], by: [created: string, deadline: string, budget: string]][] = [
    [{}, undefined, ["newest", "by-deadline", "by-budget"]],
    [{ category: "Design" }, undefined, ["category-newest", "category-by-deadline", "category-by-budget"]],
    [{ ownerId: "owner-1", search: "a" }, "keys", ["owner-newest", "owner-by-deadline", "owner-newest"]],
    [{ search: "a" }, undefined, ["search-newest", "search-by-deadline", "by-budget"]],
    [
      { search: "a", category: "Design" },
      undefined,
      ["search-newest", "search-by-deadline", "category-by-budget"],
    ],
    // If few tasks have the keys or the budget, only these are read, and sorted.
    [{ search: "a" }, "keys", ["search-newest", "search-by-deadline", "search-by-deadline"]],
    [{ search: "a", minBudget: "9" }, "budget", ["by-budget", "by-budget", "by-budget"]],
    [
      { category: "Design", minBudget: "9" },
      "budget",
      ["category-by-budget", "category-by-budget", "category-by-budget"],
    ],
  ];
  test.each(lists)(
    "When %j is listed and few tasks match its %s, then it is the index that leaves the fewest tasks to read",
    (choice, few, by) => {
      const selection = select(choice);
      const of = (order: Sort) => planList({ selection, order }, { keys: ["a"], few }).index;
      expect([of("newest"), of("asc"), of("budget-asc")]).toEqual(by);
      expect([of("oldest"), of("desc"), of("budget-desc")]).toEqual(by);
    },
  );

  test.each<[Choice, string]>([
    [{}, "by-deadline"],
    [{ category: "Design" }, "category-by-deadline"],
    [{ posted: "7", minBudget: "9" }, "newest"],
    [{ minBudget: "9" }, "by-budget"],
    [{ maxBudget: "9", category: "Design" }, "category-by-budget"],
    [{ ownerId: "owner-1" }, "owner-by-deadline"],
    [{ search: "a" }, "search-by-deadline"],
    [{ search: "a", minBudget: "9" }, "search-by-deadline"],
  ])("When %j is counted, then the index contains the filtered fields", (choice, index) => {
    expect(planCount(select(choice), { keys: ["a"] }).index).toBe(index);
  });
});

test("When the unlisted tasks of a selection are counted, then those of its filters", () => {
  const filters = { category: "Design", state: "open" } as const;
  const { filter, index } = planUnlistedCount(select(filters));
  const [unlisted, listed] = [true, false].map((is) => TASKS.map((task) => ({ ...task, unlisted: is })));
  const count = (tasks: TaskDoc[] = []) => tasks.filter((task) => matches(filter, task)).length;
  expect([count(listed), index]).toEqual([0, "unlisted"]);
  expect(count(unlisted)).toBe(TASKS.filter((task) => isChosen(task, filters)).length);
});

describe("counts that are taken before a list is read", () => {
  const countOf = ({ filter }: { filter: Document }) => TASKS.filter((task) => matches(filter, task)).length;

  test("When a key is counted, then in the tasks of one category or of all", () => {
    const has = (key: string) => (task: TaskDoc) => task.searchKeys.includes(key);
    const inAll = planKeyCount(undefined, "boo");
    const inOne = planKeyCount("Design", "boo");
    expect(countOf(inAll)).toBe(TASKS.filter(has("boo")).length);
    expect(countOf(inOne)).toBe(
      TASKS.filter(({ category }) => category === "Design").filter(has("boo")).length,
    );
    expect(countOf(inOne)).toBeGreaterThan(0);
    expect([inAll.index, inOne.index]).toEqual(["search-by-deadline", "search-by-deadline"]);
    // Both filter by category, because the index begins with it.
    for (const plan of [inAll, inOne]) expect(plan.filter).toHaveProperty("category");
  });

  test("When a range of budgets is counted, then other filters except the category are ignored", () => {
    const range = { minBudget: "200", maxBudget: "400.5" };
    const isInRange = ({ budget }: TaskDoc) => budget >= 200 && budget <= 400.5;
    const inAll = planBudgetCount(select({ ...range, state: "open", search: "a" }));
    expect([countOf(inAll), inAll.index]).toEqual([TASKS.filter(isInRange).length, "by-budget"]);
    const inOne = planBudgetCount(select({ ...range, category: "Design" }));
    const designs = TASKS.filter(({ category }) => category === "Design");
    expect([countOf(inOne), inOne.index]).toEqual([designs.filter(isInRange).length, "category-by-budget"]);
  });
});

test("When featured tasks are read, then they take bids and are visible, most bids first, then the soonest deadline", () => {
  const plan = planFeatured(today);
  const open = TASKS.filter((task) => isChosen(task, { state: "open" }));
  expect(titles(found(plan))).toEqual(titles(open.sort(inOrderOf({ bidsCount: -1, deadline: 1, _id: 1 }))));
  expect(plan.index).toBe("featured");
  expect(plan.ranges[0]?.filter).toHaveProperty("bidsCount");
});
