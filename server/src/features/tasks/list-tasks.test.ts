import { MongoServerError, type ObjectId } from "mongodb";
import { beforeAll, describe, expect, test } from "vitest";
import {
  aTaskDoc,
  inAllStates,
  inDays,
  manyTasks,
  nextPage,
  storeMany,
  useHarness,
} from "../../../test/index.ts";
import { inOrderOf } from "../../../test/match-filter.ts";
import { seededRandom } from "../../../tools/lib/random.ts";
import type { User } from "../../auth/token-verifier.ts";
import type { Task } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { listAll, listPage } from "./list-tasks.ts";
import type { TaskQueries } from "./store.ts";

const harness = useHarness();
const COUNT = 1_700;
let tasks: TaskDoc[];

beforeAll(async () => {
  const describe = (number: number) => (number % 3 === 0 ? "Like our last newsletter." : undefined);
  tasks = inAllStates(manyTasks(COUNT, 7, describe));
  await storeMany(harness.database.tasks, tasks);
}, 60_000);

const ORDERS = {
  newest: inOrderOf({ createdAt: -1, _id: -1 }),
  asc: inOrderOf({ deadline: 1, _id: 1 }),
  "budget-asc": inOrderOf({ budget: 1, _id: 1 }),
  "budget-desc": inOrderOf({ budget: -1, _id: -1 }),
};
type Order = { sort?: keyof typeof ORDERS; search?: string };
const idOf = ({ _id }: { _id: ObjectId }) => _id.toHexString();

/** The expected list: all tasks, filtered and sorted in memory. */
function expectedIds({ sort, search }: Order, keep: (task: TaskDoc) => boolean): string[] {
  const order = ORDERS[sort ?? "newest"];
  const isSecond = ({ title }: TaskDoc) => Number(!sort && search !== undefined && !title.includes(search));
  return tasks
    .filter((task) => !task.hidden && keep(task))
    .sort((a, b) => isSecond(a) - isSecond(b) || order(a, b))
    .map(idOf);
}

async function get(path: string): Promise<{ ids: string[]; next: string | undefined }> {
  const response = await harness.ok().get(path);
  const ids = (response.body as Task[]).map(({ _id }) => _id);
  return { ids, next: nextPage(response) };
}

const takesBids = ({ state, deadline }: TaskDoc) => state === "open" && deadline >= inDays(0);

const mentions = ({ title, description }: TaskDoc, text: string) => `${title} ${description}`.includes(text);

const within = (lowest: number, highest: number, { budget }: TaskDoc) =>
  lowest <= budget && budget <= highest;

const LISTS: [query: Order & Record<string, string>, keep: (task: TaskDoc) => boolean][] = [
  [{}, () => true],
  [
    { search: "ma", category: "Writing", sort: "asc" },
    ({ title, category }) => /ma/i.test(title) && category === "Writing",
  ],
  [
    { sort: "budget-desc", category: "Writing", minBudget: "300", maxBudget: "1500" },
    (task) => task.category === "Writing" && within(300, 1_500, task),
  ],
  [
    { sort: "budget-asc", search: "newsletter", state: "open" },
    (task) => takesBids(task) && mentions(task, "newsletter"),
  ],
  [{ search: "newsletter" }, (task) => mentions(task, "newsletter")],
];

// Which tasks each order and filter has is tested in task-list-plan-rules.test.ts.
describe("a list of many tasks", () => {
  test.each(LISTS)(
    "When all tasks of %j are requested, then each is streamed once, in order",
    async (query, keep) => {
      const { ids } = await get(`/tasks?${new URLSearchParams(query)}`);
      expect(ids).toEqual(expectedIds(query, keep));
    },
  );

  test.each(LISTS)(
    "When %j is paged while other tasks are inserted, deleted and changed, then no remaining task is missed or repeated",
    async (query, keep) => {
      const roll = seededRandom(3);
      const seen: string[] = [];
      const strangers: ObjectId[] = [];
      let next: string | undefined = `/tasks?${new URLSearchParams({ ...query, limit: "97" })}`;
      while (next) {
        const page = await get(next);
        seen.push(...page.ids);
        next = page.next;
        const some = manyTasks(5, seen.length).map((task) => ({ ...task, name: "Stranger" }));
        const [gone, moved] = [strangers[Math.floor(roll() * strangers.length)], strangers[0]];
        await Promise.all([
          harness.database.tasks.insertMany(some),
          gone && harness.database.tasks.deleteOne({ _id: gone }),
          moved && harness.setTask(moved, { deadline: inDays(-9) }),
        ]);
        strangers.push(...some.map(({ _id }) => _id));
      }
      await harness.database.tasks.deleteMany({ name: "Stranger" });
      const ours = new Set(tasks.map(idOf));
      expect(seen.filter((id) => ours.has(id))).toEqual(expectedIds(query, keep));
    },
  );

  test("When a cursor is used with other filters, then it is refused", async () => {
    const { next = "" } = await get("/tasks?limit=5&category=Design&search=logo");
    for (const [from, to] of [
      ["category=Design", "category=Writing"],
      ["search=logo", "search=log"],
      ["search=logo", ""],
      ["category=Design", "category=Design&state=open"],
      ["category=Design", "category=Design&maxBudget=5000"],
      ["category=Design", "category=Design&sort=oldest"],
    ] as const) {
      await harness.as().get(next.replace(from, to)).expect(400);
    }
    await harness.ok().get(next.replace("limit=5", "limit=9"));
  });

  test("When more tasks match than are counted, then the total is marked as a lower bound", async () => {
    // A new instance has cached no counts: a cached one may be two seconds old and include the strangers.
    const { ok } = harness.instance();
    const total = async (query: string) => {
      const { headers } = await ok().get(`/tasks?limit=3&${query}`);
      return [Number(headers["x-total-count"]), headers["x-total-count-is"]];
    };
    expect(await total("")).toEqual([COUNT, "estimate"]);
    expect(await total("category=Design")).toEqual([
      expectedIds({}, ({ category }) => category === "Design").length,
      "exact",
    ]);
    // The total may be two seconds old and still include the strangers of the tests above.
    const open = [expectedIds({}, takesBids).length, "exact"];
    await expect.poll(() => total("state=open"), { timeout: 5_000 }).toEqual(open);
    // While a machine is so slow that counting times out, it is the number of tasks read for the page.
    await expect.poll(() => total("search=a")).toEqual([1_000, "at-least"]);
    expect(await total("search=hovercraft")).toEqual([0, "exact"]);
  });
});

describe("a search that takes too long", () => {
  const tooLong = new MongoServerError({ message: "operation exceeded time limit", code: 50 });
  const store = (fields: Partial<TaskQueries>) => fields as TaskQueries;

  test("When a search times out, then the response says what to do; a list without a search is an outage", async () => {
    const slow = store({ list: () => Promise.reject(tooLong) });
    for (const list of [
      listPage(slow, { search: "e" }, 5, undefined, new Date()),
      listAll(slow, { search: "e" }, undefined, new Date()),
    ]) {
      await expect(list).rejects.toMatchObject({ code: "search-too-broad" });
    }
    await expect(listPage(slow, {}, 5, undefined, new Date())).rejects.toBe(tooLong);
  });

  test("When the reviews of a whole list cannot be read, then that fails before anything is sent", async () => {
    const visitor = { uid: "ada", name: "Ada", email: "ada@example.com" } as User;
    const page = [aTaskDoc({ ownerId: visitor.uid, state: "completed" })];
    const broken = store({ list: async () => page, reviewedBy: () => Promise.reject(tooLong) });
    await expect(listAll(broken, { email: visitor.email }, visitor, new Date())).rejects.toBe(tooLong);
  });

  test("When only the counting takes too long, or no index helps, then the page is returned with a lower bound as its total", async () => {
    const page = [1, 2, 3].map(() => aTaskDoc());
    const slow = store({ list: async () => page, count: () => Promise.reject(tooLong) });
    const { total, tasks: found } = await listPage(slow, { search: "e" }, 2, undefined, new Date());
    expect([found.length, total]).toEqual([2, { count: 3, is: "at-least" }]);
    const uncounted = store({ list: async () => page });
    for (const filters of [{ maxBids: "5" }, { clientRating: "4" }] as const)
      expect((await listPage(uncounted, filters, 2, undefined, new Date())).total).toEqual(total);
  });
});
