import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Double, Int32, MongoClient, ObjectId } from "mongodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { DatabaseAddress } from "../../src/db/client.ts";
import { collectionsOf } from "../../src/db/collections.ts";
import { INDEXES } from "../../src/db/indexes.ts";
import { openStorage } from "../../src/features/files/storage.ts";
import { aBidDoc, aTaskDoc } from "../../test/builders.ts";
import { testFirebase, testUri, useHarness } from "../../test/harness.ts";
import { manyTasks, storeMany } from "../../test/many-tasks.ts";
import { preventDemoData, seedDemoData } from "../start/demo.ts";
import { readBackup } from "./manifest.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

// Building about thirty indexes takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const SOON = { timeout: 15_000 };

const harness = useHarness();
const work = mkdtempSync(join(tmpdir(), "tasklane-backup-"));
const backup = join(work, "backup");
const client = new MongoClient(testUri());
const targets: DatabaseAddress[] = [];

function emptyDatabase(): DatabaseAddress {
  const address = { uri: testUri(), dbName: `restored-${randomUUID()}` };
  targets.push(address);
  return address;
}

/** MongoDB's own hash of each non-empty collection: equal only if all documents are identical byte by byte. */
async function hashes(
  { dbName }: DatabaseAddress,
  names: readonly string[],
): Promise<Record<string, string>> {
  const { collections } = await client.db(dbName).command({ dbHash: 1, collections: names });
  return collections as Record<string, string>;
}

beforeAll(async () => {
  const { tasks, bids } = harness.database;
  await storeMany(tasks, manyTasks(1_200));
  const task = aTaskDoc({ title: "Zeilen\u2028Umbruch\u2029und\u0085 😀", bidsCount: 1 });
  await tasks.insertOne(task);
  await bids.insertOne(aBidDoc({ taskId: task._id, amount: 12.5 }));
  const meta = client.db(harness.address.dbName).collection("meta");
  await meta.insertOne({ whole: new Int32(5), real: new Double(5), at: new Date(0), none: null });
  await openStorage(harness.database, {}).put(new ObjectId(), Buffer.alloc(1_000_000, "content"));
  await writeBackup(harness.address, backup);
});

afterAll(async () => {
  for (const { dbName } of targets) await client.db(dbName).dropDatabase();
  await client.close();
  rmSync(work, { recursive: true });
});

test("When a backup is written, then no other user of the machine can read it", async () => {
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  const readable = join(work, "readable");
  await writeBackup(harness.address, readable, () => ({ users: [] }));
  expect(modeOf(readable)).toBe(0o700);
  const files = readdirSync(readable).map((file) => [file, modeOf(join(readable, file))]);
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter(([, mode]) => mode !== 0o600)).toEqual([]);
});

test("When a backup is restored, then all documents are identical byte by byte, and all indexes exist", async () => {
  const target = emptyDatabase();
  const manifest = await restoreBackup(target, backup);
  const names = manifest.collections.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      "tasks",
      "bids",
      "people",
      "notifications",
      "reviews",
      "reports",
      "meta",
      "content.chunks",
    ]),
  );
  expect(await hashes(target, names)).toEqual(await hashes(harness.address, names));
  expect(manifest.collections.find(({ name }) => name === "tasks")?.documents).toBe(1_201);
  for (const name of ["tasks", "bids"] as const) {
    const indexes = await client.db(target.dbName).collection(name).indexes();
    expect(indexes.map((index) => index.name).sort()).toEqual(
      ["_id_", ...INDEXES[name].map((index) => index.name)].sort(),
    );
  }
});

test("When the database is written to during a backup, then the backup is a consistent snapshot of bids and counts", async () => {
  const { tasks, bids, transaction } = harness.database;
  const task = aTaskDoc();
  await tasks.insertOne(task);
  let writing = true;
  const writer = (async () => {
    while (writing) {
      const bid = aBidDoc({ taskId: task._id, bidderId: new ObjectId().toHexString() });
      await transaction(async (session) => {
        await bids.insertOne(bid, { session });
        await tasks.updateOne({ _id: task._id }, { $inc: { bidsCount: 1 } }, { session });
      });
    }
  })();
  await expect.poll(() => bids.countDocuments({ taskId: task._id }), SOON).toBeGreaterThan(2);
  await writeBackup(harness.address, join(work, "busy")).finally(() => {
    writing = false;
  });
  await writer;
  const target = emptyDatabase();
  await restoreBackup(target, join(work, "busy"));
  const restored = collectionsOf(client.db(target.dbName));
  const counted = (await restored.tasks.findOne({ _id: task._id }))?.bidsCount;
  expect(counted).toBeGreaterThan(0);
  expect(await restored.bids.countDocuments({ taskId: task._id })).toBe(counted);
});

test("When the database is not empty, then it is replaced only with `replace`", async () => {
  const target = emptyDatabase();
  await restoreBackup(target, backup);
  const { tasks } = collectionsOf(client.db(target.dbName));
  const later = aTaskDoc({ title: "Posted after the backup" });
  await tasks.insertOne(later);
  await expect(restoreBackup(target, backup)).rejects.toThrow("is not empty");
  expect(await tasks.countDocuments()).toBe(1_202);

  await restoreBackup(target, backup, { replace: true });
  expect(await tasks.countDocuments()).toBe(1_201);
  expect(await tasks.findOne({ _id: later._id })).toBeNull();
});

test("When a backup is restored under a running instance, then its cached responses are invalidated", async () => {
  const running = harness.instance();
  await expect.poll(() => running.changes.isLive(), SOON).toBe(true);
  const task = await harness.insertTask({ title: "Only until the backup is back" });
  await expect
    .poll(async () => (await running.as().get("/tasks?limit=1")).body[0]?.title, SOON)
    .toBe(task.title);
  await restoreBackup(harness.address, backup, { replace: true });
  await expect
    .poll(async () => (await running.as().get("/tasks?limit=1")).body[0]?.title, SOON)
    .not.toBe(task.title);
});

test("When demo data is kept out of a restored database, then a start with demo data adds nothing to it", async () => {
  const target = emptyDatabase();
  await restoreBackup(target, backup);
  await preventDemoData(target);
  const uri = new URL(target.uri);
  uri.pathname = target.dbName;
  const { emulatorHost } = testFirebase();
  const projectId = `demo-${randomUUID()}`;
  expect(await seedDemoData({ mongoUri: uri.href, emulatorHost, projectId })).toBe(0);
  expect(await collectionsOf(client.db(target.dbName)).tasks.countDocuments()).toBe(1_201);
});

test("When a restore was interrupted, then its staged collections are not backed up", async () => {
  const loaded = client.db(harness.address.dbName).collection("restoring_tasks");
  await loaded.insertOne({ title: "Of last week's backup" });
  const { collections } = await writeBackup(harness.address, join(work, "interrupted"));
  await loaded.drop();
  expect(collections.map(({ name }) => name)).not.toContain("restoring_tasks");
});

test("When a byte of a backup has changed, then nothing is restored", async () => {
  const damaged = join(work, "damaged");
  await writeBackup(harness.address, damaged);
  const file = join(damaged, "tasks.ndjson.gz");
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  const target = emptyDatabase();
  await expect(restoreBackup(target, damaged)).rejects.toThrow("damaged");
  expect(await client.db(target.dbName).listCollections().toArray()).toEqual([]);
  rmSync(file);
  await expect(readBackup(damaged)).rejects.toThrow("missing");
});

test("When a collection's name has a dot, a space, a slash or a colon, then it is restored too", async () => {
  const other = client.db(harness.address.dbName).collection("fs.files of 2026: a/b");
  await other.insertOne({ filename: "terms.pdf" });
  const folder = join(work, "other-names");
  await writeBackup(harness.address, folder);
  await other.drop();
  const target = emptyDatabase();
  await restoreBackup(target, folder);
  expect(await client.db(target.dbName).collection(other.collectionName).countDocuments()).toBe(1);
});

test("When a manifest names a file outside the backup folder, then it is rejected", async () => {
  const crafted = join(work, "crafted");
  await writeBackup(harness.address, crafted);
  const path = join(crafted, "manifest.json");
  const manifest = readFileSync(path, "utf8");
  for (const outside of ["../tasks.ndjson.gz", "..\\\\tasks.ndjson.gz", "C:tasks.ndjson.gz"]) {
    writeFileSync(path, manifest.replace("tasks.ndjson.gz", outside));
    await expect(readBackup(crafted)).rejects.toThrow("tampered");
  }
});

test("When the backup folder already exists, then the earlier backup is left untouched", async () => {
  await expect(writeBackup(harness.address, backup)).rejects.toThrow("already exists");
  expect(existsSync(`${backup}.partial`)).toBe(false);
  await expect(readBackup(backup)).resolves.toBeDefined();
});
