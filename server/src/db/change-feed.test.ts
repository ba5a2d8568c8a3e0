import { randomUUID } from "node:crypto";
import { type Db, MongoClient } from "mongodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testUri } from "../../test/harness.ts";
import { type Change, type ChangeFeed, openChangeFeed } from "./change-feed.ts";

const address = { uri: testUri(), dbName: `test-${randomUUID()}` };
let client: MongoClient;
let db: Db;
let feed: ChangeFeed;
const warnings: unknown[] = [];
const log = { warn: (...line: unknown[]) => void warnings.push(line.at(-1)) };

beforeAll(async () => {
  client = await MongoClient.connect(address.uri);
  db = client.db(address.dbName);
  await db.createCollection("tasks");
  feed = openChangeFeed(address, log);
  await vi.waitUntil(feed.isLive, { timeout: 5_000 });
});

afterAll(async () => {
  await feed.close();
  await db.dropDatabase();
  await client.close();
});

test("When a task is written, then the feed reports its id and the kind of write", async () => {
  const reported: (Change | undefined)[] = [];
  const end = feed.onChange((change) => void reported.push(change));
  const tasks = db.collection("tasks");
  const { insertedId: _id } = await tasks.insertOne({ bidsCount: 0 });
  await tasks.updateOne({ _id }, { $inc: { bidsCount: 1 } });
  await tasks.deleteOne({ _id });
  await expect.poll(() => reported).toHaveLength(3);
  end();
  const operations = ["insert", "update", "delete"];
  expect(reported).toEqual(
    operations.map((operation) => ({ collection: "tasks", operation, id: _id.toHexString() })),
  );
});

test("When the feed breaks, then it logs that once, reports that changes may be missed, and again once it is live", async () => {
  const states: boolean[] = [];
  const end = feed.onChange((change) => {
    if (!change) states.push(feed.isLive());
  });
  await db.collection("tasks").insertOne({ title: "before" });
  warnings.length = 0;
  await db.dropDatabase();
  await expect.poll(() => states.at(-1), { timeout: 5_000 }).toBe(false);
  await expect.poll(() => states.at(-1), { timeout: 5_000 }).toBe(true);
  end();
  let reported = false;
  feed.onChange(() => (reported = true));
  await db.collection("tasks").insertOne({ title: "after" });
  await expect.poll(() => reported).toBe(true);
  expect(warnings).toHaveLength(1);
});

test("When the database cannot be reached, then the feed is not live, and closes", async () => {
  const lost = openChangeFeed({ uri: "mongodb://127.0.0.1:1/?replicaSet=none", dbName: "x" }, log);
  expect(lost.isLive()).toBe(false);
  await lost.close();
});

test("When notifications are written and read, then the feed reports their recipient, and does not report their emails", async () => {
  const reported: (Change | undefined)[] = [];
  const end = feed.onChange((change) => void reported.push(change));
  const notifications = db.collection("notifications");
  const { insertedId } = await notifications.insertOne({ recipientId: "ada", readAt: null });
  await notifications.updateOne({ _id: insertedId }, { $set: { mail: { attempts: 1 } } });
  await notifications.updateOne({ _id: insertedId }, { $set: { readAt: new Date(), readBy: "ada" } });
  await expect.poll(() => reported).toHaveLength(2);
  end();
  expect(reported).toEqual([
    {
      collection: "notifications",
      operation: "insert",
      notification: { _id: insertedId, recipientId: "ada", readAt: null },
    },
    { collection: "notifications", operation: "read", recipientId: "ada" },
  ]);
});

test("When two people open another conversation, then the feed does not report their existing ones", async () => {
  const reported: (Change | undefined)[] = [];
  const end = feed.onChange((change) => void reported.push(change));
  const conversations = db.collection("conversations");
  const { insertedId: _id } = await conversations.insertOne({ count: 0 });
  await conversations.updateOne({ _id }, { $inc: { pairRevision: 1 } });
  await conversations.updateOne({ _id }, { $inc: { count: 1 } });
  await db.collection("tasks").insertOne({ title: "Heard after them" });
  await expect.poll(() => reported.at(-1)).toMatchObject({ collection: "tasks" });
  end();
  const change = { collection: "conversations", id: _id.toHexString() };
  expect(reported.slice(0, -1)).toEqual([change, change]);
});
