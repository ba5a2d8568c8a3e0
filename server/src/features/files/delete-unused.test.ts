import type { ObjectId } from "mongodb";
import { expect, test, vi } from "vitest";
import { useHarness, usePeople } from "../../../test/harness.ts";
import { send } from "../../../test/send-file.ts";
import { serveUploads, upload } from "../../../test/uploads.ts";
import { FILE_LIMITS } from "../../contract/index.ts";
import { CONTENT_BUCKET } from "../../db/client.ts";
import type { Work } from "../../db/jobs.ts";
import { deleteUnused } from "./delete-unused.ts";
import { openStorage } from "./storage.ts";

const harness = useHarness();
const [person] = usePeople("Una Uploader");
const MB = 1_000_000;

/** What the server does every minute. */
function sweep(storage = openStorage(harness.database, {})) {
  const { database, clock } = harness;
  const work = deleteUnused(database, storage);
  return work({ now: clock.now, signal: new AbortController().signal } as Parameters<Work>[0]);
}
/** How many files, parts of unfinished uploads and pieces of content are stored. */
async function stored() {
  const { files, fileParts, db } = harness.database;
  const chunks = db.collection(`${CONTENT_BUCKET}.chunks`);
  return Promise.all([files, fileParts, chunks].map((each) => each.estimatedDocumentCount()));
}

test("When a task is deleted, then its files are", async () => {
  const { _id } = await upload(harness, person, "brief.pdf");
  const id = await harness.postTask(person, { files: [_id] } as object);
  await sweep();
  expect(await stored()).toEqual([1, 0, 1]);
  await harness.ok(person).delete(`/tasks/${id}`);
  await sweep();
  expect(await stored()).toEqual([0, 0, 0]);
});

test("When nothing uses a file for a day, then it is deleted with its bytes, also if only a part of it has arrived", async () => {
  await upload(harness, person, "unused.txt");
  const kept = await upload(harness, person, "kept.txt");
  await harness.postTask(person, { files: [kept._id] } as object);
  const half = send(await serveUploads(harness), person, "half", Buffer.alloc(2 * MB), {
    chunkSize: MB,
    onChunkComplete: () => {
      throw new Error("the browser was closed");
    },
  });
  await expect(half).rejects.toThrow("the browser was closed");
  expect(await stored()).toEqual([3, 1, 2]);
  harness.advance(FILE_LIMITS.hours * 3_600_000 + 1_000);
  await sweep();
  expect(await stored()).toEqual([1, 0, 1]);
  expect(await harness.database.files.findOne()).toMatchObject({ name: "kept.txt" });
});

test("When the content of one file cannot be deleted, then the others are, and the run fails, so that it is repeated", async () => {
  const stuck = await upload(harness, person, "stuck.txt");
  await upload(harness, person, "unused.txt");
  harness.advance(FILE_LIMITS.hours * 3_600_000 + 1_000);
  const storage = openStorage(harness.database, {});
  const remove = vi.fn(async (id: ObjectId) => {
    if (id.toHexString() === stuck._id) throw new Error("locked");
    await storage.remove(id);
  });
  await expect(sweep({ ...storage, remove })).rejects.toThrow("could not be deleted yet");
  const left = await harness.database.files.find({ state: "unused" }).toArray();
  expect(left.map(({ name }) => name)).toEqual(["stuck.txt"]);
  await sweep();
  expect(await harness.database.files.countDocuments({ state: "unused" })).toBe(0);
});
