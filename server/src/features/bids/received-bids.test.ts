import { type Document, ObjectId } from "mongodb";
import { beforeAll, describe, expect, test } from "vitest";
import {
  aBidDoc,
  anAwardOf,
  aPersonDoc,
  aReviewDoc,
  bidHelpers,
  expectProblem,
  type Person,
  runJobs,
  useHarness,
  usePeople,
} from "../../../test/index.ts";
import {
  BID_SORTS,
  BID_STATES,
  type BidSort,
  EMPTY_PROFILE,
  type MyBid,
  type ReceivedBid,
} from "../../contract/index.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import { formerMemberId } from "../../domain/notify.ts";
import { anonymizeBids, anonymizeTasks } from "../account-data/anonymize-work.ts";
import { deletionStore } from "../account-data/deletions.ts";
import { bidPlaceOf, planReceivedBids } from "./list-bids.ts";

const harness = useHarness();
const { bid, bidId, award, move, triage, notificationKinds } = bidHelpers(harness);
const [client, ada, ben, eve] = usePeople("Clara Client", "Ada", "Ben", "Eve");
let task: string;
let docs: BidDoc[];

beforeAll(async () => {
  task = await harness.postTask(client, { budget: 100 });
  docs = Array.from({ length: 60 }, (_, number) => aBid(task, number));
  // Bids on another task, which must not be read.
  const strangers = Array.from({ length: 400 }, (_, number) => aBid("c".repeat(24), number));
  await harness.database.bids.insertMany([...docs, ...strangers]);
  await harness.setTask(task, { bidsCount: docs.length });
});

/** Amounts, days and creation times repeat, and some bids have no days. */
function aBid(taskId: string, number: number): BidDoc {
  return aBidDoc({
    taskId: new ObjectId(taskId),
    bidderId: `freelancer-${number}`,
    bidderName: `Freelancer ${number}`,
    bidderEmail: `f${number}@people.example`,
    amount: number % 7 === 0 ? 100 : 50 + (number % 9) * 10,
    ...(number % 4 !== 0 && { days: 1 + (number % 5) }),
    ...(number % 3 === 0 && { state: "shortlisted" }),
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, number % 11)),
  });
}

async function all(query: string): Promise<ReceivedBid[]> {
  return (await harness.pages<ReceivedBid>(`/tasks/${task}/bids?${query}`, client)).flat();
}

const text = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const ORDERS: Record<BidSort, (a: ReceivedBid, b: ReceivedBid) => number> = {
  newest: (a, b) => text(b.createdAt, a.createdAt) || text(b._id, a._id),
  "amount-asc": (a, b) => a.amount - b.amount || text(a._id, b._id),
  "amount-desc": (a, b) => b.amount - a.amount || text(b._id, a._id),
  "days-asc": (a, b) => (a.days ?? 999) - (b.days ?? 999) || text(a._id, b._id),
};

describe("GET /tasks/:id/bids", () => {
  test.each(BID_SORTS)(
    "When the client pages through all bids by %s, then each comes once, in order",
    async (sort) => {
      const found = await all(`sort=${sort}&limit=7`);
      expect(new Set(found.map(({ _id }) => _id)).size).toBe(docs.length);
      expect(found).toEqual([...found].sort(ORDERS[sort]));
    },
  );

  test("When the list is filtered by state, then only those bids are returned and counted, in any order", async () => {
    const response = await harness.ok(client).get(`/tasks/${task}/bids?state=shortlisted&limit=5`);
    expect(response.headers["x-total-count"]).toBe("20");
    for (const sort of BID_SORTS) {
      const found = await all(`state=placed&limit=9&sort=${sort}`);
      expect([found.length, new Set(found.map(({ state }) => state))]).toEqual([40, new Set(["placed"])]);
    }
    expect(await all("state=awarded")).toEqual([]);
  });

  test("When bidders have reviews, a profile and completed jobs, then their bids say so", async () => {
    const bidderId = "freelancer-5";
    const stars = [5, 4, 2].map((given) => aReviewDoc({ subjectId: bidderId, stars: given }));
    await harness.database.reviews.insertMany(stars);
    await harness.database.people.insertOne(
      aPersonDoc({ _id: bidderId, profile: { ...EMPTY_PROFILE, headline: "Foxes", skills: ["Ink"] } }),
    );
    for (const state of ["completed", "completed", "awarded"] as const)
      await harness.insertTask({ state, award: anAwardOf(aBidDoc({ bidderId })) });
    const found = await all("sort=newest");
    const of = (uid: string) => found.find(({ freelancerId }) => freelancerId === uid);
    expect(of(bidderId)).toMatchObject({
      ...{ rating: { average: 11 / 3, count: 3 }, jobsCompleted: 2 },
      ...{ headline: "Foxes", skills: ["Ink"] },
    });
    expect(of("freelancer-4")).toMatchObject({ rating: { average: null, count: 0 }, jobsCompleted: 0 });
    expect(of("freelancer-4")).not.toHaveProperty("headline");
  });

  test("When a page is read in any order and state, then an index provides the order and few other bids are read", async () => {
    for (const sort of BID_SORTS) {
      for (const state of [undefined, ...BID_STATES]) {
        for (const after of [undefined, bidPlaceOf(docs[30] as BidDoc, sort)]) {
          const { ranges, index: hint } = planReceivedBids({
            taskId: new ObjectId(task),
            state,
            sort,
            after,
          });
          for (const range of ranges) {
            const plan = await harness.database.bids
              .find(range.filter, { sort: range.sort, hint, limit: 6 })
              .explain("executionStats");
            const stages = JSON.stringify(plan["queryPlanner"].winningPlan);
            expect(stages, `${sort} ${state}`).not.toMatch(/COLLSCAN|"SORT"/);
            expect(
              (plan["executionStats"] as Document)["totalDocsExamined"],
              `${sort} ${state}`,
            ).toBeLessThanOrEqual(12);
          }
        }
      }
    }
  });
});

describe("PATCH /tasks/:id/bids/:bidId", () => {
  test("When the client declines a bid, then its freelancer knows nothing for a minute, and nothing at all if that is undone meanwhile", async () => {
    const id = await harness.postTask(client, { title: "Pause" });
    for (const person of [ada, ben]) {
      await bid(id, person);
      await triage(id, client, person, "declined");
    }
    await triage(id, client, ben, "placed");
    const notifyAfter = (seconds: number) => runJobs(harness, harness.later(seconds * 1_000));
    const seenBy = async (person: Person) => {
      const body = await harness.read(`/tasks/${id}`, person);
      const list = async (state: string) => {
        const listed: MyBid[] = await harness.read(`/me/bids?state=${state}`, person);
        return listed.filter(({ task }) => task._id === id).length;
      };
      const exported = (await harness.read("/me/export", person)).bids as { taskId: string; state: string }[];
      const inExport = exported.find(({ taskId }) => taskId === id)?.state;
      expect(inExport).toBe(body.viewer.bid.state);
      return [body.viewer.bid.state, await list("placed"), await list("declined")];
    };
    const received = () => harness.read(`/tasks/${id}/bids?state=declined`, client);

    await notifyAfter(59);
    expect(await received()).toEqual([expect.objectContaining({ freelancerId: ada.uid, state: "declined" })]);
    expect(await seenBy(ada)).toEqual(["placed", 1, 0]);
    expect(await notificationKinds(ada, id)).toEqual([]);

    await Promise.all([notifyAfter(61), notifyAfter(61)]);
    expect(await notificationKinds(ada, id)).toEqual(["declined"]);
    expect(await seenBy(ada)).toEqual(["declined", 0, 1]);
    expect(await notificationKinds(ben, id)).toEqual([]);
    expect(await seenBy(ben)).toEqual(["placed", 1, 0]);
    const [told] = await harness.read("/me/notifications", ada);
    expect(told).toMatchObject({ kind: "declined", taskTitle: "Pause", actor: client.name });
  });

  test("When a declined bid is hired before its freelancer was notified, then they are notified of that alone, and once the task is reopened it is no longer declined", async () => {
    const id = await harness.postTask(client);
    await bid(id, ada);
    await triage(id, client, ada, "declined");
    await award(id, client, ada);
    await runJobs(harness, harness.later(61_000));
    expect(await notificationKinds(ada, id)).toEqual(["awarded"]);
    await move(id, client, "cancelled", { reason: "No." });
    await move(id, client, "open");
    expect((await harness.read(`/tasks/${id}`, ada)).viewer.bid.state).toBe("placed");
  });
});

describe("PUT /tasks/:id/bids/:bidId/note", () => {
  const [owner, leaver] = usePeople("Olga Owner", "Lea");
  const note = (taskId: string, id: string, text: string, by = client) =>
    harness.as(by).put(`/tasks/${taskId}/bids/${id}/note`, { note: text });

  test("When the client notes something about a bid, then only they see it, it survives the freelancer's change, and an empty note removes it", async () => {
    const id = await harness.postTask(client);
    await bid(id, ada);
    const mine = await bidId(id, ada);
    const noted = await note(id, mine, "  Ask about fonts.\nCheap. ").expect(200);
    expect(noted.body.modifiedCount).toBe(1);
    const again = await note(id, mine, "Ask about fonts.\nCheap.").expect(200);
    expect(again.body.modifiedCount).toBe(0);
    await bid(id, ada, { amount: 77 });
    const received = async () => (await harness.read(`/tasks/${id}/bids`, client))[0];
    expect(await received()).toMatchObject({ amount: 77, note: "Ask about fonts.\nCheap." });
    for (const path of [`/tasks/${id}`, "/me/bids", "/me/export", "/me/bids.csv"])
      expect((await harness.ok(ada).get(path)).text).not.toContain("fonts");
    expect(await notificationKinds(ada, id)).toEqual([]);
    const exported = await harness.ok(client).get("/me/export");
    expect(exported.body.notes).toContainEqual({ _id: mine, taskId: id, note: "Ask about fonts.\nCheap." });
    await note(id, mine, "").expect(200);
    expect(await received()).not.toHaveProperty("note");
  });

  test("When the bid is another task's, then it is neither noted nor triaged; a note may not be too long", async () => {
    const [id, other] = [await harness.postTask(client), await harness.postTask(client)];
    await bid(id, ada);
    const mine = await bidId(id, ada);
    expectProblem(await note(other, mine, "Theirs"), "bid-not-found");
    const path = `/tasks/${other}/bids/${mine}`;
    expectProblem(await harness.as(client).patch(path, { state: "shortlisted" }), "bid-not-found");
    expectProblem(await note(id, mine, "x".repeat(1_001)), "invalid");
  });

  test("When the client or the freelancer deletes their account, then the note is gone", async () => {
    const id = await harness.postTask(owner);
    for (const person of [leaver, ben]) await bid(id, person);
    await note(id, await bidId(id, leaver), "About Lea", owner).expect(200);
    await note(id, await bidId(id, ben), "About Ben", owner).expect(200);
    await award(id, owner, ben);
    const notes = async () =>
      (await harness.database.bids.distinct("note", { taskId: new ObjectId(id) })) as string[];
    const deletion = (uid: string) => deletionStore(harness.database).begin(uid, harness.clock.now);
    harness.advance(60_000);
    await anonymizeBids(harness.database)(await deletion(leaver.uid), harness.clock.now);
    expect(await notes()).toEqual(["About Ben"]);
    await anonymizeTasks(harness.database)(await deletion(owner.uid), harness.clock.now);
    expect(await notes()).toEqual([]);
  });
});

describe("POST /tasks/:id/award", () => {
  test("When the client awards, then the others are declined, and whoever was declined before is notified of that alone", async () => {
    const id = await harness.postTask(client);
    for (const person of [ada, ben, eve]) await bid(id, person);
    await triage(id, client, eve, "declined");
    await award(id, client, ada);
    await runJobs(harness, harness.later(60_000));
    expect(await notificationKinds(eve, id)).toEqual(["declined"]);
    for (const [state, bidders] of [
      ["awarded", [ada]],
      ["declined", [eve, ben]],
      ["placed", []],
    ] as const) {
      const found: ReceivedBid[] = await harness.read(`/tasks/${id}/bids?state=${state}`, client);
      expect(new Set(found.map(({ freelancerId }) => freelancerId)), state).toEqual(
        new Set(bidders.map(({ uid }) => uid)),
      );
    }
  });

  test("When the bid was changed since the client read it, then nobody is hired until they read it again", async () => {
    const id = await harness.postTask(client);
    await bid(id, ada, { amount: 400 });
    const read = async () => {
      const body = await harness.read(`/tasks/${id}/bids`, client);
      return (body as [ReceivedBid])[0];
    };
    const hire = ({ _id, updatedAt }: ReceivedBid) =>
      harness.as(client).post(`/tasks/${id}/award`, { bidId: _id, updatedAt });
    const seen = await read();
    await bid(id, ada, { amount: 4_000 });
    const { detail } = expectProblem(await hire(seen), "changed-meanwhile");
    expect(detail).toContain("look at it again");
    expect(await harness.taskInStore(id)).not.toHaveProperty("award");
    expect(await notificationKinds(ada, id)).toEqual([]);
    const now = await read();
    expect(now).toMatchObject({ amount: 4_000, state: "placed" });
    // Triage by the client does not count as a change of the bid.
    const path = `/tasks/${id}/bids/${now._id}`;
    await harness.ok(client).patch(path, { state: "shortlisted" });
    await hire(now).expect(200);
    expect((await harness.taskInStore(id))?.award).toMatchObject({ amount: 4_000 });
    expectProblem(await hire({ ...now, updatedAt: 7 as never }), "invalid");
  });

  test("When the bid's freelancer has deleted their account, then nobody is hired", async () => {
    const { _id: taskId } = await harness.insertTask({ ownerId: client.uid, bidsCount: 1 });
    const left = aBidDoc({ taskId, bidderId: formerMemberId() });
    await harness.database.bids.insertOne(left);
    const hired = await harness.as(client).post(`/tasks/${taskId}/award`, { bidId: String(left._id) });
    expectProblem(hired, "bid-not-found");
    expect(await harness.database.bids.findOne({ _id: left._id })).toMatchObject({ state: "placed" });
  });
});
