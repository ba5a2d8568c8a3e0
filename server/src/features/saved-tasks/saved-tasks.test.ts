import { ObjectId } from "mongodb";
import type { Response } from "supertest";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectProblem, signUpMany, useHarness } from "../../../test/harness.ts";
import { type Person, signUpOperator } from "../../../test/people.ts";
import { MAX_SAVED } from "../../contract/index.ts";
import { HIDDEN_TITLE } from "../../db/task-conditions.ts";

const harness = useHarness();
let client: Person;
let ada: Person;
let ben: Person;
let operator: Person;

beforeAll(async () => {
  [client, ada, ben] = (await signUpMany(3)) as [Person, Person, Person];
  operator = await signUpOperator();
});
beforeEach(async () => {
  const { tasks, savedTasks, announcements } = harness.database;
  await Promise.all([tasks.deleteMany({}), savedTasks.deleteMany({}), announcements.deleteMany({})]);
});

const save = (person: Person, id: string) => harness.as(person).put(`/me/saved/${id}`);
const idsOf = async (person: Person) => (await harness.as(person).get("/me/saved/ids").expect(200)).body;
const insertSaved = (personId: string, count: number) =>
  harness.database.savedTasks.insertMany(
    Array.from({ length: count }, (_, at) => ({
      _id: new ObjectId(),
      personId,
      taskId: new ObjectId(),
      createdAt: new Date(1_000 * at),
    })),
  );

describe("saving a task", () => {
  test("When the same task is saved ten times concurrently, then it is saved once; removing it twice removes it once", async () => {
    const id = await harness.postTask(client);
    const saved = await Promise.all(Array.from({ length: 10 }, () => save(ada, id).expect(200)));
    expect(saved.reduce((sum, { body }) => sum + body.modifiedCount, 0)).toBe(1);
    expect([await idsOf(ada), await idsOf(ben)]).toEqual([[id], []]);
    const removed = [1, 0];
    for (const deletedCount of removed)
      expect((await harness.as(ada).delete(`/me/saved/${id}`).expect(200)).body.deletedCount).toBe(
        deletedCount,
      );
    expect(await idsOf(ada)).toEqual([]);
  });

  test("When a save is retried after the task was removed, then it is not saved again", async () => {
    const id = await harness.postTask(client);
    const once = () => save(ada, id).set("Idempotency-Key", "a-key").expect(200);
    await once();
    await harness.as(ada).delete(`/me/saved/${id}`).expect(200);
    expect((await once()).headers["idempotency-replayed"]).toBe("true");
    expect(await idsOf(ada)).toEqual([]);
  });

  test("When a task is the caller's own, does not exist or is hidden, then it cannot be saved", async () => {
    const id = await harness.postTask(client);
    expectProblem(await save(client, id), 403, "own-task");
    expectProblem(await save(ada, String(new ObjectId())), 404, "task-not-found");
    await harness.database.tasks.updateOne({ _id: new ObjectId(id) }, { $set: { hidden: true } });
    expectProblem(await save(ada, id), 404, "task-not-found");
  });

  test("When somebody has saved the maximum, then another task is refused, and saving one of the saved ones again succeeds", async () => {
    await insertSaved(ada.uid, MAX_SAVED - 1);
    const [last, other] = [await harness.postTask(client), await harness.postTask(client)];
    await save(ada, last).expect(200);
    expectProblem(await save(ada, other), 409, "too-many-saved");
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
      harness.clock.now = new Date(Date.now() + at * 1_000);
      await save(ada, ids[0] as string).expect(200);
    }
    const found: string[] = [];
    let path: string | undefined = "/me/saved?limit=2";
    while (path) {
      const page: Response = await harness.as(ada).get(path).expect(200);
      expect(page.headers["x-total-count"]).toBe("5");
      found.push(...page.body.map(({ taskId }: { taskId: string }) => taskId));
      path = /<(.+)>/.exec(page.headers["link"] ?? "")?.[1];
    }
    expect(found).toEqual(ids);
    expectProblem(await harness.as(ada).get("/me/saved?cursor=x"), 400, "invalid-cursor");
    const first = await harness.as(ada).get("/me/saved?limit=2").expect(200);
    const next = /<(.+)>/.exec(first.headers["link"] ?? "")?.[1] ?? "";
    expectProblem(await harness.as(client).get(next), 400, "invalid-cursor");
  });

  test("When a task is cancelled or hidden, then the list says so, without the title of a hidden one", async () => {
    const [cancelled, hidden] = [await harness.postTask(client), await harness.postTask(client)];
    for (const id of [cancelled, hidden]) await save(ada, id).expect(200);
    await harness.as(client).patch(`/tasks/${cancelled}/state`, { state: "cancelled" }).expect(200);
    await harness
      .as(operator)
      .patch(`/tasks/${hidden}/visibility`, { hidden: true, reason: "spam" })
      .expect(200);
    const list = (await harness.as(ada).get("/me/saved").expect(200)).body;
    const entry = (id: string) => list.find(({ taskId }: { taskId: string }) => taskId === id);
    expect(entry(cancelled)).toMatchObject({ title: "Build a booking page", task: { state: "cancelled" } });
    expect(entry(hidden)).toMatchObject({ title: HIDDEN_TITLE, gone: "hidden" });
    expect(entry(hidden)).not.toHaveProperty("task");
  });

  test("When saved tasks and watchers are read, then indexes are used, and the ids are read from an index alone", async () => {
    await insertSaved(ada.uid, 50);
    const { savedTasks } = harness.database;
    const ids = savedTasks.find({ personId: ada.uid }, { projection: { _id: 0, taskId: 1 } });
    const plan = await ids.sort({ createdAt: -1, _id: -1 }).explain("executionStats");
    expect(plan["executionStats"]).toMatchObject({ totalDocsExamined: 0, totalKeysExamined: 50 });
    const watchers = savedTasks.find({ taskId: new ObjectId(), personId: { $gt: "" } });
    const winning = JSON.stringify(
      (await watchers.sort({ personId: 1 }).explain())["queryPlanner"].winningPlan,
    );
    expect(winning).toContain('"indexName":"one-per-person"');
    expect(winning).not.toContain('"SORT"');
  });
});
