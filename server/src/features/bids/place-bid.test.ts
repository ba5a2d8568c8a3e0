import { MongoServerError, ObjectId } from "mongodb";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { aTaskDraft, inDays, testStart } from "../../../test/builders.ts";
import { expectProblem, useCrowd, useHarness, usePeople } from "../../../test/harness.ts";
import type { Person } from "../../../test/people.ts";
import { updateResponseSchema } from "../../contract/index.ts";
import { dailyLimit } from "../../db/daily-limit.ts";
import { RequestContext, RequestExpired, runInRequest } from "../../db/transaction.ts";
import { bidPlacer } from "./place-bids.ts";

const harness = useHarness();
const CROWD = 10;
const [client, freelancer] = usePeople("Clara Client", "Fred Freelancer");
const crowd = useCrowd(CROWD);

beforeEach(() => {
  harness.clock.now = testStart.at;
});

/** The number of bids as counted in the task, and as stored. */
async function counts(id: string) {
  const bids = await harness.database.bids.countDocuments({ taskId: new ObjectId(id) });
  return { onTask: (await harness.taskInStore(id))?.bidsCount, bids };
}

describe("PATCH /tasks/:id/bid", () => {
  test("When a freelancer bids twice, then the first bid counts, and the second changes nothing", async () => {
    const id = await harness.postTask(client);
    const bid = async () =>
      updateResponseSchema.parse((await harness.as(freelancer).patch(`/tasks/${id}/bid`)).body);
    expect(await bid()).toEqual({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });
    expect(await bid()).toEqual({ acknowledged: true, matchedCount: 1, modifiedCount: 0 });
    expect(await counts(id)).toEqual({ onTask: 1, bids: 1 });
    expect(await harness.database.bids.findOne({ taskId: new ObjectId(id) })).toMatchObject({
      bidderId: freelancer.uid,
      bidderName: freelancer.name,
      bidderEmail: freelancer.email,
    });
  });

  test("When the task is deleted while bids arrive, then no bid is left behind", async () => {
    const id = await harness.postTask(client);
    const bids = crowd.map((person) => harness.as(person).patch(`/tasks/${id}/bid`));
    const [deleted, ...responses] = await Promise.all([harness.as(client).delete(`/tasks/${id}`), ...bids]);
    expect(deleted?.body).toEqual({ acknowledged: true, deletedCount: 1 });
    for (const response of responses) expect([200, 404]).toContain(response.status);
    // The announcer removes them after the task was deleted.
    await expect.poll(() => counts(id)).toEqual({ onTask: undefined, bids: 0 });
  });

  test("When first bids, changes, repeats and refused bids arrive at the same moment, then each gets its own outcome", async () => {
    const [id, hidden] = [await harness.postTask(client), await harness.postTask(client)];
    await harness.database.tasks.updateOne({ _id: new ObjectId(hidden) }, { $set: { hidden: true } });
    await harness.as(freelancer).patch(`/tasks/${id}/bid`, { amount: 7 }).expect(200);
    const bid = (person: Person | undefined, task: string, amount?: number) =>
      harness.as(person).patch(`/tasks/${task}/bid`, { ...(amount && { amount }) });
    const responses = await Promise.all([
      // This one runs alone; the others form one batch.
      bid(crowd[0], id),
      bid(crowd[1], id, 9),
      bid(crowd[1], id, 9),
      bid(freelancer, id, 8),
      bid(client, id, 5),
      bid(crowd[2], hidden),
      bid(crowd[3], "c".repeat(24)),
    ]);
    expect(responses.map(({ body }) => body.modifiedCount ?? body.code)).toEqual([
      1,
      ...(responses[1]?.body.modifiedCount === 1 ? [1, 0] : [0, 1]),
      1,
      "own-task",
      "task-not-found",
      "task-not-found",
    ]);
    expect(await counts(id)).toEqual({ onTask: 3, bids: 3 });
    expect(await counts(hidden)).toEqual({ onTask: 0, bids: 0 });
  });

  test("When a bid is changed, then nothing tries to insert a second one", async () => {
    const id = await harness.postTask(client);
    await harness.as(freelancer).patch(`/tasks/${id}/bid`).expect(200);
    const writes = vi.spyOn(harness.database.bids, "bulkWrite");
    await harness.as(freelancer).patch(`/tasks/${id}/bid`, { amount: 8 }).expect(200);
    expect(
      writes.mock.calls.flatMap(([operations]) => operations.flatMap((each) => Object.keys(each))),
    ).toEqual(["replaceOne"]);
    writes.mockRestore();
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
    expect(await counts(id)).toEqual({ onTask: 0, bids: 0 });
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

  test("When the deadline day ends in UTC, then bids are accepted until midnight and not after", async () => {
    const deadline = inDays(2);
    const id = await harness.postTask(client, { deadline });
    harness.clock.now = new Date(`${deadline}T23:59:59.999Z`);
    await harness.as(freelancer).patch(`/tasks/${id}/bid`).expect(200);
    harness.clock.now = new Date(`${inDays(3)}T00:00:00.000Z`);
    expectProblem(await harness.as(crowd[0]).patch(`/tasks/${id}/bid`), 409, "task-expired");
    expect(await counts(id)).toEqual({ onTask: 1, bids: 1 });
  });

  test("When bids from before and after midnight (UTC) form one batch, then all are judged and counted on the new day", async () => {
    const [ends, open] = [
      await harness.postTask(client, { deadline: inDays(1) }),
      await harness.postTask(client),
    ];
    const before = new Date(`${inDays(1)}T23:59:59.999Z`);
    const after = new Date(`${inDays(2)}T00:00:00.001Z`);
    const limit = dailyLimit(harness.database, "bids", 5);
    const placing = () => {
      const placer = bidPlacer(harness.database, limit);
      return (at: number, task: string, now: Date) =>
        placer(task, { ...(crowd[at] as Person), loggedInAt: now, tokenExpiresAt: now }, {}, { now });
    };
    const placed = { changed: true };
    // The first bid of a new placer runs alone; the others form one batch.
    let place = placing();
    expect(await Promise.all([place(0, open, after), place(1, open, after), place(2, ends, before)])).toEqual(
      [placed, placed, { refused: "task-expired" }],
    );
    place = placing();
    expect(await Promise.all([place(3, open, after), place(4, open, before), place(5, open, after)])).toEqual(
      [placed, placed, placed],
    );
    const uids = crowd.slice(3, 6).map(({ uid }) => uid);
    expect([...(await limit.left(uids, inDays(2))).values()]).toEqual([4, 4, 4]);
    expect(await counts(open)).toEqual({ onTask: 5, bids: 5 });
  });

  test("When one bid of a batch has lost its idempotency record because the account was deleted, then the others still count", async () => {
    const id = await harness.postTask(client);
    const place = bidPlacer(harness.database, dailyLimit(harness.database, "bids", 5));
    const now = testStart.at;
    const own = { _id: new ObjectId(), holder: new ObjectId() };
    const bid = (at: number, context = new RequestContext()) =>
      runInRequest(context, () =>
        place(id, { ...(crowd[at] as Person), loggedInAt: now, tokenExpiresAt: now }, {}, { now }),
      );
    const lost = Object.assign(new RequestContext(), { record: { own, takeOutcome: () => undefined } });
    // The first bid of a new placer runs alone; the others form one batch.
    const [, refused, ...placed] = await Promise.allSettled([bid(0), bid(1, lost), bid(2), bid(3)]);
    expect(refused).toMatchObject({ status: "rejected", reason: expect.any(RequestExpired) });
    expect(placed).toEqual(Array(2).fill({ status: "fulfilled", value: { changed: true } }));
    expect(await counts(id)).toEqual({ onTask: 3, bids: 3 });
  });

  test("When one bid of a batch cannot be stored, then the others still count", async () => {
    const id = await harness.postTask(client);
    const place = bidPlacer(harness.database, dailyLimit(harness.database, "bids"));
    const now = testStart.at;
    const bid = (at: number, more: object = {}) =>
      place(id, { ...(crowd[at] as Person), loggedInAt: now, tokenExpiresAt: now, ...more }, {}, { now });
    // The first bid of a new placer runs alone; the others form one batch.
    const broken = { picture: `https://pictures.example/${"x".repeat(2_000)}` };
    const [, refused, ...placed] = await Promise.allSettled([bid(0), bid(1, broken), bid(2), bid(3)]);
    expect(refused).toMatchObject({ status: "rejected", reason: expect.any(MongoServerError) });
    expect(placed).toEqual(Array(2).fill({ status: "fulfilled", value: { changed: true } }));
    expect(await counts(id)).toEqual({ onTask: 3, bids: 3 });
  });
});
