import { ObjectId } from "mongodb";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aTaskDraft, inDays, testStart } from "../../../test/builders.ts";
import { expectProblem, signUpMany, useHarness } from "../../../test/harness.ts";
import { type Person, signUp } from "../../../test/people.ts";
import {
  addDays,
  deleteResponseSchema,
  insertResponseSchema,
  updateResponseSchema,
} from "../../contract/index.ts";
import { titleGrams } from "../../db/task-search.ts";

const harness = useHarness();
let ada: Person;
let decoy: Person;

beforeAll(async () => {
  [ada, decoy] = (await signUpMany(2)) as [Person, Person];
});

beforeEach(() => {
  harness.clock.now = testStart.at;
});

const WRONG: [field: string, value: unknown][] = [
  ["title", ""],
  ["title", "   "],
  ["title", "x".repeat(121)],
  ["title", "two\nlines"],
  ["title", "a\u0000b"],
  ["title", "\ud800"],
  ["title", "\u200B"],
  ["title", "logo\u{E0041}"],
  ["title", { $ne: "" }],
  ["category", "Plumbing"],
  ["category", ["Design"]],
  ["description", ""],
  ["description", "\u3164\n\u2800"],
  ["description", "x".repeat(5001)],
  ["deadline", "2027-02-30"],
  ["deadline", "tomorrow"],
  ["deadline", 20270101],
  ["deadline", inDays(-1)],
  ["budget", "100"],
  ["budget", 0],
  ["budget", -1],
  ["budget", 1.005],
  ["budget", 1_000_000.01],
  ["budget", null],
];

describe("POST /tasks", () => {
  test("When a person posts, then the task is stored as theirs, whoever the body claims", async () => {
    const poster = await signUp({ name: "Grace", photoUrl: "https://pictures.example/g.png" });
    const draft = aTaskDraft({ title: "  Fix my shop  " });
    const claims = {
      email: decoy.email,
      name: "Mallory",
      ownerId: decoy.uid,
      bidsCount: 900,
      _id: "x",
      revision: 7,
    };
    const response = await harness
      .as(poster)
      .post("/tasks", { ...draft, ...claims })
      .expect(201);
    const { insertedId } = insertResponseSchema.parse(response.body);
    expect(response.headers["location"]).toBe(`/tasks/${insertedId}`);
    expect(await harness.taskInStore(insertedId)).toEqual({
      ...draft,
      _id: new ObjectId(insertedId),
      title: "Fix my shop",
      ownerId: poster.uid,
      email: poster.email,
      name: "Grace",
      clientImage: "https://pictures.example/g.png",
      showEmail: true,
      state: "open",
      hidden: false,
      bidsCount: 0,
      awardCount: 0,
      createdAt: harness.clock.now,
      updatedAt: harness.clock.now,
      revision: 0,
      bidsRevision: 0,
      questionsClosed: false,
      questionsRevision: 0,
      titleGrams: titleGrams("Fix my shop"),
    });
  });

  test.each(WRONG)("When %s is %j, then 422 points at it and nothing is stored", async (field, value) => {
    const before = await harness.database.tasks.countDocuments();
    const response = await harness.as(ada).post("/tasks", { ...aTaskDraft(), [field]: value });
    const problem = expectProblem(response, 422, "invalid");
    // An operator's name is reported at its own place inside the field.
    const pointer = expect.stringMatching(new RegExp(`^#/${field}(?:/%24ne)?$`));
    expect(problem.errors).toEqual([{ pointer, detail: expect.stringMatching(/\w/) }]);
    expect(await harness.database.tasks.countDocuments()).toBe(before);
  });

  test("When all fields are missing, then each is named once", async () => {
    const problem = expectProblem(await harness.as(ada).post("/tasks"), 422, "invalid");
    const fields = ["title", "category", "description", "deadline", "budget"];
    expect(problem.errors?.map((error) => error.pointer)).toEqual(fields.map((field) => `#/${field}`));
    expectProblem(await harness.as(ada).post("/tasks", []), 422, "invalid");
  });

  test("When the deadline is the UTC day that has just ended, then it is past; the day that begins is accepted", async () => {
    harness.clock.now = new Date(`${inDays(10)}T00:00:00.000Z`);
    const post = (deadline: string) => harness.as(ada).post("/tasks", aTaskDraft({ deadline }));
    const problem = expectProblem(await post(inDays(9)), 422, "invalid");
    expect(problem.errors?.[0]).toMatchObject({ pointer: "#/deadline" });
    expect(problem.detail).toContain(inDays(10));
    await post(inDays(10)).expect(201);
  });

  test("When several fields are invalid, then a past deadline is named with the others", async () => {
    const wrong = { ...aTaskDraft({ deadline: inDays(-1) }), budget: -5 };
    const problem = expectProblem(await harness.as(ada).post("/tasks", wrong), 422, "invalid");
    expect(problem.errors?.map((error) => error.pointer)).toEqual(["#/deadline", "#/budget"]);
  });

  test("When nobody is signed in, then 401 and nothing is stored", async () => {
    const before = await harness.database.tasks.countDocuments();
    const response = await harness.as().post("/tasks", aTaskDraft());
    expectProblem(response, 401, "not-signed-in");
    expect(response.headers["www-authenticate"]).toBe("Bearer");
    expect(await harness.database.tasks.countDocuments()).toBe(before);
  });
});

describe("PUT /tasks/:id", () => {
  test("When the owner saves, then only the draft's fields and what is derived from them change", async () => {
    const id = await harness.postTask(ada);
    const before = await harness.taskInStore(id);
    const other = await harness.postTask(decoy);
    const otherBefore = await harness.taskInStore(other);
    harness.clock.now = new Date(Date.now() + 1000);
    const draft = aTaskDraft({
      title: "New title",
      category: "Design",
      description: "New.",
      deadline: inDays(3),
      budget: 9,
    });
    const response = await harness
      .as(ada)
      .put(`/tasks/${id}`, { ...draft, email: decoy.email, name: "Mallory", bidsCount: 5 });
    expect(updateResponseSchema.parse(response.body)).toEqual({
      acknowledged: true,
      matchedCount: 1,
      modifiedCount: 1,
    });
    expect(await harness.taskInStore(id)).toEqual({
      ...before,
      ...draft,
      updatedAt: harness.clock.now,
      editedAt: harness.clock.now,
      revision: 1,
      titleGrams: titleGrams("New title"),
    });
    expect(await harness.taskInStore(other)).toEqual(otherBefore);
  });

  test("When the same values are saved repeatedly within a millisecond, then every save counts", async () => {
    const id = await harness.postTask(ada);
    const saves = await Promise.all(
      Array.from({ length: 10 }, () => harness.as(ada).put(`/tasks/${id}`, aTaskDraft())),
    );
    expect(saves.map((response) => [response.status, response.body.modifiedCount])).toEqual(
      Array(10).fill([200, 1]),
    );
  });

  test("When somebody else saves, then 403 and the task stays as it was", async () => {
    const id = await harness.postTask(ada);
    const before = await harness.taskInStore(id);
    const draft = aTaskDraft({ title: "Hijacked" });
    expectProblem(await harness.as(decoy).put(`/tasks/${id}`, draft), 403, "not-your-task");
    expectProblem(await harness.as().put(`/tasks/${id}`, draft), 401, "not-signed-in");
    expect(await harness.taskInStore(id)).toEqual(before);
  });

  test("When the task does not exist, then 404 and none is created", async () => {
    const id = "b".repeat(24);
    expectProblem(await harness.as(ada).put(`/tasks/${id}`, aTaskDraft()), 404, "task-not-found");
    expect(await harness.taskInStore(id)).toBeNull();
    expectProblem(await harness.as(ada).put("/tasks/nonsense", aTaskDraft()), 400, "invalid-id");
  });

  test("When the task has expired, then it can be saved with its own deadline or a future one, but not with another past one", async () => {
    const deadline = inDays(2);
    const id = await harness.postTask(ada, { deadline });
    harness.clock.now = new Date(`${inDays(5)}T12:00:00Z`);
    const save = (draft: object) => harness.as(ada).put(`/tasks/${id}`, aTaskDraft(draft));
    await save({ deadline, title: "Corrected" }).expect(200);
    const problem = expectProblem(await save({ deadline: addDays(deadline, 1) }), 422, "invalid");
    expect(problem.errors?.[0]?.pointer).toBe("#/deadline");
    expect((await harness.taskInStore(id))?.title).toBe("Corrected");
    await save({ deadline: inDays(5) }).expect(200);
  });
});

describe("DELETE /tasks/:id", () => {
  test("When the owner deletes, then only the task and its bids are deleted", async () => {
    const id = await harness.postTask(ada);
    const other = await harness.postTask(ada);
    for (const task of [id, other]) await harness.as(decoy).patch(`/tasks/${task}/bid`).expect(200);
    const response = await harness.as(ada).delete(`/tasks/${id}`).expect(200);
    expect(deleteResponseSchema.parse(response.body)).toEqual({ acknowledged: true, deletedCount: 1 });
    expect(await harness.taskInStore(id)).toBeNull();
    const bidsOf = (task: string) => harness.database.bids.countDocuments({ taskId: new ObjectId(task) });
    await expect.poll(() => bidsOf(id)).toBe(0);
    expect(await bidsOf(other)).toBe(1);
    expectProblem(await harness.as(ada).delete(`/tasks/${id}`), 404, "task-not-found");
  });

  test("When somebody else deletes, then 403 and task and bids stay", async () => {
    const id = await harness.postTask(ada);
    await harness.as(decoy).patch(`/tasks/${id}/bid`).expect(200);
    expectProblem(await harness.as(decoy).delete(`/tasks/${id}`), 403, "not-your-task");
    expectProblem(await harness.as().delete(`/tasks/${id}`), 401, "not-signed-in");
    expectProblem(await harness.as(ada).delete("/tasks/nonsense"), 400, "invalid-id");
    expect((await harness.taskInStore(id))?.bidsCount).toBe(1);
    expect(await harness.database.bids.countDocuments({ taskId: new ObjectId(id) })).toBe(1);
  });
});
