import { ObjectId } from "mongodb";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { aBidDoc, anAwardOf, inDays } from "../../../test/builders.ts";
import { expectProblem, useHarness } from "../../../test/harness.ts";
import { manyTasks } from "../../../test/many-tasks.ts";
import { type Person, signUp } from "../../../test/people.ts";
import { overviewSchema } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents.ts";
import { countPlacedPlan, countReceivedPlan, countStatesPlan } from "./overview.ts";

const harness = useHarness();
let ada: Person;

beforeAll(async () => {
  ada = await signUp();
});

beforeEach(async () => {
  await harness.database.tasks.deleteMany({});
  await harness.database.bids.deleteMany({});
});

async function overview() {
  const { body } = await harness.as(ada).get("/me/overview").expect(200);
  expect(body).toEqual(overviewSchema.parse(body));
  return overviewSchema.parse(body);
}

const at = (days: number, time: string) => new Date(`${inDays(days)}T${time}Z`);

test("When somebody has no tasks and no bids, then there are 30 days of nothing, today the last", async () => {
  await harness.stored({});
  const { bidsByDay, ...counts } = await overview();
  expect(counts).toEqual({
    totalTasks: 1,
    myTasks: 0,
    tasksByState: { open: 0, awarded: 0, completed: 0, cancelled: 0, expired: 0 },
  });
  expect(bidsByDay).toEqual(
    Array.from({ length: 30 }, (_, day) => ({ date: inDays(day - 29), received: 0, placed: 0 })),
  );
});

test("When there are tasks in every state, then each counts once, and an expired one is not open", async () => {
  const own = (fields: Partial<TaskDoc>) => harness.stored({ ownerId: ada.uid, ...fields });
  await own({});
  await own({ state: "open", deadline: inDays(0) });
  await own({ deadline: inDays(-1) });
  await own({ state: "awarded", deadline: inDays(-5), award: anAwardOf(aBidDoc()) });
  for (const state of ["completed", "completed", "cancelled"] as const) await own({ state });
  await harness.stored({ state: "completed" });
  expect(await overview()).toMatchObject({
    totalTasks: 8,
    myTasks: 7,
    tasksByState: { open: 2, awarded: 1, completed: 2, cancelled: 1, expired: 1 },
  });
});

test("When bids were received and placed, then each stands on its day in UTC, for thirty days", async () => {
  const mine = await harness.stored({ ownerId: ada.uid, bidsCount: 4, deadline: inDays(-3) });
  const others = await harness.stored({ bidsCount: 2 });
  const received = [
    at(0, "00:00:00.000"),
    at(-1, "23:59:59.999"),
    at(-29, "00:00:00.000"),
    at(-30, "23:59:59.999"),
  ];
  const placed = [at(-1, "12:00:00.000"), at(-40, "12:00:00.000")];
  await harness.database.bids.insertMany([
    ...received.map((createdAt, index) => aBidDoc({ taskId: mine._id, bidderId: `f${index}`, createdAt })),
    ...placed.map((createdAt) => aBidDoc({ taskId: new ObjectId(), bidderId: ada.uid, createdAt })),
    aBidDoc({ taskId: others._id, createdAt: at(0, "00:00:01.000") }),
  ]);
  const { bidsByDay } = await overview();
  expect(bidsByDay.filter(({ received, placed }) => received + placed > 0)).toEqual([
    { date: inDays(-29), received: 1, placed: 0 },
    { date: inDays(-1), received: 1, placed: 1 },
    { date: inDays(0), received: 1, placed: 0 },
  ]);
});

test("When nobody is signed in, then 401", async () => {
  for (const path of ["overview", "export", "tasks.csv", "bids.csv"])
    expectProblem(await harness.as().get(`/me/${path}`), 401, "not-signed-in");
});

test("When there are many tasks and bids, then every figure comes out of an index alone", async () => {
  const { tasks, bids } = harness.database;
  const own = manyTasks(1_000);
  await tasks.insertMany(own);
  await bids.insertMany(
    own.slice(0, 200).map(({ _id }, index) => aBidDoc({ taskId: _id, bidderId: `f${index % 10}` })),
  );
  const since = at(-29, "00:00:00.000");
  const ids = own.slice(0, 20).map(({ _id }) => _id);
  const plans = [
    await tasks
      .aggregate(countStatesPlan("owner-7", inDays(0)), { hint: "owner-states" })
      .explain("executionStats"),
    await bids.aggregate(countPlacedPlan("f1", since), { hint: "bidder-newest" }).explain("executionStats"),
    await bids.aggregate(countReceivedPlan(ids, since), { hint: "inbox-newest" }).explain("executionStats"),
  ];
  for (const plan of plans) {
    const text = JSON.stringify(plan);
    expect(text).toContain('"stage":"IXSCAN"');
    expect(text).toContain('"totalDocsExamined":0');
    expect(text).not.toContain('"stage":"COLLSCAN"');
  }
});
