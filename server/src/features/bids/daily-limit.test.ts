import { ObjectId } from "mongodb";
import { beforeAll, beforeEach, expect, test } from "vitest";
import {
  bidHelpers,
  expectProblem,
  type Instance,
  inDays,
  type Person,
  sendColliding,
  signUp,
  testSettings,
  useHarness,
  usePeople,
} from "../../../test/index.ts";

const LIMIT = 3;
const harness = useHarness();
const { bidCounts, insertTasks } = bidHelpers(harness);
const [client] = usePeople("Clara Client");
let ada: Person;
let limited: Instance;
let other: Instance;

beforeAll(() => {
  const settings = testSettings({ bidsPerDay: LIMIT });
  [limited, other] = [harness.instance({ settings }), harness.instance({ settings })];
});

beforeEach(async () => {
  ada = await signUp();
});

const bid = (id: string | undefined, draft?: object, by: Instance = limited) =>
  by.as(ada).patch(`/tasks/${id}/bid`, draft);
const withdraw = (id: string | undefined) => limited.ok(ada).delete(`/tasks/${id}/bid`);
const left = async (id: string | undefined) =>
  (await limited.ok(ada).get(`/tasks/${id}`)).body.viewer.bidsLeft;

test("When somebody has placed as many bids as a day allows, then the next is refused with the time from which bids are possible", async () => {
  const [first, second, third, fourth] = await insertTasks(4);
  for (const id of [first, second, third]) await bid(id).expect(200);
  const { detail } = expectProblem(await bid(fourth), "bid-limit-reached");
  expect(detail).toContain(`You have placed 3 bids today`);
  expect(detail).toContain(`from ${inDays(1)}, 00:00 UTC`);
  expectProblem(await bid(fourth, { amount: 5 }), "bid-limit-reached");
  expect(await bidCounts(String(fourth))).toEqual({ onTask: 0, bids: 0 });
  // Existing bids can still be repeated and changed.
  expect((await bid(first).expect(200)).body.modifiedCount).toBe(0);
  expect((await bid(first, { amount: 7 }).expect(200)).body.modifiedCount).toBe(1);
});

test("When a bid is withdrawn, then it stays counted, and placing it again counts as another one", async () => {
  const [first, second] = await insertTasks(2);
  await bid(first).expect(200);
  await withdraw(first);
  expect(await left(first)).toBe(2);
  await bid(first).expect(200);
  await withdraw(first);
  await bid(first).expect(200);
  expectProblem(await bid(second), "bid-limit-reached");
});

test("When somebody sends many first bids at the same moment through two instances, then no more than the limit count", async () => {
  const ids = await insertTasks(10);
  const responses = await Promise.all(
    ids.map((id, at) => sendColliding(() => bid(id, undefined, at % 2 === 0 ? limited : other))),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
  for (const response of responses.filter(({ status }) => status !== 200))
    expectProblem(response, "bid-limit-reached");
  const taskId = { $in: ids.map((id) => new ObjectId(id)) };
  expect(await harness.database.bids.countDocuments({ taskId, bidderId: ada.uid })).toBe(LIMIT);
});

test("When few bids are left, then the task says so to people who may bid on it, and to nobody else", async () => {
  const [first, second] = await insertTasks(2, client);
  expect(await left(second)).toBe(3);
  await bid(first).expect(200);
  expect(await left(second)).toBe(2);
  expect(await left(first)).toBeUndefined();
  for (const reader of [undefined, client])
    expect((await limited.ok(reader).get(`/tasks/${second}`)).text).not.toContain("bidsLeft");
  expect((await harness.ok(ada).get(`/tasks/${second}`)).text).not.toContain("bidsLeft");
});
