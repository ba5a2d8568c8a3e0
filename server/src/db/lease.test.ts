import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Db, MongoClient } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testUri } from "../../test/harness.ts";
import { withLease } from "./lease.ts";

const dbName = `test-${randomUUID()}`;
let clients: MongoClient[];
let dbs: Db[];

beforeAll(async () => {
  clients = await Promise.all([1, 2, 3].map(() => MongoClient.connect(testUri())));
  dbs = clients.map((client) => client.db(dbName));
});
afterAll(async () => {
  await dbs[0]?.dropDatabase();
  await Promise.all(clients.map((client) => client.close()));
});

test("When several processes want the lease, and the database is empty, then they work one after another", async () => {
  const order: string[] = [];
  const work = (who: number) => async () => {
    order.push(`${who} begins`);
    await sleep(20);
    order.push(`${who} ends`);
  };
  await Promise.all(dbs.map((db, who) => withLease(db, "one-by-one", work(who))));
  expect(order).toHaveLength(2 * dbs.length);
  for (let at = 0; at < order.length; at += 2) expect(order[at]?.[0]).toBe(order[at + 1]?.[0]);
  expect(await dbs[0]?.collection("leases").countDocuments()).toBe(0);
  expect(await dbs[0]?.listCollections().toArray()).toHaveLength(1);
});

test("When the work takes long, then its lease is renewed before it expires", async () => {
  const [db] = dbs as [Db];
  const until = async () => Number((await db.collection("leases").findOne())?.["until"]);
  const work = async () => {
    const first = await until();
    await expect.poll(until, { interval: 20 }).toBeGreaterThan(first);
  };
  await withLease(db, "long", work, { ttlMs: 2_000 });
});

test("When the holder has crashed, then the lease is free once it expires, and `onWait` is called meanwhile", async () => {
  const [db] = dbs as [Db];
  const leases = db.collection<{ _id: string; holder: string; until: Date }>("leases");
  await leases.insertOne({ _id: "orphan", holder: "dead", until: new Date(Date.now() + 3_600_000) });
  let waited = 0;
  const onWait = () => {
    waited += 1;
    void leases.updateOne({ _id: "orphan" }, { $set: { until: new Date() } });
  };
  await withLease(db, "orphan", async () => undefined, { onWait });
  expect(waited).toBe(1);
});

test("When the work fails, then the lease is released immediately", async () => {
  const [db] = dbs as [Db];
  const failing = withLease(db, "failing", () => Promise.reject(new Error("no index today")));
  await expect(failing).rejects.toThrow("no index today");
  let waited = 0;
  await withLease(db, "failing", async () => undefined, { onWait: () => void waited++ });
  expect(waited).toBe(0);
});
