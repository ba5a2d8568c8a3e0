import { randomUUID } from "node:crypto";
import { type Db, MongoClient, ObjectId } from "mongodb";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { aTaskDoc, type Person, signUp, useHarness } from "../../test/index.ts";
import type { DatabaseAddress } from "./client.ts";
import type { TaskDoc } from "./documents/tasks.ts";
import { INDEXES } from "./indexes.ts";
import { migrate, rulesOf, SCHEMA_VERSION } from "./migrate.ts";

const harness = useHarness();
let db: Db;
let ada: Person;
const lines: unknown[] = [];
const log = { info: (_details: object, text: unknown) => void lines.push(text) } as never;

beforeAll(async () => {
  db = harness.database.tasks.db;
  ada = await signUp({ name: "Ada" });
});
beforeEach(() => void lines.splice(0));

const names = async (collection: string) =>
  (await db.collection(collection).indexes()).map(({ name }) => name);
const NEWEST = { createdAt: -1, _id: -1, deadline: 1, state: 1, hidden: 1, budget: 1 };
const declared = (collection: "tasks" | "bids") => ["_id_", ...INDEXES[collection].map(({ name }) => name)];

/** Works on a database of its own that is dropped afterwards. */
async function inNewDatabase(work: (address: DatabaseAddress, fresh: Db) => Promise<void>): Promise<void> {
  const address = { ...harness.address, dbName: `test-${randomUUID()}` };
  const client = await MongoClient.connect(address.uri);
  const fresh = client.db(address.dbName);
  await work(address, fresh).finally(() => fresh.dropDatabase());
  await client.close();
}

test("When two instances migrate an empty database, then it gets the declared indexes, and another start changes nothing", () =>
  inNewDatabase(async (address, fresh) => {
    await Promise.all([migrate(address), migrate(address)]);
    for (const name of ["tasks", "bids"] as const)
      expect((await fresh.collection(name).indexes()).map((index) => index.name)).toEqual(declared(name));
    await migrate(address, log);
    expect(lines).toEqual([]);
  }));

test("When indexes are missing or differ, then they are built anew, and undeclared ones stay", async () => {
  const tasks = db.collection("tasks");
  await tasks.createIndex({ budget: 1 }, { name: "by-hand" });
  for (const name of ["newest", "featured", "by-budget"]) await tasks.dropIndex(name);
  await tasks.createIndex({ createdAt: 1 }, { name: "newest" });
  await tasks.createIndex({ bidsCount: -1, deadline: 1, _id: 1 }, { name: "featured", sparse: true });
  await tasks.createIndex(NEWEST, { name: "another name" });
  await migrate(harness.address, log);
  expect((await names("tasks")).sort()).toEqual([...declared("tasks"), "by-hand"].sort());
  const found = await tasks.indexes();
  expect(found.find(({ name }) => name === "newest")?.key).toEqual(NEWEST);
  await tasks.dropIndex("by-hand");
});

test("When an instance of the previous version starts again, then the newer rules and indexes stay", () =>
  inNewDatabase(async (address, fresh) => {
    await migrate(address, log, SCHEMA_VERSION + 1);
    await fresh.collection("tasks").dropIndex("newest");
    await migrate(address, log);
    const { validator, validationLevel, validationAction } = rulesOf("tasks", SCHEMA_VERSION + 1);
    const found = await fresh.listCollections({ name: "tasks" }, { nameOnly: false }).next();
    expect(found).toMatchObject({ options: { validator, validationLevel, validationAction } });
    expect((await fresh.collection("tasks").indexes()).map(({ name }) => name)).not.toContain("newest");
    expect(new Set(lines)).toEqual(new Set(["a newer version's rules and indexes stay"]));
  }));

test("When a new version requires a field, then tasks and searches stored before can still be bid on, edited and paused", async () => {
  const { tasks, savedSearches } = harness.database;
  for (const name of ["tasks", "savedSearches"]) await db.command({ collMod: name, validator: {} });
  const { showEmail: _, ...task } = aTaskDoc();
  await tasks.insertOne(task as never);
  const { body } = await harness
    .ok(ada)
    .post("/me/searches", { name: "Logos", search: "logo", mail: "never" });
  await savedSearches.updateMany({}, { $unset: { createdAt: "" } });
  await migrate(harness.address);
  await expect(tasks.insertOne({ ...task, _id: new ObjectId() } as never)).rejects.toThrow("validation");

  await harness.ok(ada).patch(`/tasks/${task._id}/bid`);
  await harness.ok(ada).patch(`/me/searches/${body.insertedId}`, { paused: true });
});

const refused = { code: 121 };

test("When a task matches its declaration, then it is accepted; otherwise it is rejected", async () => {
  const { tasks } = harness.database;
  await tasks.insertOne(aTaskDoc({ state: "awarded", hidden: true, showEmail: false }));
  const wrong: object[] = [
    { title: "" },
    { title: "x".repeat(121) },
    { title: { $ne: "" } },
    { title: ["a"] },
    { category: "Gardening" },
    { deadline: new Date() },
    { deadline: "soon" },
    { budget: "450" },
    { budget: -1 },
    { budget: Number.POSITIVE_INFINITY },
    { budget: Number.NaN },
    { bidsCount: 1.5 },
    { bidsCount: -1 },
    { ownerId: 5 },
    { clientImage: "javascript:alert(1)" },
    { createdAt: "today" },
    { state: "expired" },
    { hidden: 1 },
    { award: { freelancerId: "grace" } },
    { isAdmin: true },
  ];
  for (const fields of wrong) {
    const doc = { ...aTaskDoc(), ...fields } as TaskDoc;
    await expect(tasks.insertOne(doc), JSON.stringify(fields)).rejects.toMatchObject(refused);
  }
  const { ownerId: _gone, ...ownerless } = aTaskDoc();
  await expect(tasks.insertOne(ownerless as TaskDoc)).rejects.toMatchObject(refused);
  const { _id } = await harness.insertTask({});
  const planted = { $set: { "award.password": "x" } };
  await expect(tasks.updateOne({ _id }, planted as object)).rejects.toMatchObject(refused);
  await expect(tasks.updateOne({ _id }, { $inc: { bidsCount: -1 } })).rejects.toMatchObject(refused);
});

test("When somebody has removed the rules, then the next start restores them", async () => {
  const { tasks } = harness.database;
  await db.command({ collMod: "tasks", validator: {}, validationLevel: "off" });
  const old = { ...aTaskDoc(), legacy: true } as TaskDoc;
  await tasks.insertOne(old);
  await migrate(harness.address, log);
  expect(lines).toEqual(["document rules set"]);
  // What was stored without the rules can still be changed.
  await tasks.updateOne({ _id: old._id }, { $set: { title: "Saved" } });
  await expect(tasks.insertOne({ ...aTaskDoc(), legacy: true } as TaskDoc)).rejects.toMatchObject(refused);
  await migrate(harness.address, log);
  expect(lines).toHaveLength(1);
});
