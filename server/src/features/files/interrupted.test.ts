import { ObjectId } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isStoring, openDyingDatabase } from "../../../test/dying-database.ts";
import { instanceJobs, NO_JOBS, useHarness, usePeople } from "../../../test/index.ts";
import { send } from "../../../test/send-file.ts";
import { serveUploads } from "../../../test/uploads.ts";
import { verifyData } from "../../../tools/lib/verify-data.ts";
import { CONTENT_BUCKET, type Database } from "../../db/client.ts";
import type { JobKinds } from "../../db/jobs.ts";
import { eventJobs } from "../../jobs.ts";
import { fileCheck } from "./check-file.ts";
import { deleteUnused } from "./delete-unused.ts";
import { openStorage } from "./storage.ts";

const harness = useHarness();
const [person] = usePeople("Ida Interrupted");
/** Two chunks, so that one can be missing. */
const content = Buffer.alloc(300_000, "0123456789");
/** The database of an instance that dies. */
let dying: Awaited<ReturnType<typeof openDyingDatabase>>;
beforeAll(async () => {
  dying = await openDyingDatabase(harness, isStoring);
});
afterAll(() => dying.database.close());

const checks = (database: Database): JobKinds => eventJobs({ database });
const sweeps = (database: Database): JobKinds => ({
  "unused-files": { everyMs: 60_000, work: deleteUnused(database, openStorage(database, {})) },
});

/**
 * Has jobs done by an instance that is killed before each command that stores something, and in the end lives.
 * @param prepare what there is to do.
 * @param finish lets another instance do what is left, and checks it.
 * @returns how often it was killed.
 */
async function killEverywhere(
  kinds: (database: Database) => JobKinds,
  at: Date,
  prepare: () => Promise<unknown>,
  finish: () => Promise<void>,
): Promise<number> {
  const { database } = dying;
  for (let kills = 0; ; kills++) {
    await prepare();
    dying.revive(kills);
    await instanceJobs({ ...harness, database }, { at, kinds: kinds(database) }).drainAll();
    const { hadDied } = await dying.kill();
    await finish();
    if (!hadDied) return kills;
  }
}

const later = (minutes: number) => harness.later(minutes * 60_000);
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
  let [id, files] = ["", 0];
  const upload = async () => {
    id = await send(origin, person, "plan.txt", content);
    files += 1;
  };
  const kills = await killEverywhere(checks, harness.clock.now, upload, async () => {
    await finish(checks, 60);
    const { body } = await harness.ok(person).get(`/files/${id}/content`).buffer(true);
    expect(body.equals?.(content) ?? false).toBe(true);
    expect(await verifyData(harness.database.db)).toEqual({});
    expect([await countOf("fileParts"), await countOf(`${CONTENT_BUCKET}.chunks`)]).toEqual([0, 2 * files]);
  });
  expect(kills).toBeGreaterThan(5);
}, 60_000);

test("When an instance is killed at any point of deleting unused files, then another one finishes it", async () => {
  const origin = await serveUploads(harness.instance({ jobs: NO_JOBS }));
  const upload = async () => {
    await harness.clear("files", "jobs", "fileParts");
    for (const name of ["chunks", "files"])
      await harness.database.db.collection(`${CONTENT_BUCKET}.${name}`).deleteMany({});
    await harness.database.jobs.insertOne({
      ...{ _id: "unused-files", kind: "unused-files", subject: "" },
      ...{ dueAt: new Date(0), attempts: 0, stored: 1 },
    });
    await send(origin, person, "plan.txt", content);
    await instanceJobs(harness).drain("file-check");
  };
  const kills = await killEverywhere(sweeps, later(25 * 60), upload, async () => {
    await finish(sweeps, 26 * 60);
    expect(await verifyData(harness.database.db)).toEqual({});
    expect([await countOf("files"), await countOf(`${CONTENT_BUCKET}.chunks`)]).toEqual([0, 0]);
  });
  expect(kills).toBeGreaterThan(3);
}, 60_000);

test("When an upload is cancelled and deleted while it is being checked, then its content is not left over", async () => {
  const id = await send(await serveUploads(harness.instance({ jobs: NO_JOBS })), person, "plan.txt", content);
  const _id = new ObjectId(id);
  const storage = openStorage(harness.database, {});
  const put: typeof storage.put = async (...args) => {
    await harness.database.files.deleteOne({ _id });
    await storage.put(...args);
  };
  const work = fileCheck(harness.database, { ...storage, put }, undefined);
  await instanceJobs(harness, { kinds: { "file-check": { work } } }).drain("file-check");
  expect(await verifyData(harness.database.db)).toEqual({});
});
