import { beforeEach, expect, test } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { manyTasks } from "../../../test/many-tasks.ts";
import { taskListSchema } from "../../contract/index.ts";
import { fillGrams } from "./fill-grams.ts";
import { titleGrams } from "./title-grams.ts";

const house = useHarness();
const COUNT = 120;

/** Tasks as earlier versions left them: one had no grams, the next had none for pairs of words. */
beforeEach(async () => {
  await house.database.tasks.deleteMany({});
  const old = manyTasks(COUNT).map(({ grams2 = [], ...task }, number) => {
    const grams = (grams2 ?? []).filter((gram) => gram.length <= 3 && !/\S\s/.test(gram));
    return number % 3 === 0 ? task : { ...task, grams };
  });
  await house.database.tasks.insertMany(old);
});

const without = () => house.database.tasks.countDocuments({ grams2: { $exists: false } });

/** Titles found by searches of all lengths, as a scan of all titles finds them. */
async function expectRightSearches(): Promise<void> {
  const titles = (await house.database.tasks.find().toArray()).map(({ title }) => title);
  for (const search of [
    "o",
    "ÖR",
    "logo",
    "newsletter for a",
    "o for",
    "hovercraft",
    "newsletter hovercraft",
  ]) {
    const answer = await house
      .as()
      .get(`/tasks?search=${encodeURIComponent(search)}`)
      .expect(200);
    const found = taskListSchema.parse(answer.body).map(({ title }) => title);
    const expected = titles.filter((title) => title.toLowerCase().includes(search.toLowerCase()));
    expect(found.sort(), search).toEqual(expected.sort());
  }
}

/** Stops after that many writes. */
function interrupted(after: number) {
  const stopping = new AbortController();
  const { tasks } = house.database;
  let writes = 0;
  const collection = new Proxy(tasks, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== "bulkWrite") return typeof value === "function" ? value.bind(target) : value;
      return (...args: Parameters<typeof tasks.bulkWrite>) => {
        if (++writes === after) stopping.abort();
        return tasks.bulkWrite(...args);
      };
    },
  });
  return fillGrams(collection, { signal: stopping.signal, batch: 20 });
}

test("When the filling is interrupted and started again, then searches are right before, in the middle and after, and in the end nothing is missing", async () => {
  await expectRightSearches();
  expect(await interrupted(2)).toBe(40);
  expect(await without()).toBe(COUNT - 40);
  await expectRightSearches();
  expect(await fillGrams(house.database.tasks, { batch: 20 })).toBe(COUNT - 40);
  expect(await without()).toBe(0);
  await expectRightSearches();
  for await (const task of house.database.tasks.find()) {
    expect(task.grams2).toEqual(titleGrams(task.title));
    expect(task).not.toHaveProperty("grams");
  }
  expect(await fillGrams(house.database.tasks)).toBe(0);
});

test("When several instances fill at the same time, then each task is filled once", async () => {
  const counts = await Promise.all([1, 2, 3].map(() => fillGrams(house.database.tasks, { batch: 10 })));
  expect(counts.reduce((sum, count) => sum + count)).toBe(COUNT);
  expect(await without()).toBe(0);
});

test("When titles are edited while they are filled, with or without grams, then no grams of an old title stay", async () => {
  const { tasks } = house.database;
  const ids = await tasks.distinct("_id");
  const edit = async () => {
    for (const [number, _id] of ids.entries()) {
      const title = `Edited ${number}`;
      // Half of them by an instance of the older version, which knows no grams.
      const grams = number % 2 === 0 ? { grams2: titleGrams(title) } : {};
      await tasks.updateOne({ _id, grams2: null }, { $set: { title, ...grams } });
    }
  };
  await Promise.all([edit(), fillGrams(tasks, { batch: 5 })]);
  await fillGrams(tasks);
  for await (const { title, grams2 } of tasks.find()) expect(grams2, title).toEqual(titleGrams(title));
});
