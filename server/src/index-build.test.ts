import { randomUUID } from "node:crypto";
import { type Db, MongoClient, ObjectId } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBidDoc } from "../test/builders.ts";
import { testFirebase, testUri } from "../test/harness.ts";
import { type Config, loadConfig } from "./config.ts";
import { openDatabase } from "./db/client.ts";
import { INDEXES } from "./db/indexes.ts";
import { prepareDatabase } from "./db/prepare-database.ts";
import { serve } from "./serve.ts";

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

test("When there are more bids than are indexed before listening, then it is ready once all indexes are built, not before", async () => {
  const bids = Array.from({ length: 5_000 }, () =>
    aBidDoc({ taskId: new ObjectId(), bidderId: randomUUID() }),
  );
  for (const index of INDEXES.bids)
    if (!("unique" in index)) await db.collection("bids").dropIndex(index.name);
  for (let start = 0; start < bids.length; start += 500)
    await db.collection("bids").insertMany(bids.slice(start, start + 500) as never);

  const server = await serve(config);
  try {
    const ready = () => fetch(`${server.url}/ready`);
    const first = await ready();
    expect(first.status).toBe(503);
    expect(await first.json()).toEqual({ status: "not-ready", failing: ["indexes"] });
    await expect.poll(async () => (await ready()).status, { timeout: 15_000 }).toBe(200);
    const database = await openDatabase(mongodb);
    expect(database.hints.complete()).toBe(true);
    await database.close();
  } finally {
    await server.close();
  }
});
