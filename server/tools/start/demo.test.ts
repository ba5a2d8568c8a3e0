import { randomUUID } from "node:crypto";
import { MongoClient } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collectionsOf } from "../../src/db/collections.ts";
import { testFirebase, testUri } from "../../test/harness.ts";
import { verifyData } from "../lib/verify-data.ts";
import { seedDemoData } from "./demo.ts";
import { preventDemoData } from "./demo-marker.ts";

const uri = new URL(testUri());
uri.pathname = `/demo-${randomUUID()}`;
const client = new MongoClient(uri.href);
// Other tests load the demo accounts, too, at the same time.
const firebase = { ...testFirebase(), projectId: `demo-${randomUUID()}` };
const load = (mayEmpty = true) => seedDemoData({ mongoUri: uri.href, ...firebase, mayEmpty });
const meta = client.db().collection<{ _id: string; startedAt: Date }>("meta");

// The first start was interrupted, after it had loaded something.
beforeAll(async () => {
  await meta.insertOne({ _id: "demo-data", startedAt: new Date() });
  await client.db().collection("tasks").insertOne({ title: "Half of it" });
});
afterAll(async () => {
  await client.db().dropDatabase();
  await client.close();
});

test("When loading was interrupted, then only an embedded database is emptied and loaded anew", {
  timeout: 240_000,
}, async () => {
  await expect(load(false)).rejects.toThrow("interrupted");
  expect(await load()).toBe(72);
});

test("When the demo data is loaded, then there is something to explore, and bids, counts and awards agree", async () => {
  const database = collectionsOf(client.db());
  expect(await verifyData(client.db())).toEqual({});
  expect(await database.tasks.countDocuments()).toBe(72);
  expect(await database.tasks.countDocuments({ award: { $exists: true } })).toBe(8);
  expect(await database.bids.countDocuments()).toBe(195);
  const unread = await database.notifications.countDocuments({ readAt: null });
  expect(unread).toBeGreaterThan(10);
  expect(await database.notifications.countDocuments({ readAt: { $ne: null } })).toBeGreaterThan(unread);
  expect(await database.files.countDocuments({ state: "ready", "place.kind": "task" })).toBe(2);
  for (const name of ["questions", "reviews", "savedTasks", "savedSearches", "messages", "reports"] as const)
    expect(await client.db().collection(name).countDocuments(), name).toBeGreaterThan(2);
});

test("When the demo data was loaded, then it is not loaded again", async () => {
  await collectionsOf(client.db()).tasks.deleteMany({ category: "Design" });
  expect(await load()).toBe(0);
  expect(await collectionsOf(client.db()).tasks.countDocuments()).toBeLessThan(72);
});

test("When demo data is kept out of a restored database, then a start with demo data adds nothing to it", async () => {
  const restored = new URL(uri);
  restored.pathname += "-restored";
  const db = client.db(restored.pathname.slice(1));
  await preventDemoData({ uri: restored.href, dbName: db.databaseName });
  expect(await seedDemoData({ mongoUri: restored.href, ...firebase })).toBe(0);
  expect(await collectionsOf(db).tasks.countDocuments()).toBe(0);
  await db.dropDatabase();
});
