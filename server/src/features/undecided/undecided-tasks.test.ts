import { beforeEach, expect, test } from "vitest";
import { aBidDoc, aSuspensionDoc, inDays, signUp, testStart, useHarness } from "../../../test/index.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { undecidedTasks } from "./undecided-tasks.ts";

const harness = useHarness();
const { at: now } = testStart;
const later = (days: number) => new Date(now.getTime() + days * 86_400_000);
const instance = (batch?: number) => undecidedTasks(harness.database, batch === undefined ? {} : { batch });

beforeEach(() => harness.clear("tasks", "bids", "notifications", "jobs", "suspensions"));

/** Stores a task whose deadline was this many days ago, with bids in these states. */
async function task(ago: number, states: BidDoc["state"][], fields: Partial<TaskDoc> = {}): Promise<TaskDoc> {
  const doc = await harness.insertTask({
    ...{ title: `${ago} days`, ownerId: "ada", deadline: inDays(-ago), bidsCount: states.length },
    ...fields,
  });
  const all = states.map((state, at) => aBidDoc({ taskId: doc._id, bidderId: `${state}-${at}`, state }));
  if (all.length > 0) await harness.database.bids.insertMany(all);
  return doc;
}

async function notified(kind: "bids-undecided" | "task-closed"): Promise<string[]> {
  const found = await harness.database.notifications.find({ kind }).toArray();
  return found
    .flatMap(({ taskTitle, recipientId, asClient, count = 1 }) =>
      Array<string>(count).fill(`${taskTitle}: ${recipientId}${asClient ? " (client)" : ""}`),
    )
    .sort();
}

test("When bids wait for a decision, then their client is reminded 3 and 10 days after the deadline, once each", async () => {
  await task(0, ["placed"]);
  await task(0, ["declined", "shortlisted"], { title: "shortlist" });
  await task(0, ["declined"], { title: "decided" });
  await task(0, [], { title: "no bids" });
  await task(0, ["placed"], { title: "hired", state: "awarded" });
  const counts: [day: number, count: number][] = [];
  for (const day of [2, 3, 3, 4, 9, 10, 11, 29]) counts.push([day, await instance().remind(later(day))]);
  expect(counts.filter(([, count]) => count > 0)).toEqual([
    [3, 2],
    [10, 2],
  ]);
  const twice = ["0 days: ada (client)", "shortlist: ada (client)"].flatMap((one) => [one, one]);
  expect(await notified("bids-undecided")).toEqual(twice);
});

test("When an instance stops before it has reminded everybody, then its job is not done", async () => {
  await task(3, ["placed"]);
  const signal = AbortSignal.abort();
  await expect(undecidedTasks(harness.database, { signal }).remind(now)).rejects.toThrow();
  expect(await instance().remind(now)).toBe(1);
});

test("When the deadline is moved and passes again, then the client is reminded again", async () => {
  const { _id } = await task(3, ["placed"]);
  expect(await instance().remind(now)).toBe(1);
  await harness.setTask(_id, { deadline: inDays(5) });
  expect(await instance().remind(later(7))).toBe(0);
  expect(await instance().remind(later(8))).toBe(1);
});

test("When there was no recent reminder, after an outage or without undecided bids, then the task closes a week after a new one", async () => {
  await task(50, ["placed"], { title: "outage" });
  const decided = await task(9, ["declined"], { title: "restored" });
  const counts: [day: number, count: number][] = [];
  const reminders: number[] = [];
  for (const day of [0, 1, 6, 7, 30, 31, 36, 37, 38]) {
    if (day === 30)
      await harness.database.bids.updateMany({ taskId: decided._id }, { $set: { state: "placed" } });
    counts.push([day, await instance().closeOverdue(later(day))]);
    reminders.push((await notified("bids-undecided")).length);
  }
  expect(counts.filter(([, count]) => count > 0)).toEqual([
    [7, 1],
    [37, 1],
  ]);
  expect(reminders).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 2]);
});

test("When a client restores a declined bid, then earlier reminders do not count, and the task closes a week after a new one", async () => {
  const client = await signUp();
  const { _id } = await task(29, ["placed", "declined"], { ownerId: client.uid });
  expect(await instance().remind(later(-19))).toBe(1);
  const bid = await harness.database.bids.findOne({ taskId: _id, state: "declined" });
  await harness.ok(client).patch(`/tasks/${_id}/bids/${bid?._id}`, { state: "placed" });
  const counts: number[] = [];
  for (const day of [1, 2, 7, 8]) counts.push(await instance().closeOverdue(later(day)));
  expect(counts).toEqual([0, 0, 0, 1]);
  expect(await notified("bids-undecided")).toHaveLength(2);
});

test("When a client is suspended, then they are not reminded and nothing is closed until the suspension is lifted", async () => {
  await task(5, ["placed"]);
  await task(31, ["placed"]);
  await harness.database.suspensions.insertOne(aSuspensionDoc("ada"));
  expect(await instance().remind(now)).toBe(0);
  expect(await instance().closeOverdue(now)).toBe(0);
  expect(await instance().closeOverdue(later(8))).toBe(0);
  expect(await notified("bids-undecided")).toEqual([]);
  await harness.clear("suspensions");
  expect(await instance().remind(now)).toBe(1);
  expect(await instance().closeOverdue(later(9))).toBe(0);
  expect(await notified("bids-undecided")).toEqual(["31 days: ada (client)", "5 days: ada (client)"]);
  expect(await instance().closeOverdue(later(16))).toBe(1);
});

test("When a client's suspension was lifted, then earlier reminders do not count, and the task closes a week after a new one", async () => {
  await task(10, ["placed"]);
  expect(await instance().remind(now)).toBe(1);
  await harness.database.suspensions.insertOne({ ...aSuspensionDoc("ada"), liftedAt: later(19) });
  const counts: number[] = [];
  for (const day of [20, 26, 27]) counts.push(await instance().closeOverdue(later(day)));
  expect(counts).toEqual([0, 0, 1]);
  expect(await notified("bids-undecided")).toHaveLength(2);
});

test("When a client declined every bid, or less than 30 days have passed, then the task stays open, and does not keep others from closing", async () => {
  const decided = await task(31, ["declined", "declined"], { title: "decided" });
  await task(29, ["placed"], { title: "soon" });
  for (let at = 0; at < 5; at++) {
    await task(40 + at, ["declined"], { title: `d${at}` });
    await task(40 + at, ["placed"], { title: `p${at}` });
  }
  await instance().remind(later(-20));
  const { closeOverdue } = instance(2);
  expect(await closeOverdue(now)).toBe(5);
  const { tasks } = harness.database;
  expect(await tasks.distinct("title", { state: "cancelled" })).toEqual(["p0", "p1", "p2", "p3", "p4"]);
  expect(await tasks.findOne({ _id: decided._id })).toEqual(decided);
  expect((await notified("task-closed")).filter((one) => /^d/.test(one))).toEqual([]);
});
