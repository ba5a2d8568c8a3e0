import { ObjectId } from "mongodb";
import { beforeEach, expect, test } from "vitest";
import {
  aTaskDraft,
  expectProblem,
  heldBack,
  inDays,
  type Person,
  signUp,
  useHarness,
} from "../../test/index.ts";

const harness = useHarness();
let ada: Person;
let freelancer: Person;

beforeEach(async () => {
  [ada, freelancer] = await Promise.all([signUp({ name: "Ada" }), signUp({ name: "Fred" })]);
});

const post = (by: Person, key: string, fields = {}) =>
  harness.as(by).post("/tasks", aTaskDraft(fields)).set("Idempotency-Key", key);
const tasksOf = (person: Person) => harness.database.tasks.countDocuments({ ownerId: person.uid });

test("When a key is reused with other content, then 422 and nothing is stored; keys of different people are independent", async () => {
  await post(ada, "shared").expect(201);
  expectProblem(await post(ada, "shared", { budget: 7 }), "key-reused");
  const elsewhere = harness.as(ada).delete(`/tasks/${new ObjectId()}`).set("Idempotency-Key", "shared");
  expectProblem(await elsewhere, "key-reused");
  expect(await tasksOf(ada)).toBe(1);
  const theirs = await post(freelancer, "shared").expect(201);
  expect(theirs.headers).not.toHaveProperty("idempotency-replayed");
});

test("When a request is refused with a final response, then a retry gets the same, whatever has changed meanwhile", async () => {
  const { _id } = await harness.insertTask({ ownerId: ada.uid });
  const award = (key: string) =>
    harness
      .as(ada)
      .post(`/tasks/${_id}/award`, { bidId: String(_id) })
      .set("Idempotency-Key", key);
  const first = expectProblem(await award("a"), "bid-not-found");
  await harness.database.tasks.deleteOne({ _id });
  const again = await award("a");
  expect(expectProblem(again, "bid-not-found")).toEqual(first);
  expect(again.headers["idempotency-replayed"]).toBe("true");
  expectProblem(await award("b"), "task-not-found");
});

test("When a request is invalid, also if only the use case finds that, then the key can be used for the corrected request", async () => {
  expectProblem(await post(ada, "free", { title: "" }), "invalid");
  await post(ada, "free").expect(201);
  const { _id } = await harness.insertTask({ ownerId: ada.uid, state: "cancelled", deadline: inDays(-1) });
  const path = `/tasks/${_id}/state`;
  const reopen = (deadline?: string) =>
    harness.as(ada).patch(path, { state: "open", deadline }).set("Idempotency-Key", "again");
  expectProblem(await reopen(), "invalid");
  await reopen(inDays(3)).expect(200);
});

test("When a key is empty, too long or contains invalid characters, then 400", async () => {
  for (const key of ["", "x".repeat(201), "two words", "naïve"]) {
    expectProblem(await post(ada, key), "bad-request");
  }
});

test("When a read has a key, then it is ignored", async () => {
  await harness.ok(ada).get("/me").set("Idempotency-Key", "two words");
});

test("When a retry overtakes a slow request in its transaction, then only the retry commits, and both get its response", async () => {
  // The first request pauses in its transaction until the retry has its response.
  const { part: tasks, open, reached } = heldBack(harness.database.tasks, "insertOne");
  const instance = harness.instance({ database: { ...harness.database, tasks } });
  const draft = aTaskDraft();
  const send = (to: Pick<typeof harness, "as">) =>
    to.as(ada).post("/tasks", draft).set("Idempotency-Key", "twice");
  const first = send(instance).then((response) => response);
  await reached;
  const copy = await send(harness).expect(201);
  open();
  expect((await first).body).toEqual(copy.body);
  expect(await tasksOf(ada)).toBe(1);
  expect((await send(harness)).body).toEqual(copy.body);
});
