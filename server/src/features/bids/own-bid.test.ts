import { ObjectId } from "mongodb";
import type { Response } from "supertest";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bidHelpers } from "../../../test/bid-helpers.ts";
import { inDays, testStart } from "../../../test/builders.ts";
import { expectProblem, signUpMany, useHarness } from "../../../test/harness.ts";
import type { Person } from "../../../test/people.ts";
import { myBidListSchema, type Task } from "../../contract/index.ts";

const harness = useHarness();
const { bid, bidOf, award, bidCounts, notificationKinds } = bidHelpers(harness);
let client: Person;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  [client, ada, ben] = (await signUpMany(3)) as [Person, Person, Person];
});
beforeEach(() => {
  harness.clock.now = testStart.at;
});

const patch = async (id: string, person: Person, draft?: object) =>
  (await harness.as(person).patch(`/tasks/${id}/bid`, draft)).body.modifiedCount;
const read = async (id: string, person: Person): Promise<Task> =>
  (await harness.as(person).get(`/tasks/${id}`).expect(200)).body;

describe("PATCH /tasks/:id/bid with a body", () => {
  test("When a freelancer bids with one click and adds terms later, then each change counts once and the client is notified", async () => {
    const id = await harness.postTask(client, { budget: 300 });
    expect(await patch(id, ada)).toBe(1);
    expect(await bidOf(id, ada)).toMatchObject({ amount: 300, bidderName: ada.name });
    const draft = { amount: 250.5, days: 9, message: "  I can start today.  " };
    expect(await patch(id, ada, draft)).toBe(1);
    expect(await patch(id, ada, draft)).toBe(0);
    expect(await patch(id, ada)).toBe(0);
    expect(await bidOf(id, ada)).toMatchObject({ amount: 250.5, days: 9, message: "I can start today." });
    expect(await patch(id, ada, { days: null, message: "" })).toBe(1);
    const stored = await bidOf(id, ada);
    expect(stored).not.toHaveProperty("days");
    expect(stored).not.toHaveProperty("message");
    expect(stored.amount).toBe(250.5);
    expect(await notificationKinds(client, id)).toEqual(["new-bid", "bid-changed", "bid-changed"]);
    expect(await bidCounts(id)).toEqual({ onTask: 1, bids: 1 });
  });

  test.each([
    ["amount", 0],
    ["amount", 1.001],
    ["amount", "300"],
    ["days", 0],
    ["days", 1.5],
    ["days", 366],
    ["message", "x".repeat(2_001)],
    ["message", "a\u0000b"],
  ])("When %s is %j, then 422 points at it and no bid is kept", async (field, value) => {
    const id = await harness.postTask(client);
    const problem = expectProblem(
      await harness.as(ada).patch(`/tasks/${id}/bid`, { [field]: value }),
      422,
      "invalid",
    );
    expect(problem.errors?.[0]?.pointer).toBe(`#/${field}`);
    expect(await bidCounts(id)).toEqual({ onTask: 0, bids: 0 });
  });

  test("When the task takes no bids, then neither first bids nor changes are kept, and the response says why", async () => {
    const id = await harness.postTask(client, { deadline: inDays(1) });
    await bid(id, ada, { amount: 5 });
    const expectNone = async (status: number, code: string) => {
      expectProblem(await harness.as(ben).patch(`/tasks/${id}/bid`), status, code);
      expectProblem(await harness.as(ada).patch(`/tasks/${id}/bid`, { amount: 6 }), status, code);
      expect((await bidOf(id, ada)).amount).toBe(5);
      expect(await bidCounts(id)).toEqual({ onTask: 1, bids: 1 });
    };
    const _id = new ObjectId(id);
    await harness.database.tasks.updateOne({ _id }, { $set: { hidden: true } });
    await expectNone(404, "task-not-found");
    await harness.database.tasks.updateOne({ _id }, { $set: { hidden: false } });
    harness.clock.now = new Date(`${inDays(2)}T00:00:00Z`);
    await expectNone(409, "task-expired");
    harness.clock.now = testStart.at;
    await award(id, client, ada);
    await expectNone(409, "task-not-open");
  });

  test("When a bid is sent again after the award, as by a client that got no response, then the response confirms the existing bid", async () => {
    const id = await harness.postTask(client);
    const unchanged = { acknowledged: true, matchedCount: 1, modifiedCount: 0 };
    await bid(id, ada);
    await award(id, client, ada);
    for (const terms of [undefined, { amount: 450.5 }])
      expect((await harness.as(ada).patch(`/tasks/${id}/bid`, terms).expect(200)).body).toEqual(unchanged);
  });
});

describe("DELETE /tasks/:id/bid", () => {
  test("When a freelancer withdraws, then the bid is deleted and no longer counted, repeats change nothing, and they may bid again", async () => {
    const id = await harness.postTask(client);
    await bid(id, ada);
    await bid(id, ben);
    const withdraw = async () => (await harness.as(ada).delete(`/tasks/${id}/bid`).expect(200)).body;
    expect(await withdraw()).toEqual({ acknowledged: true, deletedCount: 1 });
    expect(await withdraw()).toEqual({ acknowledged: true, deletedCount: 0 });
    expect(await bidCounts(id)).toEqual({ onTask: 1, bids: 1 });
    expect(await patch(id, ada)).toBe(1);
    expect(await bidCounts(id)).toEqual({ onTask: 2, bids: 2 });
    expect(await notificationKinds(client, id)).toEqual(["new-bid", "bid-withdrawn", "new-bid", "new-bid"]);
  });

  test("When the task was awarded, then no bid on it can be withdrawn; visitors get 401 and unknown tasks 404", async () => {
    const id = await harness.postTask(client);
    await bid(id, ada);
    await bid(id, ben);
    await award(id, client, ada);
    for (const person of [ada, ben])
      expectProblem(await harness.as(person).delete(`/tasks/${id}/bid`), 409, "wrong-state");
    expect(await bidCounts(id)).toEqual({ onTask: 2, bids: 2 });
    expectProblem(await harness.as().delete(`/tasks/${id}/bid`), 401, "not-signed-in");
    expectProblem(await harness.as(ada).delete(`/tasks/${"a".repeat(24)}/bid`), 404, "task-not-found");
  });
});

test("When freelancers read a task, then each sees their own bid on it and nobody else's", async () => {
  const id = await harness.postTask(client);
  await bid(id, ada, { amount: 77, days: 3, message: "Mine" });
  expect((await read(id, ada)).viewer).toMatchObject({
    hasBid: true,
    bid: { amount: 77, days: 3, message: "Mine", state: "placed" },
  });
  for (const person of [ben, client]) expect((await read(id, person)).viewer).not.toHaveProperty("bid");
  expect(JSON.stringify(await read(id, ben))).not.toContain("Mine");
});

test("When a freelancer lists their bids, then only theirs are returned, in pages, newest first, each with its task", async () => {
  const [hugo] = (await signUpMany(1)) as [Person];
  const ids: string[] = [];
  for (let number = 0; number < 5; number++) {
    const id = await harness.postTask(client, { title: `task ${number}`, budget: 10 + number });
    harness.clock.now = new Date(Date.now() + number);
    await bid(id, hugo);
    await bid(id, ben);
    ids.unshift(id);
  }
  await award(ids[0] as string, client, ben);
  const readAll = async (path: string, total: string | undefined) => {
    const seen: string[] = [];
    for (let next: string | undefined = path; next; ) {
      const response: Response = await harness.as(hugo).get(next).expect(200);
      expect(response.headers["x-total-count"]).toBe(total);
      const page = myBidListSchema.parse(response.body);
      seen.push(...page.map(({ task }) => task._id));
      next = /^<(.+)>; rel="next"$/.exec(response.headers["link"] ?? "")?.[1];
    }
    return seen;
  };
  expect(await readAll("/me/bids?limit=2", "5")).toEqual(ids);
  // Declined by the award to another freelancer, which is stored only in the task.
  expect(await readAll("/me/bids?limit=2&state=declined", undefined)).toEqual(ids.slice(0, 1));
  expect(await readAll("/me/bids?limit=2&state=placed", undefined)).toEqual(ids.slice(1));
  const [lost, other] = myBidListSchema.parse((await harness.as(hugo).get("/me/bids")).body);
  expect(lost).toMatchObject({ state: "declined", task: { state: "awarded", title: "task 4" } });
  expect(other).toMatchObject({ state: "placed", amount: 13, task: { state: "open", clientId: client.uid } });
  expectProblem(await harness.as(hugo).get("/me/bids?state=lost"), 422, "invalid");
  expectProblem(await harness.as(hugo).get("/me/bids?cursor=x"), 400, "invalid-cursor");
  expectProblem(await harness.as().get("/me/bids"), 401, "not-signed-in");
});
