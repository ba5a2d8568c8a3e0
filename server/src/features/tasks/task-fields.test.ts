import { beforeEach, expect, test } from "vitest";
import { bidHelpers } from "../../../test/bid-helpers.ts";
import { aTaskDoc, aTaskDraft, inDays } from "../../../test/builders.ts";
import { useHarness, usePeople } from "../../../test/harness.ts";
import type { Person } from "../../../test/people.ts";
import { COMPLETE_TASKS } from "../../../tools/lib/example-task.ts";
import {
  concernsFreelancers,
  isTerm,
  type SavedFilters,
  SORTS,
  TASK_FIELD_NAMES,
  type TaskDraft,
  type TaskQuery,
  taskFilters,
  taskQuerySchema,
} from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { type Match, matchPlan } from "../saved-searches/match-searches.ts";
import { concernsBidders } from "./task-draft.ts";

// Every field of a task and every parameter of its lists must take effect everywhere, not just be accepted.

const harness = useHarness();
const [ada, bob] = usePeople("Ada", "Bob");
beforeEach(() => harness.clear("tasks"));

test("When a task is posted, saved, read and exported, then no field of the form is lost", async () => {
  const as = harness.as(ada);
  const { insertedId: id } = (await as.post("/tasks", COMPLETE_TASKS[0]).expect(201)).body;
  for (const version of [0, 1] as const) {
    if (version === 1) await as.put(`/tasks/${id}`, COMPLETE_TASKS[1]).expect(200);
    const { viewer, ...task } = (await as.get(`/tasks/${id}`).expect(200)).body;
    expect({ ...viewer, ...task }).toMatchObject(COMPLETE_TASKS[version]);
    expect(await harness.taskInStore(id)).toMatchObject(COMPLETE_TASKS[version]);
    const { tasks } = (await as.get("/me/export").expect(200)).body;
    expect(tasks).toMatchObject([COMPLETE_TASKS[version]]);
  }
});

test("When a save changes nothing, then bidders are not concerned and it succeeds after an award; a changed field is treated as its kind demands", async () => {
  const { bid, award } = bidHelpers(harness);
  for (const [version, other] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const draft = COMPLETE_TASKS[version];
    const changes = TASK_FIELD_NAMES.map(
      (field) => [field, { ...draft, [field]: COMPLETE_TASKS[other][field] }] as const,
    );
    const id = await harness.postTask(ada, draft);
    const saved = { ...(await harness.taskInStore(id)) };
    expect(concernsBidders(saved, draft)).toBe(false);
    for (const [field, changed] of changes)
      expect(concernsBidders(saved, changed), field).toBe(concernsFreelancers(field));
    await bid(id, bob, { answer: "Seven." });
    await award(id, ada, bob);
    const save = (sent: TaskDraft) => harness.as(ada).put(`/tasks/${id}`, sent);
    await save(draft).expect(200);
    for (const [field, changed] of changes)
      expect((await save(changed)).status, field).toBe(isTerm(field) ? 409 : 200);
  }
});

test("When any field that others see changes, then the task's line in the CSV export changes", async () => {
  const as = harness.as(ada);
  const id = await harness.postTask(ada, COMPLETE_TASKS[0]);
  const line = async (draft: TaskDraft) => {
    await as.put(`/tasks/${id}`, draft).expect(200);
    return (await as.get("/me/tasks.csv").buffer(true).expect(200)).text;
  };
  const before = await line(COMPLETE_TASKS[0]);
  for (const field of TASK_FIELD_NAMES.filter(concernsFreelancers))
    expect(await line({ ...COMPLETE_TASKS[0], [field]: COMPLETE_TASKS[1][field] }), field).not.toBe(before);
});

/** For each parameter a value that changes the list of these two tasks. */
const PARAMETERS: Record<keyof TaskQuery, (person: Person, next: string) => string> = {
  search: () => "fox",
  category: () => "Design",
  minBudget: () => "100",
  maxBudget: () => "99.99",
  state: () => "open",
  posted: () => "1",
  maxBids: () => "0",
  client: ({ uid }) => uid,
  email: ({ email }) => email,
  sort: () => "asc",
  limit: () => "1",
  cursor: (_person, next) => new URLSearchParams(next.split("?")[1]).get("cursor") ?? "",
};

test("When a list is requested with any of its parameters, then the parameter changes the result", async () => {
  await harness.insertTask({
    title: "Paint a fox",
    category: "Design",
    deadline: inDays(5),
    budget: 99.99,
    bidsCount: 3,
    createdAt: new Date(Date.now() - 3 * 86_400_000),
  });
  await harness.insertTask({
    ...aTaskDraft(),
    showEmail: true,
    ownerId: ada.uid,
    state: "cancelled",
    deadline: inDays(9),
    budget: 100,
  });
  const list = async (query: Record<string, string>) => {
    const { body, headers } = await harness
      .as(ada)
      .get(`/tasks?${new URLSearchParams(query)}`)
      .expect(200);
    const titles = (body as { title: string }[]).map(({ title }) => title);
    return { titles, next: /<(.+)>/.exec(headers["link"] ?? "")?.[1] ?? "" };
  };
  const all = await list({});
  expect(all.titles).toHaveLength(2);
  const { next } = await list({ limit: "1" });
  for (const name of Object.keys(taskQuerySchema.shape) as (keyof TaskQuery)[]) {
    const { titles } = await list({ [name]: PARAMETERS[name](ada, next) });
    expect(titles, name).not.toEqual(all.titles);
  }
  for (const sort of SORTS) {
    const [first, second] = (await list({ sort })).titles;
    const page = await list({ sort, limit: "1" });
    expect([page.titles, (await list({ sort, cursor: PARAMETERS.cursor(ada, page.next) })).titles]).toEqual([
      [first],
      [second],
    ]);
  }
});

/** For each filter a saved search with it, and the fields of a task that matches and of one that does not. */
const SEARCHES: Record<
  keyof SavedFilters,
  [filters: SavedFilters, within: Partial<TaskDoc>, without: Partial<TaskDoc>]
> = {
  search: [{ search: "fox" }, { title: "Paint a fox" }, { title: "Paint a wolf" }],
  category: [{ category: "Design" }, { category: "Design" }, { category: "Writing" }],
  minBudget: [{ minBudget: "100" }, { budget: 100 }, { budget: 99.99 }],
  maxBudget: [{ maxBudget: "99.99" }, { budget: 99.99 }, { budget: 100 }],
  // A saved search needs another filter beside it.
  state: [{ state: "open", maxBudget: "500" }, {}, { state: "cancelled" }],
};

test("When a search is saved with any of the filters, then the filter is stored and decides which new tasks match", async () => {
  for (const name of Object.keys(taskFilters) as (keyof SavedFilters)[]) {
    const [filters, within, without] = SEARCHES[name];
    const tasks = [within, without].map((fields) => aTaskDoc(fields));
    await harness.database.tasks.insertMany(tasks);
    const { body } = await harness
      .as(ada)
      .post("/me/searches", { ...filters, name, mail: "never" })
      .expect(201);
    expect(await harness.read("/me/searches", ada)).toMatchObject([filters]);
    const ids = tasks.map(({ _id }) => _id);
    const found = harness.database.tasks.aggregate<Match>(matchPlan(ids, inDays(0)));
    expect(
      (await found.toArray()).map(({ _id }) => _id),
      name,
    ).toEqual([ids[0]]);
    await harness.as(ada).delete(`/me/searches/${body.insertedId}`).expect(200);
  }
});
