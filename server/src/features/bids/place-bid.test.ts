import { MongoClient, ObjectId } from "mongodb";
import { expect, test } from "vitest";
import { bidHelpers } from "../../../test/bid-helpers.ts";
import { aTaskDraft } from "../../../test/builders.ts";
import { expectProblem, useCrowd, useHarness, usePeople } from "../../../test/harness.ts";
import type { Person } from "../../../test/people.ts";

const harness = useHarness();
const CROWD = 10;
const [client, freelancer] = usePeople("Clara Client", "Fred Freelancer");
const crowd = useCrowd(CROWD);

const { bid, bidCounts } = bidHelpers(harness);

test("When the task is deleted while bids arrive, then no bid is left behind", async () => {
  const id = await harness.postTask(client);
  const bids = crowd.map((person) => harness.as(person).patch(`/tasks/${id}/bid`));
  const [deleted, ...responses] = await Promise.all([harness.as(client).delete(`/tasks/${id}`), ...bids]);
  expect(deleted?.body).toEqual({ acknowledged: true, deletedCount: 1 });
  for (const response of responses) expect([200, 404]).toContain(response.status);
  // They are removed after the task was deleted.
  await expect.poll(() => bidCounts(id)).toEqual({ onTask: undefined, bids: 0 });
});

test("When the client has changed the price meanwhile, then a bid on the old version is refused, and one without a condition gets the new price", async () => {
  const id = await harness.postTask(client, { budget: 250 });
  const bidFor = (version: number) =>
    harness.as(freelancer).patch(`/tasks/${id}/bid`).set("If-Match", `"${version}"`);
  await harness
    .as(client)
    .put(`/tasks/${id}`, aTaskDraft({ budget: 90 }))
    .expect(200);
  const response = await bidFor(0);
  expect(expectProblem(response, 412, "changed-meanwhile").version).toBe(1);
  expect(response.headers["etag"]).toBe('"1"');
  expect(await bidCounts(id)).toEqual({ onTask: 0, bids: 0 });
  expect((await bidFor(1).expect(200)).body.modifiedCount).toBe(1);
  // A late copy of the first request finds the existing bid.
  expect((await bidFor(0).expect(200)).body.modifiedCount).toBe(0);
  await harness
    .as(crowd[0] as Person)
    .patch(`/tasks/${id}/bid`)
    .expect(200);
  const bids = await harness.database.bids.find({ taskId: new ObjectId(id) }).toArray();
  expect(bids.map(({ amount }) => amount)).toEqual([90, 90]);
});

test("When a dead instance's transaction still holds a task, then bids on other tasks do not wait for it", async () => {
  const [stuck, other] = [await harness.postTask(client), await harness.postTask(client)];
  const mongo = await MongoClient.connect(harness.address.uri);
  const session = mongo.startSession();
  session.startTransaction();
  const tasks = mongo.db(harness.address.dbName).collection("tasks");
  await tasks.updateOne({ _id: new ObjectId(stuck) }, { $inc: { bidsRevision: 1 } }, { session });
  let isWaiting = true;
  const waiting = harness
    .as(freelancer)
    .patch(`/tasks/${stuck}/bid`)
    .then(({ status }) => {
      isWaiting = false;
      return status;
    });
  for (const person of crowd.slice(0, 3)) await bid(other, person);
  expect(isWaiting).toBe(true);
  await session.abortTransaction();
  expect(await waiting).toBe(200);
  await mongo.close();
});
