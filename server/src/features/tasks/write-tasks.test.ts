import { beforeEach, describe, expect, test } from "vitest";
import {
  aTaskDraft,
  expectProblem,
  inDays,
  signUp,
  testStart,
  useHarness,
  usePeople,
} from "../../../test/index.ts";
import { formatDate } from "../../contract/index.ts";
import { searchKeysOf } from "../../domain/text-search.ts";

const harness = useHarness();

const [ada, decoy] = usePeople("Ada", "Dan Decoy");

beforeEach(() => {
  harness.clock.now = testStart.at;
});

describe("POST /tasks", () => {
  test("When a person posts, then the task is stored as theirs, whoever the body claims", async () => {
    const poster = await signUp({ name: "Grace", photoUrl: "https://pictures.example/g.png" });
    const draft = aTaskDraft({ title: "  Fix my shop  " });
    const theirs = { email: decoy.email, name: "Mallory", ownerId: decoy.uid };
    const claims = { ...theirs, bidsCount: 900, _id: "x", revision: 7 };
    const response = await harness.ok(poster).post("/tasks", { ...draft, ...claims });
    const { insertedId } = response.body;
    expect(response.headers["location"]).toBe(`/tasks/${insertedId}`);
    expect(await harness.taskInStore(insertedId)).toMatchObject({
      ...{ ...draft, title: "Fix my shop", state: "open", bidsCount: 0, revision: 0 },
      ...{ ownerId: poster.uid, email: poster.email, name: "Grace" },
      clientImage: "https://pictures.example/g.png",
      createdAt: harness.clock.now,
    });
  });

  test("When the deadline is the UTC day that has just ended, then it is past; the day that begins is accepted", async () => {
    harness.clock.now = new Date(`${inDays(10)}T00:00:00.000Z`);
    const post = (deadline: string) => harness.as(ada).post("/tasks", aTaskDraft({ deadline }));
    const problem = expectProblem(await post(inDays(9)), "invalid");
    expect(problem.errors?.[0]).toMatchObject({ pointer: "#/deadline" });
    expect(problem.detail).toContain(formatDate(inDays(10)));
    await post(inDays(10)).expect(201);
  });
});

describe("PUT /tasks/:id", () => {
  test("When the owner saves, then only the draft's fields and what is derived from them change", async () => {
    const id = await harness.postTask(ada);
    const before = await harness.taskInStore(id);
    const other = await harness.postTask(decoy);
    const otherBefore = await harness.taskInStore(other);
    harness.advance(1_000);
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
    expect(response.body).toEqual({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });
    expect(await harness.taskInStore(id)).toEqual({
      ...before,
      ...draft,
      updatedAt: harness.clock.now,
      editedAt: harness.clock.now,
      revision: 1,
      searchKeys: searchKeysOf(draft),
    });
    expect(await harness.taskInStore(other)).toEqual(otherBefore);
  });

  test("When the deadline moves beyond the date of delivery, which is not given, then that is dropped; up to it, it stays", async () => {
    const id = await harness.postTask(ada, { deadline: inDays(3), deliverBy: inDays(5) });
    const kept: unknown[] = [];
    for (const days of [5, 6]) {
      await harness.ok(ada).put(`/tasks/${id}`, aTaskDraft({ deadline: inDays(days) }));
      kept.push((await harness.taskInStore(id))?.deliverBy);
    }
    expect(kept).toEqual([inDays(5), undefined]);
  });

  test("When the same values are saved repeatedly within a millisecond, then every save counts", async () => {
    const id = await harness.postTask(ada);
    const saves = await Promise.all(
      Array.from({ length: 4 }, () => harness.as(ada).put(`/tasks/${id}`, aTaskDraft())),
    );
    expect(saves.map((response) => [response.status, response.body.modifiedCount])).toEqual(
      Array(4).fill([200, 1]),
    );
  });
});
