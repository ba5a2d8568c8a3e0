import { randomUUID } from "node:crypto";
import { type Db, MongoClient } from "mongodb";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { testUri } from "../../test/harness.ts";
import { manyTasks } from "../../test/many-tasks.ts";
import { type DatabaseAddress, openDatabase } from "./client.ts";
import { INDEXES } from "./indexes.ts";
import { buildIndexes, prepareDatabase } from "./prepare-database.ts";

const uri = testUri();
let client: MongoClient;
let address: DatabaseAddress;
let db: Db;
const lines: { level: string; text: unknown; indexes?: unknown }[] = [];
const note = (level: string) => (details: object, text: unknown) =>
  void lines.push({ level, text, ...details });
const log = { info: note("info"), warn: note("warn") } as never;

beforeAll(async () => {
  client = await MongoClient.connect(uri);
});
beforeEach(async () => {
  address = { uri, dbName: `test-${randomUUID()}` };
  db = client.db(address.dbName);
  expect(await prepareDatabase(address, { log })).toBe(false);
  lines.length = 0;
});
afterEach(() => db.dropDatabase());
afterAll(() => client.close());

const names = async (collection: string) =>
  (await db.collection(collection).indexes()).map(({ name }) => name);
const declared = (collection: "tasks" | "bids") => ["_id_", ...INDEXES[collection].map(({ name }) => name)];

test("When the database is new, then it gets the declared indexes; when it is prepared again, then nothing happens", async () => {
  expect(await names("tasks")).toEqual(declared("tasks"));
  expect(await names("bids")).toEqual(declared("bids"));
  expect(await prepareDatabase(address, { log })).toBe(false);
  expect(lines).toEqual([]);
});

test("When there are undeclared or different indexes, then that is logged and nothing is dropped", async () => {
  const tasks = db.collection("tasks");
  await tasks.createIndex({ budget: 1 }, { name: "by-hand" });
  // MongoDB creates this one when the collection is sharded.
  await tasks.createIndex({ _id: "hashed" });
  await tasks.dropIndex("newest");
  await tasks.createIndex({ createdAt: 1 }, { name: "newest" });
  await tasks.dropIndex("featured");
  await tasks.createIndex({ bidsCount: -1, deadline: 1, _id: 1 }, { name: "featured", sparse: true });
  await prepareDatabase(address, { log });
  expect(lines).toEqual([
    { level: "warn", text: "undeclared indexes", collection: "tasks", indexes: ["by-hand"] },
    {
      level: "warn",
      text: "indexes differ from their declaration",
      collection: "tasks",
      indexes: ["newest", "featured"],
    },
  ]);
  expect(await names("tasks")).toEqual(expect.arrayContaining(["by-hand", "newest", "featured"]));
});

test("When a declared key exists under another name, then that is logged and the other indexes are created", async () => {
  const tasks = db.collection("tasks");
  await tasks.dropIndexes();
  await tasks.createIndex(INDEXES.tasks[0].key, { name: "other-name" });
  await prepareDatabase(address, { log });
  expect(lines.map(({ text }) => text)).toContain("an index conflicts with an existing one");
  expect(await names("tasks")).toContain("featured");
});

test("When a collection is large, then only unique indexes are built immediately, and reads do without the others meanwhile", async () => {
  await db.collection("tasks").insertMany(manyTasks(30));
  await db.collection("tasks").dropIndexes();
  await db.collection("bids").dropIndex("one-per-freelancer");
  expect(await prepareDatabase(address, { log, waitUpTo: 20 })).toBe(true);
  expect(await names("tasks")).toEqual(["_id_"]);
  expect(await names("bids")).toContain("one-per-freelancer");

  const database = await openDatabase(address);
  try {
    const used: unknown[] = [];
    const read = () => database.hints.using("tasks", "newest", async ({ hint }) => void used.push(hint));
    await read();
    await buildIndexes(address, log);
    await database.hints.refresh();
    await read();
    expect(used).toEqual([undefined, "newest"]);
    expect(await names("tasks")).toEqual(declared("tasks"));
  } finally {
    await database.close();
  }
});

test("When an index is dropped by hand while the server runs, then reads continue without it", async () => {
  await db.collection("tasks").insertMany(manyTasks(30));
  const database = await openDatabase(address);
  try {
    await db.collection("tasks").dropIndex("newest");
    const read = () =>
      database.hints.using("tasks", "newest", (hint) =>
        database.readTasks({
          filter: {},
          sort: { createdAt: -1, _id: -1 },
          limit: 100,
          projection: { _id: 1 },
          maxTimeMS: 4_000,
          ...hint,
        }),
      );
    expect(await read()).toHaveLength(30);
    expect(await read()).toHaveLength(30);
  } finally {
    await database.close();
  }
});
