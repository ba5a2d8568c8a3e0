import { beforeEach, expect, test } from "vitest";
import {
  aBidDoc,
  aSavedTaskDoc,
  inDays,
  instanceJobs,
  useHarness,
  useOperator,
} from "../../../test/index.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import type { Jobs } from "../../db/jobs.ts";
import { deadlineJob, deadlineNotices } from "./deadline-notices.ts";

const harness = useHarness();
const operator = useOperator(harness);
// At noon, so that what happens some minutes later is on the same day.
const now = new Date(`${inDays(0)}T12:00:00Z`);

beforeEach(() => harness.clear("tasks", "bids", "savedTasks", "notifications", "jobs"));

/** Stores the job as the server does when it starts. */
const storeJob = () =>
  harness.database.jobs.insertOne({
    ...{ _id: "deadlines", kind: "deadlines", subject: "", dueAt: now, attempts: 0, stored: 1 },
  });

async function bidOn(task: TaskDoc, bidderId: string, fields: Partial<BidDoc> = {}): Promise<void> {
  await harness.database.bids.insertOne(aBidDoc({ taskId: task._id, bidderId, createdAt: now, ...fields }));
  await harness.database.tasks.updateOne({ _id: task._id }, { $inc: { bidsCount: 1, bidsRevision: 1 } });
}

/** Task and recipient of each deadline notice. */
async function notices(): Promise<string[]> {
  const found = await harness.database.notifications.find({ kind: "deadline-near" }).toArray();
  return found
    .map(
      ({ taskTitle, recipientId, asClient }) => `${taskTitle}: ${recipientId}${asClient ? " (client)" : ""}`,
    )
    .sort();
}

test("When it runs repeatedly on several instances at the same time, in batches, then everybody is notified exactly once", async () => {
  const tasks = await Promise.all(
    Array.from({ length: 15 }, (_, index) =>
      harness.insertTask({ title: `t${index}`, ownerId: "ada", deadline: inDays(index % 2) }),
    ),
  );
  for (const bidder of ["ben", "cleo", "dan"]) await Promise.all(tasks.map((task) => bidOn(task, bidder)));
  const instances = Array.from({ length: 4 }, () => deadlineNotices(harness.database, { batch: 5 }));
  const counts = await Promise.all(instances.map((sweep) => sweep(now)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60);
  for (const sweep of instances) expect(await sweep(now)).toBe(0);
  expect(await deadlineNotices(harness.database)(now)).toBe(0);
  expect(new Set(await notices()).size).toBe(60);
  expect(await harness.database.notifications.countDocuments()).toBe(60);
});

test("When a task is shown again on its last day, then the next run notifies its client", async () => {
  const updatedAt = new Date(now.getTime() - 3_600_000);
  const fields = { ownerId: "ada", deadline: inDays(0), hidden: true, updatedAt };
  const { _id } = await harness.insertTask({ title: "shown again", ...fields });
  await storeJob();
  const kinds = { deadlines: { work: deadlineJob(harness.database) } };
  const runAt = (at: Date) => instanceJobs(harness, { kinds, at }).drainAll();
  await runAt(now);
  harness.clock.now = now;
  await harness.ok(operator).patch(`/tasks/${_id}/visibility`, { hidden: false });
  await runAt(new Date(now.getTime() + 600_000));
  expect(await notices()).toEqual(["shown again: ada (client)"]);
});

test("When the job runs again on the same day, then it looks only at tasks that were posted or changed since; on the next day at all", async () => {
  const updatedAt = new Date(now.getTime() - 3_600_000);
  const fields = { ownerId: "ada", deadline: inDays(1), updatedAt };
  const task = await harness.insertTask({ title: "unchanged", ...fields });
  const kinds = { deadlines: { work: deadlineJob(harness.database) } };
  await storeJob();
  const runAfter = (minutes: number) =>
    instanceJobs(harness, { kinds, at: new Date(now.getTime() + minutes * 60_000) }).drainAll();
  await runAfter(0);
  await bidOn(task, "ben");
  await harness.insertTask({ title: "moved", ...fields, updatedAt: now });
  const early = "unchanged: ada (client)";
  await runAfter(9);
  expect(await notices()).toEqual([early]);
  await runAfter(10);
  expect(await notices()).toEqual(["moved: ada (client)", early]);
  await runAfter(24 * 60);
  expect(await notices()).toEqual(["moved: ada (client)", early, "unchanged: ben"]);
});

test("When an instance stops before it has gone through all tasks, then the next one notifies of those that are left", async () => {
  const updatedAt = new Date(now.getTime() - 3_600_000);
  await harness.insertTask({ title: "left", ownerId: "ada", deadline: inDays(1), updatedAt });
  await storeJob();
  const work = deadlineJob(harness.database);
  const stopping: Jobs = instanceJobs(harness, {
    kinds: {
      deadlines: {
        work: (run) => {
          void stopping.stop();
          return work(run);
        },
      },
    },
    at: now,
  });
  await stopping.drainAll();
  expect(await notices()).toEqual([]);
  const at = new Date(now.getTime() + 60_000);
  await instanceJobs(harness, { kinds: { deadlines: { work } }, at }).drainAll();
  expect(await notices()).toEqual(["left: ada (client)"]);
});

test("When the deadline is moved and comes near again, then people are notified again", async () => {
  const { _id } = await harness.insertTask({ title: "moved", ownerId: "ada", deadline: inDays(0) });
  const sweep = deadlineNotices(harness.database);
  await sweep(now);
  await harness.setTask(_id, { deadline: inDays(5) });
  expect(await sweep(now)).toBe(0);
  expect(await sweep(new Date(now.getTime() + 4 * 86_400_000))).toBe(1);
});

test("When a deadline is two days away, then people who saved the task before that day are notified once", async () => {
  const { savedTasks } = harness.database;
  const soon = await harness.insertTask({ title: "soon", ownerId: "ada", deadline: inDays(2) });
  const later = await harness.insertTask({ title: "later", ownerId: "ada", deadline: inDays(3) });
  const saveAt = (task: TaskDoc, personId: string, createdAt: Date) =>
    savedTasks.insertOne(aSavedTaskDoc(personId, task._id, createdAt));
  const aDay = 86_400_000;
  await saveAt(soon, "wanda", new Date(now.getTime() - aDay));
  await saveAt(soon, "today", now);
  await saveAt(later, "wanda", new Date(now.getTime() - aDay));
  // Somebody who saved the task and bid on it is notified once, whichever comes first.
  await saveAt(soon, "ben", new Date(now.getTime() - aDay));
  await bidOn(soon, "ben");
  const sweep = deadlineNotices(harness.database);
  await sweep(now);
  expect(await notices()).toEqual(["soon: ben", "soon: wanda"]);
  const tomorrow = new Date(now.getTime() + aDay);
  for (const again of [sweep, deadlineNotices(harness.database)]) await again(tomorrow);
  expect(await notices()).toEqual([
    "later: wanda",
    "soon: ada (client)",
    "soon: ben",
    "soon: today",
    "soon: wanda",
  ]);
});
