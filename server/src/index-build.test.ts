import { randomUUID } from "node:crypto";
import { type Db, MongoClient, ObjectId } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBidDoc } from "../test/builders.ts";
import { testFirebase, testUri } from "../test/harness.ts";
import { type Config, loadConfig } from "./config.ts";
import { openDatabase } from "./db/client.ts";
import { INDEXES } from "./db/indexes.ts";
import { prepareDatabase } from "./db/prepare-database.ts";
import { type RunningServer, serve } from "./serve.ts";

const mongodb = { uri: testUri(), dbName: `test-${randomUUID()}` };
const { emulatorHost, projectId } = testFirebase();
const environment = {
  ...{ MONGODB_URI: mongodb.uri, FIREBASE_AUTH_EMULATOR_HOST: emulatorHost, FIREBASE_PROJECT_ID: projectId },
  ...{ PORT: "0", LOG_LEVEL: "silent" },
};
const config: Config = { ...loadConfig(environment), mongodb };
let mongo: MongoClient;
let db: Db;

beforeAll(async () => {
  mongo = await MongoClient.connect(mongodb.uri);
  db = mongo.db(mongodb.dbName);
  await prepareDatabase(mongodb);
});
afterAll(async () => {
  await db.dropDatabase();
  await mongo.close();
});

const readiness = async ({ url }: RunningServer) => (await fetch(`${url}/ready`)).status;
const untilReady = (server: RunningServer) =>
  expect.poll(() => readiness(server), { timeout: 15_000 }).toBe(200);

test("When a collection is too large to be indexed before listening, then the server is ready only once all indexes are built", async () => {
  const bids = Array.from({ length: 5_000 }, () =>
    aBidDoc({ taskId: new ObjectId(), bidderId: randomUUID() }),
  );
  for (const index of INDEXES.bids)
    if (!("unique" in index)) await db.collection("bids").dropIndex(index.name);
  for (let start = 0; start < bids.length; start += 500)
    await db.collection("bids").insertMany(bids.slice(start, start + 500) as never);

  const server = await serve(config);
  try {
    const first = await fetch(`${server.url}/ready`);
    expect(first.status).toBe(503);
    expect(await first.json()).toMatchObject({ status: "not-ready", failing: ["indexes"] });
    await untilReady(server);
    const database = await openDatabase(mongodb);
    expect(database.hints.complete()).toBe(true);
    await database.close();
  } finally {
    await server.close();
  }
});

test("When an index differs from its declaration, or is dropped while the server runs, then the server is ready and works without it", async () => {
  const tasks = db.collection("tasks");
  await tasks.dropIndex("newest");
  await tasks.createIndex({ createdAt: 1 }, { name: "newest" });
  const server = await serve(config);
  try {
    await untilReady(server);
    await tasks.dropIndex("featured");
    for (const path of ["/tasks?limit=5", "/tasks/featuretasks"])
      expect((await fetch(server.url + path)).status).toBe(200);
    expect(await readiness(server)).toBe(200);
  } finally {
    await server.close();
    await tasks.dropIndex("newest");
    await prepareDatabase(mongodb);
  }
});
