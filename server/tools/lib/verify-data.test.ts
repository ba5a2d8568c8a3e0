import { Binary, ObjectId } from "mongodb";
import { beforeEach, expect, test } from "vitest";
import { CONTENT_BUCKET } from "../../src/db/client.ts";
import type { BidDoc } from "../../src/db/documents/bids.ts";
import type { PersonDoc } from "../../src/db/documents/people.ts";
import type { TaskDoc } from "../../src/db/documents/tasks.ts";
import {
  aBidDoc,
  aDelivery,
  aFileDoc,
  anAwardOf,
  aPersonDoc,
  aReviewDoc,
  aTaskDoc,
  useHarness,
} from "../../test/index.ts";
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
  await harness.clear("tasks", "bids", "people", "reviews", "deletions");
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

test("When a task has another rating than its client's, in half stars, then that is found", async () => {
  const { people, tasks } = harness.database;
  await people.insertOne(aPersonDoc({ _id: "rated", rating: { average: 4.75, count: 4 } }));
  const [wrong, missing] = [4, undefined].map((clientRating) => aTaskDoc({ ownerId: "rated", clientRating }));
  await tasks.insertMany([wrong, missing, aTaskDoc({ ownerId: "rated", clientRating: 4.5 })] as TaskDoc[]);
  const found = (await verify()).tasksWithWrongRating;
  expect(found?.sort()).toEqual([wrong, missing].map((task) => String(task?._id)).sort());
});

test("When there are very many offenders, then their number in the result is limited", async () => {
  await harness.database.tasks.insertMany(
    Array.from({ length: MAX_OFFENDERS + 20 }, () => aTaskDoc({ bidsCount: 7 })),
  );
  expect((await verify()).tasksWithWrongCount).toHaveLength(MAX_OFFENDERS);
});

test("When a stored rating or the stored jobs are not those of the reviews and tasks, then that is found, but not of accounts that are being deleted", async () => {
  const { people, reviews, tasks, deletions, bids: bidding } = harness.database;
  const won = aBid(awarded._id, "right", { amount: 90 });
  await bidding.insertOne(won);
  const ended = { state: "completed", award: anAwardOf(won) } as const;
  await tasks.insertMany([
    aTaskDoc({ ...ended, category: "Writing" }),
    aTaskDoc({ ...ended, category: "Design", award: { ...ended.award, amount: 40 } }),
    aTaskDoc({ ...ended, state: "awarded", award: { ...ended.award, amount: 7 } }),
  ]);
  const of = { subjectId: "right" };
  await reviews.insertMany([aReviewDoc({ ...of, stars: 4 }), aReviewDoc({ ...of, stars: 1, shown: false })]);
  const rating = { average: 4, count: 1 };
  const jobs = { count: 2, categories: ["Design", "Writing"], from: 40, to: 90 } satisfies PersonDoc["jobs"];
  await people.insertMany([
    aPersonDoc({ _id: "right", rating, jobs }),
    aPersonDoc({ _id: "idle" }),
    aPersonDoc({ _id: "rated", rating }),
    aPersonDoc({ _id: "working", jobs }),
    aPersonDoc({ _id: "leaving", jobs }),
  ]);
  const at = new Date();
  await deletions.insertOne({ _id: "leaving", at, until: at, alias: "former-1", finishedAt: null });
  const found = await verifyData(harness.database.db, ["peopleWithWrongFigures"]);
  expect(found).toEqual({ peopleWithWrongFigures: ["rated", "working"] });
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
