import { MongoClient, ObjectId } from "mongodb";
import { beforeAll, expect, test } from "vitest";
import {
  aTaskDraft,
  bidHelpers,
  expectProblem,
  type Instance,
  type Person,
  useCrowd,
  useHarness,
  usePeople,
} from "../../../test/index.ts";
import { verifyData } from "../../../tools/lib/verify-data.ts";

// A race may end in any order, but always as if one operation had run after the other; so each is run several times.
const ROUNDS = 3;
const CROWD = 12;
const harness = useHarness();
const { bid, bidId, bidCounts, notificationKinds } = bidHelpers(harness);
let other: Instance;
const [client, ada, ben] = usePeople("Clara Client", "Ada", "Ben");
const crowd = useCrowd(CROWD);

beforeAll(() => {
  other = harness.instance();
});

/** Alternates between two instances of the server. */
const by = (number: number, person: Person) => (number % 2 === 0 ? harness : other).as(person);
const state = async (id: string) => (await harness.taskInStore(id))?.state ?? "open";

async function withBids(...bidders: Person[]): Promise<string> {
  const id = await harness.postTask(client);
  for (const person of bidders) await bid(id, person, { amount: 10 });
  return id;
}

/** Checks that no bid, count or award in the database contradicts another. */
async function expectSound(): Promise<void> {
  expect(await verifyData(harness.database.db)).toEqual({});
}

test("When many people bid at the same moment, then each bid counts once and the client is notified of each", async () => {
  const id = await harness.postTask(client);
  const responses = await Promise.all(
    crowd.map((person, number) => by(number, person).patch(`/tasks/${id}/bid`, { amount: number + 1 })),
  );
  expect(responses.map(({ status, body }) => [status, body.modifiedCount])).toEqual(
    Array(CROWD).fill([200, 1]),
  );
  expect(await bidCounts(id)).toEqual({ onTask: CROWD, bids: CROWD });
  expect(await notificationKinds(client, id)).toEqual(Array(CROWD).fill("new-bid"));
  await expectSound();
});

test("When a task is awarded to two bidders, then one is hired and notified, and the other is declined", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const id = await withBids(ada, ben);
    const bids = [await bidId(id, ada), await bidId(id, ben)];
    const responses = await Promise.all(
      bids.map((bidId, number) => by(number, client).post(`/tasks/${id}/award`, { bidId })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    const won = responses.findIndex(({ status }) => status === 200);
    const [winner, loser] = won === 0 ? [ada, ben] : [ben, ada];
    expectProblem(responses[1 - won] as never, "wrong-state");
    expect((await harness.taskInStore(id))?.award).toMatchObject({ freelancerId: winner.uid });
    expect([await notificationKinds(winner, id), await notificationKinds(loser, id)]).toEqual([
      ["awarded"],
      ["declined"],
    ]);
    expect(await bidCounts(id)).toEqual({ onTask: 2, bids: 2 });
  }
  await expectSound();
});

test("When a bid is awarded while it is withdrawn, then either its freelancer is hired or the bid is gone, never both", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const id = await withBids(ada, ben);
    const body = { bidId: await bidId(id, ada) };
    const [awarded, withdrawn] = await Promise.all([
      by(round, client).post(`/tasks/${id}/award`, body),
      by(round + 1, ada).delete(`/tasks/${id}/bid`),
    ]);
    const hired = awarded.status === 200;
    if (hired) expectProblem(withdrawn, "wrong-state");
    else {
      expectProblem(awarded, "bid-not-found");
      expect(withdrawn.body.deletedCount).toBe(1);
    }
    expect(await state(id)).toBe(hired ? "awarded" : "open");
    expect(await bidCounts(id)).toEqual(hired ? { onTask: 2, bids: 2 } : { onTask: 1, bids: 1 });
    expect(await notificationKinds(ada, id)).toEqual(hired ? ["awarded"] : []);
    expect(await notificationKinds(ben, id)).toEqual(hired ? ["declined"] : []);
    expect(await notificationKinds(client, id)).toEqual([
      "new-bid",
      "new-bid",
      ...(hired ? [] : ["bid-withdrawn"]),
    ]);
  }
  await expectSound();
});

test("When a bid is awarded while it is changed, then the award has the same amount as the bid", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const id = await withBids(ada);
    const body = { bidId: await bidId(id, ada) };
    const [awarded, changed] = await Promise.all([
      by(round, client).post(`/tasks/${id}/award`, body),
      by(round + 1, ada).patch(`/tasks/${id}/bid`, { amount: 99 }),
    ]);
    expect(awarded.status).toBe(200);
    const before = changed.status === 200;
    if (!before) expectProblem(changed, "task-not-open");
    const stored = await harness.database.bids.findOne({ taskId: new ObjectId(id) });
    expect(stored).toMatchObject({ amount: before ? 99 : 10 });
    expect((await harness.taskInStore(id))?.award?.amount).toBe(stored?.amount);
    expect(await notificationKinds(client, id)).toEqual(["new-bid", ...(before ? ["bid-changed"] : [])]);
  }
  await expectSound();
});

test("When the price changes while people bid, then a conditional bid has the old price or is refused, and bidders at the old price are notified", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const id = await harness.postTask(client, { budget: 250 });
    const [saved, seen, clicked] = await Promise.all([
      by(round, client).put(`/tasks/${id}`, aTaskDraft({ budget: 90 })),
      by(round, ada).patch(`/tasks/${id}/bid`).set("If-Match", '"0"'),
      by(round + 1, ben).patch(`/tasks/${id}/bid`),
    ]);
    expect([saved.status, clicked.status]).toEqual([200, 200]);
    if (seen.status !== 200) expectProblem(seen, "changed-meanwhile");
    const bids = await harness.database.bids.find({ taskId: new ObjectId(id) }).toArray();
    const amountOf = ({ uid }: Person) => bids.find(({ bidderId }) => bidderId === uid)?.amount;
    expect(amountOf(ada)).toBe(seen.status === 200 ? 250 : undefined);
    for (const person of [ada, ben]) {
      const kinds = await notificationKinds(person, id);
      if (amountOf(person) === 250) expect(kinds).toEqual(["task-changed"]);
      // Who bids at the new price in the millisecond of the change may be notified, too.
      else expect(["", "task-changed"]).toContain(kinds.join());
    }
  }
  await expectSound();
});

test("When a task is deleted while it is awarded, then it is either gone with its bids or awarded", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const id = await withBids(ada, ben);
    const body = { bidId: await bidId(id, ada) };
    const [deleted, awarded] = await Promise.all([
      by(round, client).delete(`/tasks/${id}`),
      by(round + 1, client).post(`/tasks/${id}/award`, body),
    ]);
    const gone = deleted.status === 200;
    if (gone) expectProblem(awarded, "task-not-found");
    else expectProblem(deleted, "task-kept");
    expect(await bidCounts(id)).toEqual(gone ? { onTask: undefined, bids: 0 } : { onTask: 2, bids: 2 });
    expect(await notificationKinds(ada, id)).toEqual([gone ? "task-deleted" : "awarded"]);
    expect(await notificationKinds(ben, id)).toEqual([gone ? "task-deleted" : "declined"]);
  }
  await expectSound();
});

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
    harness.as(ada).patch(`/tasks/${id}/bid`).set("If-Match", `"${version}"`);
  await harness.ok(client).put(`/tasks/${id}`, aTaskDraft({ budget: 90 }));
  const response = await bidFor(0);
  expect(expectProblem(response, "changed-meanwhile").version).toBe(1);
  expect(response.headers["etag"]).toBe('"1"');
  expect(await bidCounts(id)).toEqual({ onTask: 0, bids: 0 });
  expect((await bidFor(1).expect(200)).body.modifiedCount).toBe(1);
  // A late copy of the first request finds the existing bid.
  expect((await bidFor(0).expect(200)).body.modifiedCount).toBe(0);
  await harness.ok(crowd[0] as Person).patch(`/tasks/${id}/bid`);
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
    .as(ada)
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
