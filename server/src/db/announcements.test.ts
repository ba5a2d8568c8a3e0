import { MongoClient, ObjectId } from "mongodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { bidHelpers, waitForAnnouncements } from "../../test/bid-helpers.ts";
import { aBidDoc, aTaskDraft, inDays } from "../../test/builders.ts";
import { expectProblem, signUpMany, useHarness } from "../../test/harness.ts";
import type { Person } from "../../test/people.ts";
import { createAnnouncer } from "./announcements.ts";
import { FINDINGS, verifyBids } from "./verify-data.ts";

const CROWD = 1_000;
/** A transaction writes the task, the chosen bid, its freelancer's notification, the announcement; and what others add. */
const MOST_WRITES = 6;
const SILENT = { warn: () => undefined };

// Nothing that is announced is told before a test says so.
const harness = useHarness({ announcer: { nudge: () => undefined } });
const { bid, bidId } = bidHelpers(harness);
let mongo: MongoClient;
let client: Person;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  mongo = await MongoClient.connect(harness.address.uri);
  [client, ada, ben] = (await signUpMany(3)) as [Person, Person, Person];
});
afterAll(() => mongo.close());
beforeEach(async () => {
  const { tasks, bids, notifications, announcements } = harness.database;
  for (const collection of [tasks, bids, notifications, announcements]) await collection.deleteMany({});
});

const announcer = (options = {}) => createAnnouncer(harness.database, { log: SILENT, ...options });
const tellAll = () => announcer().deliver();

/** A task of the client's with so many bids. */
async function taskWithCrowd(count = CROWD): Promise<string> {
  const id = await harness.postTask(client);
  const bids = Array.from({ length: count }, (_, number) =>
    aBidDoc({ taskId: new ObjectId(id), bidderId: `freelancer-${number}` }),
  );
  await harness.database.bids.insertMany(bids);
  await harness.database.tasks.updateOne({ _id: new ObjectId(id) }, { $inc: { bidsCount: count } });
  return id;
}

/** How often each person was told that. */
async function timesTold(kind: string): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for await (const { recipientId } of harness.database.notifications.find({ kind } as object))
    times.set(recipientId, (times.get(recipientId) ?? 0) + 1);
  return times;
}
async function expectEachToldOnce(kind: string, count: number): Promise<void> {
  const times = [...(await timesTold(kind)).values()];
  expect([times.length, Math.max(...times)]).toEqual([count, 1]);
}
const kindsTold = async (person: Person) =>
  (await harness.database.notifications.find({ recipientId: person.uid }).sort({ _id: 1 }).toArray()).map(
    ({ kind }) => kind,
  );

/** Documents written by each transaction of this work, as the database's own log has them. */
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

describe("a decision on a task with a thousand bids", () => {
  const move = (id: string, state: string) =>
    harness.as(client).patch(`/tasks/${id}/state`, { state }).expect(200);
  const save = (id: string) =>
    harness
      .as(client)
      .put(`/tasks/${id}`, aTaskDraft({ budget: 9 }))
      .expect(200);
  const award = async (id: string) => {
    const bid = await harness.database.bids.findOne({ taskId: new ObjectId(id), bidderId: "freelancer-7" });
    const body = { bidId: String(bid?._id) };
    await harness.as(client).post(`/tasks/${id}/award`, body).expect(200);
  };

  test("When it is edited, cancelled, opened again, awarded or deleted, then each transaction writes a few documents, and all are told afterwards", async () => {
    const id = await taskWithCrowd();
    const steps = [
      ["task-changed", CROWD, () => save(id)],
      ["task-cancelled", CROWD, () => move(id, "cancelled")],
      ["task-reopened", CROWD, () => move(id, "open")],
      ["declined", CROWD - 1, () => award(id)],
    ] as const;
    for (const [kind, count, decide] of steps) {
      const writes = await writesOf(decide);
      expect(writes.length, kind).toBeGreaterThan(0);
      expect(Math.max(...writes), kind).toBeLessThanOrEqual(MOST_WRITES);
      await tellAll();
      await expectEachToldOnce(kind, count);
    }
    const other = await taskWithCrowd();
    const writes = await writesOf(() => harness.as(client).delete(`/tasks/${other}`).expect(200));
    expect(Math.max(...writes)).toBeLessThanOrEqual(MOST_WRITES);
    await tellAll();
    await expectEachToldOnce("task-deleted", CROWD);
    expect(await harness.database.bids.countDocuments({ taskId: new ObjectId(other) })).toBe(0);
    expect(await harness.database.announcements.countDocuments()).toBe(0);
  }, 30_000);

  test("When its client deletes their account, then each transaction writes a few documents, and all are told afterwards", async () => {
    const [leaver] = (await signUpMany(1)) as [Person];
    const id = await taskWithCrowd();
    await harness.database.tasks.updateOne({ _id: new ObjectId(id) }, { $set: { ownerId: leaver.uid } });
    const writes = await writesOf(() => harness.as(leaver).delete("/me").expect(200));
    expect(writes.length).toBeGreaterThan(0);
    expect(Math.max(...writes)).toBeLessThanOrEqual(MOST_WRITES);
    await tellAll();
    await expectEachToldOnce("task-cancelled", CROWD);
  }, 30_000);
});

describe("the announcer", () => {
  test("When it dies after any batch, before or after that is written down, then another one goes on, and nobody is told twice or never", async () => {
    const id = await taskWithCrowd(950);
    await harness.as(client).delete(`/tasks/${id}`).expect(200);
    const { announcements, bids, notifications } = harness.database;
    const deaths = [
      [notifications, "insertMany"],
      [bids, "deleteMany"],
      [announcements, "updateOne"],
      [announcements, "deleteOne"],
    ] as const;
    for (const [collection, call] of deaths) {
      const calls = collection as unknown as Record<string, () => Promise<unknown>>;
      const death = vi.spyOn(calls, call).mockRejectedValueOnce(new Error("killed"));
      await announcer({ batch: 200, leaseMs: 1 }).deliver();
      expect(death).toHaveBeenCalled();
      death.mockRestore();
      expect(await announcements.countDocuments()).toBe(1);
    }
    await vi.waitUntil(
      async () => {
        await announcer({ batch: 200 }).deliver();
        return (await announcements.countDocuments()) === 0;
      },
      { timeout: 5_000 },
    );
    await expectEachToldOnce("task-deleted", 950);
    expect(await bids.countDocuments()).toBe(0);
  }, 30_000);

  test("When several instances tell at the same time, with leases that end too early, then everybody is told once", async () => {
    const ids = [await taskWithCrowd(900), await taskWithCrowd(1)];
    for (const id of ids)
      await harness.as(client).patch(`/tasks/${id}/state`, { state: "cancelled" }).expect(200);
    await Promise.all(Array.from({ length: 4 }, () => announcer({ batch: 70, leaseMs: 1 }).deliver()));
    await waitForAnnouncements(harness);
    const times = await timesTold("task-cancelled");
    // The first freelancer bid on both.
    expect([times.size, times.get("freelancer-0"), times.get("freelancer-1")]).toEqual([900, 2, 1]);
    expect(await harness.database.notifications.countDocuments({ kind: "task-cancelled" })).toBe(901);
  }, 30_000);

  test("When many thousands are being told, then a few others do not wait for them", async () => {
    const [crowded, small] = [await taskWithCrowd(300), await taskWithCrowd(3)];
    await harness.as(client).delete(`/tasks/${crowded}`).expect(200);
    await harness.as(client).delete(`/tasks/${small}`).expect(200);
    await announcer({ batch: 10 }).deliver();
    const order = await harness.database.notifications
      .find({ kind: "task-deleted" })
      .sort({ _id: 1 })
      .toArray();
    const last = order.findLastIndex(({ taskId }) => taskId.equals(small));
    expect([order.length, last < 50]).toEqual([303, true]);
  });

  test("When it is stopped, then it ends after a batch, and the next one tells the rest at once", async () => {
    const id = await taskWithCrowd(600);
    await harness.as(client).delete(`/tasks/${id}`).expect(200);
    const first = announcer({ batch: 50 });
    const { notifications } = harness.database;
    const insert = notifications.insertMany.bind(notifications);
    const stopped = new Promise<void>((resolve) => {
      vi.spyOn(notifications, "insertMany").mockImplementationOnce((...batch) => {
        resolve(first.stop());
        return insert(...batch);
      });
    });
    first.nudge();
    await stopped;
    expect(await harness.database.announcements.countDocuments()).toBe(1);
    await tellAll();
    await expectEachToldOnce("task-deleted", 600);
  });
});

describe("whose bid stood when it was decided", () => {
  const cancel = (id: string) =>
    harness.as(client).patch(`/tasks/${id}/state`, { state: "cancelled" }).expect(200);
  const sort = async (id: string, person: Person, state: string) => {
    await harness
      .as(client)
      .patch(`/tasks/${id}/bids/${await bidId(id, person)}`, { state })
      .expect(200);
  };
  const save = (id: string, draft: object) =>
    harness.as(client).put(`/tasks/${id}`, aTaskDraft(draft)).expect(200);

  test("When a bid is withdrawn before its freelancer was told, then they are told all the same, once", async () => {
    const id = await harness.postTask(client);
    await bid(id, ada);
    await cancel(id);
    await harness.as(ada).delete(`/tasks/${id}/bid`).expect(200);
    expect(await kindsTold(ada)).toEqual(["task-cancelled"]);
    await tellAll();
    expect(await kindsTold(ada)).toEqual(["task-cancelled"]);
  });

  test("When a bid is placed after the decision, then its freelancer is not told of it", async () => {
    const id = await harness.postTask(client);
    await bid(id, ada);
    await save(id, { budget: 9 });
    harness.clock.now = new Date(Date.now() + 5);
    await bid(id, ben);
    await tellAll();
    expect([await kindsTold(ada), await kindsTold(ben)]).toEqual([["task-changed"], []]);
  });

  test("When a bid is declined, or restored, before all were told, then each is told what concerned them when it was decided, in order", async () => {
    const id = await harness.postTask(client);
    for (const person of [ada, ben]) await bid(id, person);
    await sort(id, ben, "declined");
    await save(id, { budget: 9 });
    await sort(id, ada, "declined");
    await sort(id, ben, "placed");
    await tellAll();
    expect(await kindsTold(ada)).toEqual(["task-changed", "declined"]);
    expect(await kindsTold(ben)).toEqual(["declined"]);
  });

  test("When several things are decided before anybody was told, then all come in their order, as they were decided", async () => {
    const id = await harness.postTask(client, { title: "First title" });
    await bid(id, ada);
    await save(id, { title: "Second title" });
    await cancel(id);
    await harness
      .as(client)
      .patch(`/tasks/${id}/state`, { state: "open", deadline: inDays(9) })
      .expect(200);
    await save(id, { title: "Third title" });
    await harness.as(client).delete(`/tasks/${id}`).expect(200);
    // Whoever is claimed first.
    await harness.database.announcements.updateOne(
      { kind: "task-deleted" },
      { $set: { dueAt: new Date(-1) } },
    );
    await tellAll();
    const told = await harness.database.notifications
      .find({ recipientId: ada.uid })
      .sort({ _id: 1 })
      .toArray();
    expect(told.map(({ kind, taskTitle }) => [kind, taskTitle])).toEqual([
      ["task-changed", "Second title"],
      ["task-cancelled", "Second title"],
      ["task-reopened", "Second title"],
      ["task-changed", "Third title"],
      ["task-deleted", "Third title"],
    ]);
  });

  test("When its client deletes their account before all were told, then they are told without the name", async () => {
    const [leaver] = (await signUpMany(1)) as [Person];
    const id = await harness.postTask(leaver);
    await bid(id, ada);
    await harness.as(leaver).delete(`/tasks/${id}`).expect(200);
    await harness.as(leaver).delete("/me").expect(200);
    await tellAll();
    const told = await harness.database.notifications.findOne({ recipientId: ada.uid });
    expect(told).toMatchObject({ kind: "task-deleted", actor: "Former member" });
    expect(told).not.toHaveProperty("actorId");
  });
});

test("When a task was deleted and its bids are not removed yet, then nobody sees them any more", async () => {
  const [id, other] = [
    await harness.postTask(client, { title: "Deleted title" }),
    await harness.postTask(client),
  ];
  for (const task of [id, other]) await bid(task, ada, { amount: 40 });
  await harness.as(client).delete(`/tasks/${id}`).expect(200);
  expect(await harness.database.bids.countDocuments({ taskId: new ObjectId(id) })).toBe(1);

  const mine = await harness.as(ada).get("/me/bids").expect(200);
  expect([mine.body.length, mine.headers["x-total-count"]]).toEqual([1, "1"]);
  const csv = (await harness.as(ada).get("/me/bids.csv").expect(200)).text;
  expect(csv.trim().split("\r\n")).toHaveLength(2);
  const taken = (await harness.as(ada).get("/me/export").expect(200)).body;
  expect(taken.bids.map((bid: { taskId: string }) => bid.taskId)).toEqual([other]);
  const overview = (await harness.as(ada).get("/me/overview").expect(200)).body;
  expect(overview.bidsByDay.at(-1)).toMatchObject({ placed: 1 });
  expectProblem(await harness.as(client).get(`/tasks/${id}/bids`), 404, "task-not-found");
  expectProblem(await harness.as(ada).delete(`/tasks/${id}/bid`), 404, "task-not-found");
  expectProblem(await harness.as(ada).patch(`/tasks/${id}/bid`, { amount: 41 }), 404, "task-not-found");
  expectProblem(await harness.as(ada).patch(`/tasks/${id}/bid`, { amount: 40 }), 404, "task-not-found");
  const { offenders } = await verifyBids(harness.database);
  expect(offenders).toEqual(Object.fromEntries(FINDINGS.map((finding) => [finding, []])));
});
