import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { BSON, Double, Int32, MongoClient, ObjectId } from "mongodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { DatabaseAddress } from "../../src/db/client.ts";
import { INDEXES } from "../../src/db/indexes.ts";
import { openStorage } from "../../src/features/files/storage.ts";
import { aBidDoc, aTaskDoc, manyTasks, storeMany, testUri, useHarness } from "../../test/index.ts";
import { TOOLS } from "../lib/paths.ts";
import { type Backup, readBackup } from "./manifest.ts";
import { restoreBackup } from "./restore-backup.ts";
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
  backup = await readBackup(folder);
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

test("When a byte of a backup has changed, or a file is missing, then the backup is rejected", async () => {
  const damaged = copyOfBackup("damaged");
  const file = join(damaged, "tasks.ndjson.gz");
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  await expect(readBackup(damaged)).rejects.toThrow("damaged");
  rmSync(file);
  await expect(readBackup(damaged)).rejects.toThrow("missing");
});

test("When a manifest names a file outside the backup folder, then it is rejected", async () => {
  const crafted = copyOfBackup("crafted");
  const path = join(crafted, "manifest.json");
  const manifest = readFileSync(path, "utf8");
  for (const outside of ["../tasks.ndjson.gz", "..\\\\tasks.ndjson.gz", "C:tasks.ndjson.gz"]) {
    writeFileSync(path, manifest.replace("tasks.ndjson.gz", outside));
    await expect(readBackup(crafted)).rejects.toThrow("tampered");
  }
});

test("When a backup is interrupted, then nothing of it stays", async () => {
  const interrupted = join(work, "interrupted");
  const child = spawn(process.execPath, [join(TOOLS, "bootstrap.mjs"), "backup", interrupted], {
    env: { ...process.env, MONGODB_URI: "mongodb://127.0.0.1:1/nowhere" },
  });
  const ended = once(child, "exit");
  await expect.poll(() => existsSync(`${interrupted}.partial`), SOON).toBe(true);
  child.kill("SIGINT");
  await ended;
  expect(readdirSync(work).filter((name) => name.startsWith("interrupted"))).toEqual([]);
});

test("When the backup folder already exists, then the earlier backup is left untouched", async () => {
  await expect(writeBackup(harness.address, folder)).rejects.toThrow("already exists");
  expect(existsSync(`${folder}.partial`)).toBe(false);
  await expect(readBackup(folder)).resolves.toEqual(backup);
});
