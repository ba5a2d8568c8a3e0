import { MongoClient, ObjectId } from "mongodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  aBidDoc,
  aSavedTaskDoc,
  aTaskDraft,
  bidHelpers,
  expectProblem,
  inDays,
  instanceJobs,
  NO_JOBS,
  type Person,
  runJobs,
  signUp,
  useHarness,
  usePeople,
} from "../../test/index.ts";
import { verifyData } from "../../tools/lib/verify-data.ts";
import { announcer } from "./announcements.ts";

const CROWD = 100;
/** The task, the chosen bid, its freelancer's notification, the announcement, and what other features add. */
const MAX_WRITES = 6;

// Announcements are delivered only when a test says so.
const harness = useHarness({ jobs: NO_JOBS });
const { bid, move, triage } = bidHelpers(harness);
let mongo: MongoClient;
const [client, ada, ben] = usePeople("Clara Client", "Ada", "Ben");

beforeAll(async () => {
  mongo = await MongoClient.connect(harness.address.uri);
});
afterAll(() => mongo.close());
beforeEach(() => harness.clear("tasks", "bids", "savedTasks", "notifications", "jobs"));

/** Another instance that delivers in batches of this size. */
const instance = (batch: number, { at, leaseMs }: { at?: Date; leaseMs?: number } = {}) =>
  instanceJobs(harness, {
    kinds: { announcement: { work: announcer(harness.database, { batch }) } },
    ...(at && { at }),
    ...(leaseMs && { leaseMs }),
  });
const deliverAll = () => runJobs(harness);
const ANNOUNCED = { kind: "announcement", subject: { $ne: "" } } as const;
const save = (id: string, draft: object) => harness.ok(client).put(`/tasks/${id}`, aTaskDraft(draft));

/** A task of the client with this many bids. */
async function taskWithCrowd(count = CROWD): Promise<string> {
  const id = await harness.postTask(client);
  const bids = Array.from({ length: count }, (_, number) =>
    aBidDoc({ taskId: new ObjectId(id), bidderId: `freelancer-${number}` }),
  );
  await harness.database.bids.insertMany(bids);
  await harness.database.tasks.updateOne({ _id: new ObjectId(id) }, { $inc: { bidsCount: count } });
  return id;
}

/** How often each person was notified of this. */
async function countsByPerson(kind: string): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for await (const { recipientId, count = 1 } of harness.database.notifications.find({ kind } as object))
    times.set(recipientId, (times.get(recipientId) ?? 0) + count);
  return times;
}
async function expectEachNotifiedOnce(kind: string, count: number): Promise<void> {
  const times = [...(await countsByPerson(kind)).values()];
  expect([times.length, Math.max(...times)]).toEqual([count, 1]);
}
const kindsOf = async (person: Person) =>
  (await harness.database.notifications.find({ recipientId: person.uid }).sort({ _id: 1 }).toArray()).map(
    ({ kind }) => kind,
  );

/** The number of documents that each transaction of this work writes, from the oplog. */
async function writesOf(work: () => PromiseLike<unknown>): Promise<number[]> {
  const log = mongo.db("local").collection("oplog.rs");
  const [last] = await log.find().sort({ $natural: -1 }).limit(1).toArray();
  await work();
  const written = new Map<string, number>();
  const ours = { ts: { $gt: last?.["ts"] }, "o.applyOps.ns": new RegExp(`^${harness.address.dbName}\\.`) };
  for await (const { lsid, txnNumber, o } of log.find(ours)) {
    const transaction = `${JSON.stringify(lsid)} ${txnNumber}`;
    written.set(transaction, (written.get(transaction) ?? 0) + o.applyOps.length);
  }
  return [...written.values()];
}

const award = async (id: string) => {
  const bid = await harness.database.bids.findOne({ taskId: new ObjectId(id), bidderId: "freelancer-7" });
  await harness.ok(client).post(`/tasks/${id}/award`, { bidId: bid?._id });
};

test("When a task with many bids is edited, cancelled, reopened, awarded or deleted, then each transaction writes few documents, and all bidders are notified afterwards", async () => {
  const id = await taskWithCrowd();
  const steps = [
    ["task-changed", CROWD, () => save(id, { budget: 9 })],
    ["task-cancelled", CROWD, () => move(id, client, "cancelled")],
    ["task-reopened", CROWD, () => move(id, client, "open")],
    ["declined", CROWD - 1, () => award(id)],
  ] as const;
  for (const [kind, count, decide] of steps) {
    const writes = await writesOf(decide);
    expect(writes.length, kind).toBeGreaterThan(0);
    expect(Math.max(...writes), kind).toBeLessThanOrEqual(MAX_WRITES);
    await deliverAll();
    await expectEachNotifiedOnce(kind, count);
  }
  const other = await taskWithCrowd();
  const writes = await writesOf(() => harness.ok(client).delete(`/tasks/${other}`));
  expect(Math.max(...writes)).toBeLessThanOrEqual(MAX_WRITES);
  await deliverAll();
  await expectEachNotifiedOnce("task-deleted", CROWD);
  expect(await harness.database.bids.countDocuments({ taskId: new ObjectId(other) })).toBe(0);
  expect(await harness.database.jobs.countDocuments(ANNOUNCED)).toBe(0);
});

describe("the announcer", () => {
  test("When it crashes after a batch, before or after recording that, or between bidders and watchers, then another one continues, and everybody is notified exactly once", async () => {
    const id = await taskWithCrowd(95);
    const { jobs, bids, savedTasks, notifications } = harness.database;
    // Three of them have bid, too; the others are more than one batch.
    const watchers = Array.from({ length: 30 }, (_, number) => `freelancer-${92 + number}`);
    await savedTasks.insertMany(watchers.map((uid) => aSavedTaskDoc(uid, new ObjectId(id))));
    await harness.ok(client).delete(`/tasks/${id}`);
    const crashes = [
      [notifications, "insertMany"],
      [bids, "deleteMany"],
      [jobs, "updateOne"],
      [savedTasks, "find"],
      [jobs, "deleteOne"],
    ] as const;
    let minutes = 0;
    const later = () => harness.later(minutes++ * 60_000);
    for (const [collection, call] of crashes) {
      const calls = collection as unknown as Record<string, () => unknown>;
      const crash = vi.spyOn(calls, call).mockImplementationOnce(() => {
        throw new Error("killed");
      });
      await instance(20, { at: later() }).drainAll();
      expect(crash).toHaveBeenCalled();
      crash.mockRestore();
      expect(await jobs.countDocuments(ANNOUNCED)).toBe(1);
    }
    await instance(20, { at: later() }).drainAll();
    expect(await jobs.countDocuments(ANNOUNCED)).toBe(0);
    await expectEachNotifiedOnce("task-deleted", 122);
    expect(await notifications.countDocuments({ saved: true })).toBe(27);
    expect(await bids.countDocuments()).toBe(0);
  });

  test("When a large announcement is being delivered, then a small one does not wait for it", async () => {
    const [crowded, small] = [await taskWithCrowd(60), await taskWithCrowd(3)];
    for (const id of [crowded, small]) await harness.ok(client).delete(`/tasks/${id}`);
    await instance(10).drainAll();
    const order = await harness.database.notifications
      .find({ kind: "task-deleted" })
      .sort({ _id: 1 })
      .toArray();
    const last = order.findLastIndex(({ taskId }) => taskId.equals(small));
    expect([order.length, last < 40]).toEqual([63, true]);
  });

  test("When it is stopped, then it ends after the current batch, and the next one delivers the rest immediately", async () => {
    const id = await taskWithCrowd(60);
    await harness.ok(client).delete(`/tasks/${id}`);
    const first = instance(5);
    const { notifications } = harness.database;
    const insert = notifications.insertMany.bind(notifications);
    const stopped = new Promise<void>((resolve) => {
      vi.spyOn(notifications, "insertMany").mockImplementationOnce((...batch) => {
        resolve(first.stop());
        return insert(...batch);
      });
    });
    first.nudge("announcement");
    await stopped;
    expect(await harness.database.jobs.countDocuments(ANNOUNCED)).toBe(1);
    await deliverAll();
    await expectEachNotifiedOnce("task-deleted", 60);
  });
});

describe("bids that change between decision and delivery", () => {
  test("When a bid is withdrawn before its freelancer was notified, or placed after the decision, then only the former is notified, once", async () => {
    const id = await harness.postTask(client);
    await bid(id, ada);
    await save(id, { budget: 9 });
    await harness.ok(ada).delete(`/tasks/${id}/bid`);
    expect(await kindsOf(ada)).toEqual(["task-changed"]);
    harness.advance(5);
    await bid(id, ben);
    await deliverAll();
    expect([await kindsOf(ada), await kindsOf(ben)]).toEqual([["task-changed"], []]);
  });

  test("When a bid is declined or restored before delivery, then its freelancer is notified of what concerned them at the time, in order", async () => {
    const id = await harness.postTask(client);
    for (const person of [ada, ben]) await bid(id, person);
    await triage(id, client, ben, "declined");
    await save(id, { budget: 9 });
    await triage(id, client, ada, "declined");
    await triage(id, client, ben, "placed");
    await deliverAll();
    expect(await kindsOf(ada)).toEqual(["task-changed"]);
    expect(await kindsOf(ben)).toEqual([]);
  });

  test("When there are several decisions before delivery, then bidders and watchers are notified in order, each with the title at the time, and the last change replaces the first", async () => {
    const id = await harness.postTask(client, { title: "First title" });
    await bid(id, ada);
    await harness.ok(ben).put(`/me/saved/${id}`);
    await save(id, { title: "Second title" });
    await move(id, client, "cancelled");
    // Nobody is notified of changes to a cancelled task.
    await save(id, { title: "Quiet title" });
    await move(id, client, "open", { deadline: inDays(9) });
    await save(id, { title: "Third title" });
    await harness.ok(client).delete(`/tasks/${id}`);
    // The last one is claimed first.
    await harness.database.jobs.updateOne(
      { "announcement.kind": "task-deleted" },
      { $set: { dueAt: new Date(-1) } },
    );
    await deliverAll();
    for (const { uid: recipientId } of [ada, ben]) {
      const notices = await harness.database.notifications.find({ recipientId }).sort({ _id: 1 }).toArray();
      expect(notices.map(({ kind, taskTitle, saved }) => [kind, taskTitle, saved])).toEqual(
        [
          ["task-cancelled", "Second title"],
          ["task-reopened", "Quiet title"],
          ["task-changed", "Third title"],
          ["task-deleted", "Third title"],
        ].map((notice) => [...notice, recipientId === ben.uid || undefined]),
      );
    }
    const [listed] = await harness.read("/me/saved", ben);
    expect(listed).toMatchObject({ title: "Third title", gone: "deleted" });
  });

  test("When its client deletes their account before delivery, then the notifications do not have their name", async () => {
    const leaver = await signUp();
    const id = await harness.postTask(leaver);
    await bid(id, ada);
    await harness.ok(leaver).delete(`/tasks/${id}`);
    await harness.ok(leaver).delete("/me");
    await deliverAll();
    const notices = await harness.database.notifications.findOne({ recipientId: ada.uid });
    expect(notices).toMatchObject({ kind: "task-deleted", actor: "Former member" });
    expect(notices).not.toHaveProperty("actorId");
  });
});

test("When a task is deleted and its bids are not removed yet, then nobody can see them", async () => {
  const [id, other] = [
    await harness.postTask(client, { title: "Deleted title" }),
    await harness.postTask(client),
  ];
  for (const task of [id, other]) await bid(task, ada, { amount: 40 });
  await harness.ok(client).delete(`/tasks/${id}`);
  expect(await harness.database.bids.countDocuments({ taskId: new ObjectId(id) })).toBe(1);

  const { body, headers } = await harness.ok(ada).get("/me/bids");
  expect([body.length, headers["x-total-count"]]).toEqual([1, "1"]);
  const csv = (await harness.ok(ada).get("/me/bids.csv")).text;
  expect(csv.trim().split("\r\n")).toHaveLength(2);
  const taken = await harness.read("/me/export", ada);
  expect(taken.bids.map((bid: { taskId: string }) => bid.taskId)).toEqual([other]);
  const { bidsByDay } = await harness.read("/me/overview", ada);
  expect(bidsByDay.at(-1)).toMatchObject({ placed: 1 });
  expectProblem(await harness.as(client).get(`/tasks/${id}/bids`), "task-not-found");
  expectProblem(await harness.as(ada).delete(`/tasks/${id}/bid`), "task-not-found");
  for (const amount of [41, 40])
    expectProblem(await harness.as(ada).patch(`/tasks/${id}/bid`, { amount }), "task-not-found");
  expect(await verifyData(harness.database.db)).toEqual({});
});
