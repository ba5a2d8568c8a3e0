import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { BSON, Double, Int32, MongoClient, ObjectId } from "mongodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { DatabaseAddress } from "../../src/db/client.ts";
import { INDEXES } from "../../src/db/indexes.ts";
import { openStorage } from "../../src/features/files/storage.ts";
import { aBidDoc, aTaskDoc, manyTasks, storeMany, testUri, useHarness } from "../../test/index.ts";
import { type Backup, readBackup } from "./manifest.ts";
import { accountsIn, restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

// Building about thirty indexes takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const SOON = { timeout: 15_000 };

const harness = useHarness();
const work = mkdtempSync(join(tmpdir(), "tasklane-backup-"));
const folder = join(work, "backup");
let backup: Backup;
const ODD_NAME = "fs.files of 2026: a/b";
const client = new MongoClient(testUri());
const targets: DatabaseAddress[] = [];

/** A copy of the backup, to be damaged. */
function copyOfBackup(name: string): string {
  const copy = join(work, name);
  cpSync(folder, copy, { recursive: true });
  return copy;
}

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
  await client.db(harness.address.dbName).collection(ODD_NAME).insertOne({ filename: "terms.pdf" });
  await client.db(harness.address.dbName).collection("restoring_tasks").insertOne({ title: "Half restored" });
  await writeBackup(harness.address, folder, () => ({ users: [] }));
  backup = readBackup(folder);
});

afterAll(async () => {
  for (const { dbName } of targets) await client.db(dbName).dropDatabase();
  await client.close();
  rmSync(work, { recursive: true });
});

test("When a backup is written, then no other user of the machine can read it", () => {
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  expect(modeOf(folder)).toBe(0o700);
  const files = readdirSync(folder).map((file) => [file, modeOf(join(folder, file))]);
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter(([, mode]) => mode !== 0o600)).toEqual([]);
});

test("When a restore was interrupted, then its staged collections are not backed up", () => {
  expect(backup.collections.map(({ name }) => name)).not.toContain("restoring_tasks");
});

test("When a backup is restored, then all documents are identical byte by byte, and all indexes exist", async () => {
  const target = emptyDatabase();
  await restoreBackup(target, backup);
  const names = backup.collections.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      ...["tasks", "bids", "people", "notifications", "reviews", "reports", "meta", "content.chunks"],
      // With a dot, a space, a slash and a colon.
      ODD_NAME,
    ]),
  );
  expect(await hashes(target, names)).toEqual(await hashes(harness.address, names));
  expect(backup.collections.find(({ name }) => name === "tasks")?.documents).toBe(1_201);
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
      await transaction(async () => {
        await bids.insertOne(bid);
        await tasks.updateOne({ _id: task._id }, { $inc: { bidsCount: 1 } });
      });
    }
  })();
  await expect.poll(() => bids.countDocuments({ taskId: task._id }), SOON).toBeGreaterThan(2);
  const busy = join(work, "busy");
  await writeBackup(harness.address, busy).finally(() => {
    writing = false;
  });
  await writer;
  const documentsIn = (name: string) =>
    gunzipSync(readFileSync(join(busy, `${name}.ndjson.gz`)))
      .toString()
      .trim()
      .split("\n")
      .map((line) => BSON.EJSON.parse(line));
  const counted = documentsIn("tasks").find(({ _id }) => task._id.equals(_id))?.bidsCount;
  expect(counted).toBeGreaterThan(0);
  expect(documentsIn("bids").filter(({ taskId }) => task._id.equals(taskId))).toHaveLength(counted);
});

test("When the database is not empty, then only `replace` replaces all that it holds, also for a running instance", async () => {
  const running = harness.instance();
  const newestTitle = async () => (await running.as().get("/tasks?limit=1")).body[0]?.title;
  await expect.poll(() => running.changes.isLive(), SOON).toBe(true);
  const later = await harness.insertTask({ title: "Only until the backup is back" });
  const notInBackup = client.db(harness.address.dbName).collection("later");
  await notInBackup.insertOne({});
  await expect.poll(newestTitle, SOON).toBe(later.title);
  await expect(restoreBackup(harness.address, backup)).rejects.toThrow("is not empty");
  expect(await harness.taskInStore(later._id.toHexString())).not.toBeNull();

  await restoreBackup(harness.address, backup, { replace: true });
  expect(await harness.database.tasks.countDocuments()).toBe(1_201);
  expect(await harness.taskInStore(later._id.toHexString())).toBeNull();
  expect(await notInBackup.countDocuments()).toBe(0);
  // Its cached responses are invalidated.
  await expect.poll(newestTitle, SOON).not.toBe(later.title);
});

test("When a file of a backup is damaged or missing, then nothing is restored", async () => {
  const copy = copyOfBackup("damaged");
  const tasks = join(copy, "tasks.ndjson.gz");
  const intact = readFileSync(tasks);
  const flipped = Buffer.from(intact);
  flipped.writeUInt8(intact.readUInt8(intact.length >> 1) ^ 1, intact.length >> 1);
  const text = gunzipSync(intact).toString();
  const lines = text.split("\n");
  const damages: [damage: string, content: Buffer, expected: RegExp][] = [
    ["a flipped bit", flipped, /tasks.ndjson.gz is damaged/],
    ["cut off", intact.subarray(0, -100), /is damaged \(unexpected end of file\)/],
    ["another checksum", Buffer.concat([intact.subarray(0, -8), Buffer.alloc(8)]), /is damaged \(incorrect/],
    ["no JSON", gzipSync(text.slice(0, -10)), /is damaged/],
    ["a line less", gzipSync(lines.slice(1).join("\n")), /holds 1200 documents instead of 1201/],
  ];
  const target = emptyDatabase();
  for (const [damage, content, expected] of damages) {
    writeFileSync(tasks, content);
    await expect(restoreBackup(target, readBackup(copy)), damage).rejects.toThrow(expected);
  }
  expect(await client.db(target.dbName).collection("tasks").countDocuments()).toBe(0);
  writeFileSync(join(copy, "accounts.json.gz"), "");
  expect(() => accountsIn(readBackup(copy))).toThrow("accounts.json.gz is damaged");
  rmSync(tasks);
  expect(() => readBackup(copy)).toThrow("missing");
});

test("When a manifest names a file outside the backup folder, then it is rejected", () => {
  const crafted = copyOfBackup("crafted");
  const path = join(crafted, "manifest.json");
  const manifest = readFileSync(path, "utf8");
  for (const outside of ["../tasks.ndjson.gz", "..\\\\tasks.ndjson.gz", "C:tasks.ndjson.gz"]) {
    writeFileSync(path, manifest.replace("tasks.ndjson.gz", outside));
    expect(() => readBackup(crafted)).toThrow("tampered");
  }
});

test("When a backup was interrupted, then it is not restored", async () => {
  const interrupted = join(work, "interrupted");
  const writing = writeBackup(harness.address, interrupted, () => {
    throw new Error("interrupted");
  });
  await expect(writing).rejects.toThrow("interrupted");
  expect(readdirSync(interrupted)).toContain("tasks.ndjson.gz");
  expect(() => readBackup(interrupted)).toThrow("is not a complete backup");
});

test("When the backup folder already exists, then the earlier backup is left untouched", async () => {
  await expect(writeBackup(harness.address, folder)).rejects.toThrow("already exists");
  expect(readBackup(folder)).toEqual(backup);
  await expect(writeBackup(harness.address, join(folder, "manifest.json"))).rejects.toThrow("is a file");
});
