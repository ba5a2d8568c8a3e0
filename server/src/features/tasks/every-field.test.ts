import { beforeEach, expect, test } from "vitest";
import { bidHelpers, inDays, useHarness, usePeople } from "../../../test/index.ts";
import { COMPLETE_TASKS } from "../../../tools/lib/example-task.ts";
import {
  concernsFreelancers,
  isTerm,
  type SavedFilters,
  TASK_FIELD_NAMES,
  type TaskDraft,
  type TaskQuery,
  taskFilters,
} from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { type Match, matchPlan } from "../saved-searches/match-searches.ts";
import { concernsBidders } from "./apply-draft.ts";

// Every field of a task and every parameter of its lists must take effect everywhere, not just be accepted.

const harness = useHarness();
const [ada, bob] = usePeople("Ada", "Bob");
beforeEach(() => harness.clear("tasks"));

test("When a task is posted, saved, read and exported, then no field of the form is lost", async () => {
  const id = await harness.postTask(ada, COMPLETE_TASKS[0]);
  for (const version of [0, 1] as const) {
    if (version === 1) await harness.ok(ada).put(`/tasks/${id}`, COMPLETE_TASKS[1]);
    const { viewer, ...task } = await harness.read(`/tasks/${id}`, ada);
    expect({ ...viewer, ...task }).toMatchObject(COMPLETE_TASKS[version]);
    expect(await harness.taskInStore(id)).toMatchObject(COMPLETE_TASKS[version]);
    const { tasks } = await harness.read("/me/export", ada);
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
  const me = harness.ok(ada);
  const id = await harness.postTask(ada, COMPLETE_TASKS[0]);
  const line = async (draft: TaskDraft) => {
    await me.put(`/tasks/${id}`, draft);
    return (await me.get("/me/tasks.csv").buffer(true)).text;
  };
  const before = await line(COMPLETE_TASKS[0]);
  for (const field of TASK_FIELD_NAMES.filter(concernsFreelancers))
    expect(await line({ ...COMPLETE_TASKS[0], [field]: COMPLETE_TASKS[1][field] }), field).not.toBe(before);
});

type Fields = Partial<TaskDoc>;
type FilterName = Exclude<keyof TaskQuery, "sort" | "limit" | "cursor">;

/** For each filter a value, and the fields of a task that matches and of one that does not. */
const filterExamples = (): Record<FilterName, [value: string, within: Fields, without: Fields]> => ({
  search: ["fox", { title: "Paint a fox" }, { title: "Paint a wolf" }],
  category: ["Design", { category: "Design" }, { category: "Writing" }],
  minBudget: ["100", { budget: 100 }, { budget: 99.99 }],
  maxBudget: ["99.99", { budget: 99.99 }, { budget: 100 }],
  state: ["open", {}, { state: "cancelled" }],
  posted: ["1", {}, { createdAt: new Date(Date.now() - 3 * 86_400_000) }],
  maxBids: ["0", {}, { bidsCount: 3 }],
  clientRating: ["4", { clientRating: 4 }, { clientRating: 3.5 }],
  client: [ada.uid, { ownerId: ada.uid }, {}],
  email: [ada.email, { ownerId: ada.uid }, {}],
});
const idsOf = (tasks: { _id: unknown }[]) => tasks.map(({ _id }) => String(_id));

test("When a list is filtered, then it has the tasks that match and no others", async () => {
  for (const [name, [value, ...fields]] of Object.entries(filterExamples())) {
    await harness.clear("tasks");
    const tasks = await Promise.all(fields.map(harness.insertTask));
    const found = await harness.read(`/tasks?${new URLSearchParams({ [name]: value })}`, ada);
    expect(idsOf(found), name).toEqual(idsOf(tasks.slice(0, 1)));
  }
});

test("When a search is saved with any of the filters, then the filter is stored and decides which new tasks match", async () => {
  for (const name of Object.keys(taskFilters) as (keyof SavedFilters)[]) {
    const [value, ...fields] = filterExamples()[name];
    // The state alone cannot be saved.
    const filters = { [name]: value, ...(name === "state" && { maxBudget: "500" }) };
    const tasks = await Promise.all(fields.map(harness.insertTask));
    const { body } = await harness.ok(ada).post("/me/searches", { ...filters, name, mail: "never" });
    expect(await harness.read("/me/searches", ada)).toMatchObject([filters]);
    const plan = matchPlan(
      tasks.map(({ _id }) => _id),
      "never",
      inDays(0),
    );
    const found = await harness.database.tasks.aggregate<Match>(plan).toArray();
    expect(idsOf(found), name).toEqual(idsOf(tasks.slice(0, 1)));
    await harness.ok(ada).delete(`/me/searches/${body.insertedId}`);
  }
});
