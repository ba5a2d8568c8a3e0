import { ObjectId } from "mongodb";
import { beforeEach, describe, expect, test } from "vitest";
import { bidHelpers } from "../../../test/bid-helpers.ts";
import { inDays, testStart } from "../../../test/builders.ts";
import { expectProblem, signUpMany, useHarness, usePeople } from "../../../test/harness.ts";
import type { Person } from "../../../test/people.ts";
import { myBidListSchema, type Task } from "../../contract/index.ts";

const harness = useHarness();
const { bid, bidOf, award, bidCounts, notificationKinds } = bidHelpers(harness);

const [client, ada, ben] = usePeople("Clara Client", "Ada", "Ben");
beforeEach(() => {
  harness.clock.now = testStart.at;
});

const patch = async (id: string, person: Person, draft?: object) =>
  (await harness.as(person).patch(`/tasks/${id}/bid`, draft)).body.modifiedCount;
const read = (id: string, person: Person): Promise<Task> => harness.read(`/tasks/${id}`, person);

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

  test("When the task was awarded, then no bid on it can be withdrawn", async () => {
    const id = await harness.postTask(client);
    for (const person of [ada, ben]) await bid(id, person);
    await award(id, client, ada);
    for (const person of [ada, ben])
      expectProblem(await harness.as(person).delete(`/tasks/${id}/bid`), 409, "wrong-state");
    expect(await bidCounts(id)).toEqual({ onTask: 2, bids: 2 });
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
  const readAll = async (path: string) => {
    const bids = myBidListSchema.parse((await harness.pages(path, hugo)).flat());
    return bids.map(({ task }) => task._id);
  };
  expect(await readAll("/me/bids?limit=2")).toEqual(ids);
  // Declined by the award to another freelancer, which is stored only in the task.
  expect(await readAll("/me/bids?limit=2&state=declined")).toEqual(ids.slice(0, 1));
  expect(await readAll("/me/bids?limit=2&state=placed")).toEqual(ids.slice(1));
  // A text in the task's title or the client's name.
  expect(await readAll("/me/bids?limit=2&search=%20TASK%203")).toEqual(ids.slice(1, 2));
  expect(await readAll("/me/bids?limit=2&search=client&state=placed")).toEqual(ids.slice(1));
  expect(await readAll("/me/bids?search=nothing")).toEqual([]);
  const { body, headers } = await harness.as(hugo).get("/me/bids").expect(200);
  expect(headers["x-total-count"]).toBe("5");
  const [lost, other] = myBidListSchema.parse(body);
  expect(lost).toMatchObject({ state: "declined", task: { state: "awarded", title: "task 4" } });
  expect(other).toMatchObject({ state: "placed", amount: 13, task: { state: "open", clientId: client.uid } });
});
