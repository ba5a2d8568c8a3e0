import type { Document } from "mongodb";
import { beforeAll, describe, expect, test } from "vitest";
import { inAllStates, inDays, manyTasks, storeMany, useHarness } from "../../../test/index.ts";
import { SORTS, type Sort, type TaskFilters } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import {
  type ListPlan,
  type Narrowing,
  type Order,
  type Place,
  placeOf,
  planCount,
  planFeatured,
  planList,
  type SearchPart,
  selectTasks,
} from "./task-list-plan.ts";

const harness = useHarness();
const COUNT = 4_000;
const PAGE = 25;
// Frequent, rare and absent terms of one to many characters.
const TERMS = ["a", "ÖR", "NEWSLETTER", "hovercraft"];
let tasks: TaskDoc[];

beforeAll(async () => {
  const describe = (number: number) => (number % 30 === 0 ? "A voyage by sea." : "By sea.");
  tasks = inAllStates(manyTasks(COUNT, 1, describe));
  await storeMany(harness.database.tasks, tasks);
}, 60_000);

type Explained = { stages: string[]; docs: number; keys: number };

async function explain({ ranges, index }: ListPlan, limit = PAGE): Promise<Explained> {
  const plans = await Promise.all(
    ranges.map(({ filter, sort }) =>
      harness.database.tasks.find(filter, { sort, hint: index, limit }).explain("executionStats"),
    ),
  );
  const sum = (field: string) => plans.reduce((total, plan) => total + plan["executionStats"][field], 0);
  return {
    stages: plans.flatMap((plan) => stagesOf(plan["queryPlanner"].winningPlan)),
    docs: sum("totalDocsExamined"),
    keys: sum("totalKeysExamined"),
  };
}

type Asked = Partial<Omit<TaskFilters, "email">> & { ownerId?: string | undefined; part?: SearchPart };

const select = ({ ownerId, part, ...filters }: Asked) =>
  selectTasks(
    { ...filters, ...(ownerId && { email: "x@y" }) },
    { ownerId, today: inDays(0), ...(part && { part }) },
  );

type List = Asked & { order: Order; after?: Place | undefined; few?: Narrowing["few"] };

function explainList({ order, after, few, ...asked }: List): Promise<Explained> {
  const selection = select(asked);
  const keys = selection.keys.map(([likely = ""]) => likely);
  return explain(planList({ selection, order, after }, { ...(keys.length > 0 && { keys }), few }));
}

function stagesOf(plan: Document): string[] {
  const { stage, queryPlan, inputStage, inputStages = [] } = plan;
  const below = [queryPlan, inputStage, ...inputStages].filter((part) => part !== undefined);
  return [...(stage === undefined ? [] : [stage]), ...below.flatMap((part) => stagesOf(part as Document))];
}

describe("every list the API allows", () => {
  const searches = [undefined, ...TERMS];
  for (const category of [undefined, "Design"] as const) {
    for (const ownerId of [undefined, "owner-7"]) {
      for (const order of SORTS) {
        // Searches by budget are tested below. One person's tasks are few enough to be sorted.
        const isSorted = order.startsWith("budget") && ownerId !== undefined;
        test(`When ${category ?? "any"} tasks of ${ownerId ?? "anybody"} are listed by ${order}, then an index provides the order`, async () => {
          const middle = placeOf(tasks[COUNT / 2] as TaskDoc, order);
          for (const search of order.startsWith("budget") ? [undefined] : searches) {
            for (const [after, state] of [
              [undefined, undefined],
              [middle, undefined],
              [undefined, "open"],
              [middle, "open"],
            ] as const) {
              const { stages, docs } = await explainList({ category, ownerId, search, order, after, state });
              const name = `${search} ${after ? "further" : "first"} ${state ?? "all"}`;
              expect(stages, name).toContain("IXSCAN");
              for (const stage of ["COLLSCAN", ...(isSorted ? [] : ["SORT"])])
                expect(stages, name).not.toContain(stage);
              // An owner's list is read as a whole at worst; others read their results and few false matches of grams.
              const most = ownerId === undefined ? 2 * PAGE : COUNT / 20;
              // One more, because the two ranges of a further page are merged after their tasks are read.
              if (search === undefined && ownerId === undefined)
                expect(docs, name).toBeLessThanOrEqual(PAGE + 1);
              expect(docs, name).toBeLessThanOrEqual(most);
            }
          }
        });
      }
    }
  }

  test("When a text is in descriptions only, then those with its rarest word are read, in the order of an index", async () => {
    for (const asked of [{ order: "best", part: "description" }, { order: "asc" }] as const) {
      const { stages, docs } = await explainList({ search: "sea voyage", ...asked });
      expect(stages).not.toContain("SORT");
      // Some of them are hidden.
      expect([docs >= PAGE, docs <= PAGE + 5]).toEqual([true, true]);
    }
  });

  test("When no title contains a text, then no task is read, even if each of its words is frequent", async () => {
    for (const search of ["☃", "qz", "hovercraft", "logo bakery", "newsletter museum", "page in Oslo"]) {
      expect((await explainList({ search, order: "newest" })).docs).toBe(0);
    }
  });
});

test("When tasks are counted by category or owner, then only the index is read", async () => {
  const choices = [
    { category: "Design" },
    { minBudget: "500", maxBudget: "600" },
    { category: "Design", state: "open", maxBudget: "600" },
    { ownerId: "owner-7" },
    { state: "open" },
    { category: "Design", state: "open" },
  ] as const;
  for (const choice of choices) {
    const { filter, index } = planCount(select(choice), {});
    const pipeline = [{ $match: filter }, { $limit: 10_001 }, { $group: { _id: 1, n: { $sum: 1 } } }];
    const { executionStats } = await harness.database.tasks
      .aggregate(pipeline, { hint: index })
      .explain("executionStats")
      .then((plan) => plan["stages"]?.[0]?.$cursor ?? plan);
    expect(executionStats.totalDocsExamined).toBe(0);
    expect(executionStats.totalKeysExamined).toBeLessThan(
      "category" in choice || "ownerId" in choice || "minBudget" in choice ? 1_500 : COUNT + 100,
    );
  }
});

describe("a range of budgets", () => {
  const after = (order: Sort) => placeOf(tasks[COUNT / 2] as TaskDoc, order);

  test("When many tasks are in it, then the list's own index skips the others", async () => {
    for (const order of SORTS) {
      for (const asked of [{ state: "open" }, { state: "open", category: "Design" }] as const) {
        for (const place of [undefined, after(order)]) {
          const range = { minBudget: "300", maxBudget: "1800" };
          const { stages, docs } = await explainList({ ...asked, ...range, order, after: place });
          for (const stage of ["COLLSCAN", "SORT"]) expect(stages, order).not.toContain(stage);
          expect(docs, order).toBeLessThanOrEqual(PAGE);
        }
      }
    }
  });

  test("When few tasks are in it, then only those are read, in any order and with any search", async () => {
    for (const order of SORTS) {
      for (const search of [undefined, "logo", "a"]) {
        for (const place of [undefined, after(order)]) {
          const range = { minBudget: "300", maxBudget: "310", search };
          const { stages, keys } = await explainList({ ...range, order, after: place, few: "budget" });
          expect(stages, order).not.toContain("COLLSCAN");
          expect(keys, order).toBeLessThanOrEqual(2 * 30 + 4);
        }
      }
    }
  });

  test("When a search is sorted by budget, then only the matches of a rare text are read, and for a frequent one some of all tasks", async () => {
    const rare = await explainList({ search: "hovercraft", order: "budget-asc", few: "keys" });
    expect([rare.docs, rare.stages.includes("COLLSCAN")]).toEqual([0, false]);
    const frequent = await explainList({ search: "e", order: "budget-desc" });
    expect(frequent.stages).not.toContain("SORT");
    expect(frequent.docs).toBeLessThanOrEqual(2 * PAGE);
  });
});

test("When featured tasks are read, then the index skips expired, awarded and hidden ones", async () => {
  const { stages, docs, keys } = await explain(planFeatured(inDays(0)), 6);
  expect(stages).not.toContain("SORT");
  expect(docs).toBe(6);
  expect(keys).toBeLessThan(80);
});
