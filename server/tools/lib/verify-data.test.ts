import { Binary, ObjectId } from "mongodb";
import { beforeEach, expect, test } from "vitest";
import { CONTENT_BUCKET } from "../../src/db/client.ts";
import type { BidDoc } from "../../src/db/documents/bids.ts";
import type { TaskDoc } from "../../src/db/documents/tasks.ts";
import { aBidDoc, aDelivery, aFileDoc, anAwardOf, aTaskDoc } from "../../test/builders.ts";
import { useHarness } from "../../test/harness.ts";
import { type Finding, MAX_OFFENDERS, verifyData } from "./verify-data.ts";

const harness = useHarness();
const verify = () => verifyData(harness.database.db);
let awarded: TaskDoc;
let bids: BidDoc[];

function aBid(taskId: ObjectId, bidderId: string, fields: Partial<BidDoc> = {}): BidDoc {
  const bidder = { bidderId, bidderName: bidderId, bidderEmail: `${bidderId}@people.example` };
  return aBidDoc({ taskId, ...bidder, ...fields });
}

beforeEach(async () => {
  const { tasks, bids: bidding } = harness.database;
  await harness.clear("tasks", "bids");
  const [open, idle] = [aTaskDoc({ bidsCount: 3 }), aTaskDoc({})];
  awarded = aTaskDoc({ state: "awarded", bidsCount: 2 });
  const winner = aBid(awarded._id, "ada");
  bids = [winner, aBid(awarded._id, "ben"), ...["ada", "ben", "eve"].map((name) => aBid(open._id, name))];
  await tasks.insertMany([open, idle, { ...awarded, award: anAwardOf(winner) }]);
  await bidding.insertMany(bids);
});

test("When the data is consistent, then nothing is found", async () => {
  expect(await verify()).toEqual({});
});

/** Changes the awarded task. @returns its id. */
const change = (update: object) => async () => {
  await harness.database.tasks.updateOne({ _id: awarded._id }, update);
  return awarded._id;
};
const FAULTS: [Finding, () => Promise<ObjectId>][] = [
  ["tasksWithWrongCount", change({ $inc: { bidsCount: 1 } })],
  ["deliveriesOutOfPlace", change({ $set: { state: "delivered" } })],
  ["deliveriesOutOfPlace", change({ $set: { delivery: aDelivery() } })],
  ["awardsOnOpenTasks", change({ $set: { state: "open" } })],
  ["bidsWithoutTask", async () => (await harness.database.bids.insertOne(aBidDoc())).insertedId],
  [
    "awardedTasksWithoutAward",
    async () => (await harness.database.tasks.insertOne(aTaskDoc({ state: "completed" }))).insertedId,
  ],
  [
    "awardsWithoutTheirBid",
    async () => {
      await harness.database.bids.deleteOne({ _id: bids[0]?._id as ObjectId });
      return change({ $inc: { bidsCount: -1 } })();
    },
  ],
];

test.each(FAULTS)("When %s are planted, then only that is found, with its id", async (finding, plant) => {
  const id = await plant();
  expect(await verify()).toEqual({ [finding]: [String(id)] });
});

test("When somebody has a second bid because the index was missing, then it is found", async () => {
  await harness.database.bids.dropIndex("one-per-freelancer");
  const second = aBid(awarded._id, "ben");
  await harness.database.bids.insertOne(second);
  await harness.database.tasks.updateOne({ _id: awarded._id }, { $inc: { bidsCount: 1 } });
  expect(await verify()).toEqual({ secondBids: [expect.any(String)] });
  await harness.database.bids.deleteOne({ _id: second._id });
  await harness.database.bids.createIndex(
    { taskId: 1, bidderId: 1 },
    { name: "one-per-freelancer", unique: true },
  );
});

test("When there are very many offenders, then their number in the result is limited", async () => {
  await harness.database.tasks.insertMany(
    Array.from({ length: MAX_OFFENDERS + 20 }, () => aTaskDoc({ bidsCount: 7 })),
  );
  expect((await verify()).tasksWithWrongCount).toHaveLength(MAX_OFFENDERS);
});

test("When files lack their content, or contents and parts their file, then they are found", async () => {
  const { files, fileParts, db } = harness.database;
  await harness.clear("files", "fileParts");
  const [whole, lost, stray, part] = [aFileDoc(), aFileDoc(), new ObjectId(), new ObjectId()];
  await files.insertMany([whole, lost]);
  const contents = db.collection(`${CONTENT_BUCKET}.files`);
  await contents.insertMany([{ _id: whole._id }, { _id: stray }]);
  await fileParts.insertOne({
    _id: new ObjectId(),
    fileId: part,
    offset: 0,
    bytes: new Binary(Buffer.from("a")),
  });
  expect(await verify()).toEqual({
    filesWithoutContent: [String(lost._id)],
    contentWithoutFile: [String(stray)],
    partsWithoutUpload: [String(part)],
  });
});
