import { beforeEach, describe, expect, test } from "vitest";
import {
  aSavedTaskDoc,
  expectProblem,
  type Person,
  useHarness,
  useOperator,
  usePeople,
} from "../../../test/index.ts";
import { MAX_SAVED, type SavedTask } from "../../contract/index.ts";
import { HIDDEN_TITLE } from "../../domain/task-conditions.ts";

const harness = useHarness();
const [client, ada, ben] = usePeople("Clara Client", "Ada", "Ben");
const operator = useOperator(harness);

beforeEach(() => harness.clear("tasks", "savedTasks", "jobs"));

const save = (person: Person, id: string) => harness.as(person).put(`/me/saved/${id}`);
const idsOf = (person: Person) => harness.read("/me/saved/ids", person);
const insertSaved = (personId: string, count: number) =>
  harness.database.savedTasks.insertMany(
    Array.from({ length: count }, (_, at) => aSavedTaskDoc(personId, undefined, new Date(1_000 * at))),
  );

describe("saving a task", () => {
  test("When a task is removed twice, then it is removed once, and from nobody else's list", async () => {
    const id = await harness.postTask(client);
    for (const person of [ada, ben]) await save(person, id).expect(200);
    for (const deletedCount of [1, 0])
      expect((await harness.ok(ada).delete(`/me/saved/${id}`)).body).toMatchObject({
        deletedCount,
      });
    expect([await idsOf(ada), await idsOf(ben)]).toEqual([[], [id]]);
  });

  test("When a task is the caller's own or is hidden, then it cannot be saved", async () => {
    const id = await harness.postTask(client);
    expectProblem(await save(client, id), "own-task");
    await harness.setTask(id, { hidden: true });
    expectProblem(await save(ada, id), "task-not-found");
  });

  test("When somebody has saved the maximum, then another task is refused, and saving one of the saved ones again succeeds", async () => {
    await insertSaved(ada.uid, MAX_SAVED - 1);
    const [last, other] = [await harness.postTask(client), await harness.postTask(client)];
    await save(ada, last).expect(200);
    expectProblem(await save(ada, other), "too-many-saved");
    expect((await save(ada, last).expect(200)).body.modifiedCount).toBe(0);
    expect(await idsOf(ada)).toHaveLength(MAX_SAVED);
    await save(ben, other).expect(200);
  });
});

describe("the list of saved tasks", () => {
  test("When it is read page by page, then each task is listed once, latest saved first", async () => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) {
      ids.unshift(await harness.postTask(client, { title: `Task ${at}` }));
      harness.advance(1_000);
      await save(ada, ids[0] as string).expect(200);
    }
    const pages = await harness.pages<SavedTask>("/me/saved?limit=2", ada);
    expect(pages.flat().map(({ taskId }) => taskId)).toEqual(ids);
    const { headers } = await harness.ok(ada).get("/me/saved?limit=2");
    expect(headers["x-total-count"]).toBe("5");
  });

  test("When a task is cancelled or hidden, then the list says so, without the title of a hidden one", async () => {
    const [cancelled, hidden] = [await harness.postTask(client), await harness.postTask(client)];
    for (const id of [cancelled, hidden]) await save(ada, id).expect(200);
    await harness.ok(client).patch(`/tasks/${cancelled}/state`, { state: "cancelled" });
    await harness.ok(operator).patch(`/tasks/${hidden}/visibility`, { hidden: true, reason: "spam" });
    const list = await harness.read("/me/saved", ada);
    const entry = (id: string) => list.find(({ taskId }: { taskId: string }) => taskId === id);
    expect(entry(cancelled)).toMatchObject({ title: "Build a booking page", task: { state: "cancelled" } });
    expect(entry(hidden)).toMatchObject({ title: HIDDEN_TITLE, gone: "hidden" });
    expect(entry(hidden)).not.toHaveProperty("task");
  });
});
