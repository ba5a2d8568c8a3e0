import { type CommandStartedEvent, MongoClient, ObjectId } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testUri, useHarness, usePeople } from "../../../test/harness.ts";
import { instanceJobs, NO_JOBS } from "../../../test/run-jobs.ts";
import { send, serveUploads } from "../../../test/uploads.ts";
import { CONTENT_BUCKET, type Database, openDatabase } from "../../db/client.ts";
import type { JobKinds } from "../../db/jobs.ts";
import { strayFiles } from "../../db/verify-data.ts";
import { eventJobs } from "../../jobs.ts";
import { fileCheck } from "./check-file.ts";
import { deleteUnused } from "./delete-unused.ts";
import { openStorage } from "./storage.ts";

const harness = useHarness();
const [person] = usePeople("Ida Interrupted");
const content = Buffer.alloc(600_000, "0123456789");
let admin: MongoClient;
/** The database of an instance that dies after so many commands, again and again. */
let dying: Database;
const life = { after: 0, commands: 0, isDead: false, sessions: new Map<string, object>() };
beforeAll(async () => {
  admin = await MongoClient.connect(testUri());
  dying = await openDatabase(harness.address, {
    onCommand({ commandName, command: { lsid } }: CommandStartedEvent) {
      if (commandName === "endSessions") return;
      life.isDead ||= life.commands === life.after;
      if (life.isDead) throw new Error("the instance is dead");
      life.commands += 1;
      if (lsid) life.sessions.set(lsid.id.toString("hex"), lsid);
    },
  });
});
afterAll(async () => {
  await dying.close();
  await admin.close();
});

const checks = (database: Database): JobKinds => eventJobs({ database });
const sweeps = (database: Database): JobKinds => ({
  "unused-files": { everyMs: 60_000, work: deleteUnused(database, openStorage(database, {})) },
});

/**
 * Runs jobs on an instance of which no command reaches the database after so many, as if its process had been killed.
 * @returns whether it was still working then.
 */
async function runAndKill(
  kinds: (database: Database) => JobKinds,
  after: number,
  at: Date,
): Promise<boolean> {
  life.sessions.clear();
  Object.assign(life, { after, commands: 0, isDead: false });
  await instanceJobs({ ...harness, database: dying }, { at, kinds: kinds(dying) }).drainAll();
  const wasWorking = life.isDead;
  life.isDead = true;
  // As the database does by itself after a minute.
  if (life.sessions.size > 0) await admin.db("admin").command({ killSessions: [...life.sessions.values()] });
  return wasWorking;
}

const later = (minutes: number) => new Date(harness.clock.now.getTime() + minutes * 60_000);
/** Another instance does what is left. What the transaction of a killed one still locks is tried again a little later. */
async function finish(kinds: (database: Database) => JobKinds, minutes: number): Promise<void> {
  const unfinished = { $or: [{ holder: { $exists: true } }, { error: { $exists: true } }] };
  let turn = 0;
  do
    await instanceJobs(harness, {
      at: later(minutes + turn * 30),
      kinds: kinds(harness.database),
    }).drainAll();
  while (turn++ < 10 && (await harness.database.jobs.countDocuments(unfinished)) > 0);
}

const countOf = (name: string) => harness.database.db.collection(name).countDocuments();

test("When an instance is killed at any point of checking a file, then another one finishes it, and no byte is lost or left over", async () => {
  const origin = await serveUploads(harness.instance({ jobs: NO_JOBS }));
  let points = 0;
  for (let isWorking = true; isWorking; points++) {
    const id = await send(origin, person, "plan.txt", content);
    isWorking = await runAndKill(checks, points, harness.clock.now);
    await finish(checks, 60);
    const { body } = await harness.as(person).get(`/files/${id}/content`).buffer(true).expect(200);
    expect(body.equals?.(content) ?? false).toBe(true);
    expect(await strayFiles(harness.database)).toEqual(NOTHING);
    expect([await countOf("fileParts"), await countOf(`${CONTENT_BUCKET}.chunks`)]).toEqual([
      0,
      3 * (points + 1),
    ]);
  }
  expect(points).toBeGreaterThan(8);
}, 60_000);

test("When an instance is killed at any point of deleting unused files, then another one finishes it", async () => {
  const day = later(25 * 60);
  const origin = await serveUploads(harness.instance({ jobs: NO_JOBS }));
  let points = 0;
  for (let isWorking = true; isWorking; points++) {
    await harness.clear("files", "jobs", "fileParts");
    for (const name of ["chunks", "files"])
      await harness.database.db.collection(`${CONTENT_BUCKET}.${name}`).deleteMany({});
    await harness.database.jobs.insertOne({
      ...{ _id: "unused-files", kind: "unused-files", subject: "" },
      ...{ dueAt: new Date(0), attempts: 0, stored: 1 },
    });
    await send(origin, person, "plan.txt", content);
    await instanceJobs(harness).drain("file-check");
    isWorking = await runAndKill(sweeps, points, day);
    await finish(sweeps, 26 * 60);
    expect(await strayFiles(harness.database)).toEqual(NOTHING);
    expect([await countOf("files"), await countOf(`${CONTENT_BUCKET}.chunks`)]).toEqual([0, 0]);
  }
  expect(points).toBeGreaterThan(6);
}, 60_000);

test("When an upload is cancelled and deleted while it is being checked, then its content is not left over", async () => {
  const { app } = harness.instance({ jobs: NO_JOBS });
  const id = await send(await serveUploads({ app }), person, "plan.txt", content);
  const _id = new ObjectId(id);
  const storage = openStorage(harness.database, {});
  const put: typeof storage.put = async (...args) => {
    await harness.database.files.deleteOne({ _id });
    await storage.put(...args);
  };
  const work = fileCheck(harness.database, { ...storage, put }, undefined);
  await instanceJobs(harness, { kinds: { "file-check": { work } } }).drain("file-check");
  expect(await strayFiles(harness.database)).toEqual(NOTHING);
});

const NOTHING = { filesWithoutContent: [], contentWithoutFile: [], partsWithoutUpload: [] };
