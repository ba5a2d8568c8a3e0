import { ObjectId } from "mongodb";
import { beforeEach, expect, test } from "vitest";
import {
  aBidDoc,
  aDelivery,
  anAwardOf,
  aQuestionDoc,
  bidHelpers,
  deletionHelpers,
  inDays,
  ownedBy,
  type Person,
  runJobs,
  useHarness,
} from "../../../test/index.ts";
import type { MyBid, ReceivedBid } from "../../contract/index.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { FORMER_MEMBER, isFormerMember } from "../../domain/notify.ts";
import { anonymizeBids } from "./anonymize-work.ts";
import { deletionStore } from "./deletions.ts";

const harness = useHarness();
const { scene, client, ann, ben, remove, removeWithRetry, tracesOf, expectCorrectBidCounts, ...helpers } =
  deletionHelpers(harness);
const { bidBy, task, bid, recipientsOf, taskWith, awardedTask } = helpers;
const { move } = bidHelpers(harness);
let leaver: Person;

beforeEach(() => {
  ({ leaver } = scene);
});

test("When a client deletes their account, then tasks that nobody was hired for are deleted like any other deleted task", async () => {
  const { questions } = harness.database;
  const mine = { ...ownedBy(leaver), description: "Call me: 555 0100" };
  const [open] = await taskWith(mine, (id) => [bidBy(ann, id), bidBy(ben, id)]);
  const [cancelled] = await taskWith({ ...mine, state: "cancelled" }, () => []);
  const [hired] = await taskWith({ ...mine, state: "cancelled", awardCount: 1 }, () => []);
  await questions.insertOne(aQuestionDoc({ taskId: open._id, askerId: ann.uid }));
  await harness.ok(ben).put(`/me/saved/${open._id}`);

  await remove(leaver);
  for (const { _id } of [open, cancelled]) expect(await task(_id)).toBeNull();
  expect(await questions.countDocuments()).toBe(0);
  expect(await task(hired._id)).toMatchObject({ name: FORMER_MEMBER, description: mine.description });
  expect(await recipientsOf("task-deleted")).toEqual([ann.uid, ben.uid].sort());
  expect(await harness.database.bids.countDocuments()).toBe(0);
  expect(await tracesOf(leaver)).toEqual([]);
});

test("When a client deletes their account but keeps their tasks, then open and awarded tasks are cancelled with a notification, and ended ones are anonymized", async () => {
  const mine = { ...ownedBy(leaver), clientImage: "https://pictures.example/zelda.png" };
  const [open] = await taskWith(mine, (id) => [bidBy(ann, id), bidBy(ben, id)]);
  const [expired] = await taskWith({ ...mine, state: "open", deadline: inDays(-2) }, () => []);
  const [awarded] = await awardedTask(leaver, [ann], mine);
  const [completed] = await taskWith({ ...mine, state: "completed", award: anAwardOf(aBidDoc()) }, () => []);
  const { body } = await remove(leaver, "?tasks=keep");
  expect(body).toEqual({ acknowledged: true, deletedCount: 1 });
  for (const { _id } of [open, expired, awarded])
    expect(await task(_id)).toMatchObject({
      state: "cancelled",
      name: FORMER_MEMBER,
      email: "",
      revision: 1,
    });
  expect(await task(completed._id)).toMatchObject({ state: "completed", name: FORMER_MEMBER, email: "" });
  expect(isFormerMember((await task(open._id))?.ownerId ?? "")).toBe(true);
  // Bidders on their tasks no longer get a profile to link to either.
  for (const reader of [ben, undefined])
    expect(await harness.read(`/tasks/${open._id}`, reader)).toMatchObject({ otherSideLeft: true });
  const bids: MyBid[] = await harness.read("/me/bids", ann);
  expect(bids.map(({ task: { name, clientId } }) => [name, clientId])).toEqual([
    [FORMER_MEMBER, undefined],
    [FORMER_MEMBER, undefined],
  ]);
  // Both bidders on the open task, and the freelancer hired for the awarded one.
  expect(await recipientsOf("task-cancelled")).toEqual([ann.uid, ann.uid, ben.uid].sort());
  expect(await tracesOf(leaver)).toEqual([]);
  await expectCorrectBidCounts();
});

test("When a freelancer deletes their account, then undecided bids are withdrawn and decided ones are anonymized", async () => {
  const theirs = ownedBy(client);
  const bids = (id: ObjectId) => [bidBy(leaver, id), bidBy(ann, id)];
  const [open, openBid] = await taskWith(theirs, bids);
  const [expired] = await taskWith({ ...theirs, state: "open", deadline: inDays(-2) }, bids);
  const [cancelled, cancelledBid] = await taskWith({ ...theirs, state: "cancelled" }, bids);
  await harness.setTask(cancelled._id, { award: anAwardOf(cancelledBid as BidDoc) });
  const [won, winning] = (await awardedTask(client, [leaver])) as [TaskDoc, BidDoc];
  const [, other, lost] = await awardedTask(client, [ann, leaver], { state: "completed" });
  await remove(leaver);

  expect(await bid((openBid as BidDoc)._id)).toBeNull();
  for (const { _id } of [open, expired, cancelled])
    expect(await task(_id)).toMatchObject({ bidsCount: 1, name: client.name });
  const stays = { bidderName: FORMER_MEMBER, bidderEmail: "", amount: 400, days: 5 };
  for (const theirs of [winning, lost as BidDoc]) expect(await bid(theirs._id)).toMatchObject(stays);
  expect(await bid((other as BidDoc)._id)).toMatchObject({ bidderName: ann.name });
  expect((await task(won._id))?.award).toMatchObject({ name: FORMER_MEMBER, email: "", amount: 400 });
  // So that the client's open page is updated.
  expect((await task(won._id))?.revision).toBe(won.revision + 1);
  expect((await task(won._id))?.award?.freelancerId).toBe((await bid(winning._id))?.bidderId);
  const received = await harness.read(`/tasks/${won._id}/bids`, client);
  expect(received).toMatchObject([{ name: FORMER_MEMBER, state: "awarded" }]);
  expect(received[0]).not.toHaveProperty("freelancerId");
  // For the open task, the expired one, and the one they were hired for.
  expect(await recipientsOf("bid-withdrawn")).toEqual([client.uid, client.uid]);
  expect(await recipientsOf("freelancer-left")).toEqual([client.uid]);
  expect(await tracesOf(leaver)).toEqual([]);
  await expectCorrectBidCounts();
});

test("When two passes over a freelancer's bids run at once, then each client is notified once", async () => {
  for (let at = 0; at < 3; at++) await awardedTask(client, [leaver]);
  const deletion = await deletionStore(harness.database).begin(leaver.uid, harness.clock.now);
  const step = anonymizeBids(harness.database);
  await Promise.all([step(deletion, harness.clock.now), step(deletion, harness.clock.now)]);
  expect(await recipientsOf("freelancer-left")).toEqual([client.uid, client.uid, client.uid]);
});

test("When a side of a completed task deletes their account, then its price counts neither as owed nor as expected", async () => {
  await awardedTask(client, [leaver], { state: "completed" });
  await awardedTask(leaver, [ann], { state: "completed" });
  const sums = async () => {
    const [his, hers] = [await harness.read("/me/overview", client), await harness.read("/me/overview", ann)];
    return [his.payments.owed, hers.payments.expected];
  };
  for (const sum of await sums()) expect(sum).toBeGreaterThan(0);
  await remove(leaver);
  expect(await sums()).toEqual([0, 0]);
});

test("When a task is reopened after a bidder deleted their account, then their bid is not restored", async () => {
  const [won] = await awardedTask(client, [leaver, ann]);
  const [lost] = await awardedTask(client, [ann, leaver]);
  await remove(leaver);
  for (const { _id: taskId } of [won, lost]) {
    await move(String(taskId), client, "cancelled", { reason: "They left." });
    await move(String(taskId), client, "open");
    const body = await harness.read(`/tasks/${taskId}/bids`, client);
    expect(body.map(({ freelancerId, state }: ReceivedBid) => [freelancerId, state])).toEqual([
      [ann.uid, "placed"],
    ]);
  }
  await expectCorrectBidCounts();
});

/** Stores a delivered task whose timeline holds a delivery and a request for changes. */
async function taskWithDelivery(owner: Person, hired: Person) {
  const [stored] = await awardedTask(owner, [hired], { state: "delivered", delivery: aDelivery() });
  const step = { taskId: stored._id, clientId: owner.uid, freelancerId: hired.uid, at: new Date() };
  await harness.database.timeline.insertMany([
    {
      _id: new ObjectId(),
      ...step,
      kind: "delivered",
      by: "freelancer",
      note: "Note",
      links: ["https://a.example/"],
    },
    { _id: new ObjectId(), ...step, kind: "changes-requested", by: "client", reason: "Reason" },
  ]);
  return stored;
}
const timelineOf = async ({ _id: taskId }: TaskDoc) =>
  (await harness.database.timeline.find({ taskId }).sort({ at: 1, _id: 1 }).toArray()).map(
    ({ kind, note, links, reason }) => [kind, note ?? links ?? reason ?? ""],
  );

test("When a client deletes their account after work was delivered, then the freelancer may complete it immediately, and the client's comments are erased", async () => {
  const { _id, ...waiting } = await taskWithDelivery(leaver, ann);
  await remove(leaver);
  expect(await task(_id)).toMatchObject({ state: "delivered", name: FORMER_MEMBER });
  expect(await recipientsOf("may-complete")).toEqual([ann.uid]);
  // There is nobody left to remind.
  await runJobs(harness, harness.later(8 * 86_400_000));
  expect(await recipientsOf("delivery-waiting")).toEqual([]);
  expect(await timelineOf({ _id, ...waiting })).toEqual([
    ["delivered", "Note"],
    ["changes-requested", ""],
  ]);
  expect(await tracesOf(leaver)).toEqual([]);
  expect(await harness.read(`/tasks/${_id}`, ann)).toMatchObject({ otherSideLeft: true });
  await harness.ok(ann).post(`/tasks/${_id}/completion`);
  expect(await task(_id)).toMatchObject({ state: "completed" });
  // There is no client left to notify.
  expect(await recipientsOf("completed-unanswered")).toEqual([]);
});

test("When a freelancer deletes their account after delivering, then the task returns to its client, and the delivery is erased", async () => {
  const waiting = await taskWithDelivery(ann, leaver);
  const own = async () => (await harness.read(`/tasks?email=${ann.email}`, ann))[0];
  expect(await own()).not.toHaveProperty("otherSideLeft");
  await remove(leaver);
  expect(await own()).toMatchObject({ otherSideLeft: true });
  const after = await task(waiting._id);
  expect(after).toMatchObject({ state: "awarded", award: { name: FORMER_MEMBER } });
  expect(after).not.toHaveProperty("delivery");
  expect(await recipientsOf("freelancer-left")).toEqual([ann.uid]);
  expect(await recipientsOf("bid-withdrawn")).toEqual([]);
  expect(await timelineOf(waiting)).toEqual([
    ["delivered", ""],
    ["changes-requested", "Reason"],
  ]);
  expect(await tracesOf(leaver)).toEqual([]);
  await move(String(waiting._id), ann, "cancelled", { reason: "They have left." });
  // Once reopened, it has no former member's bid that could be awarded.
  await move(String(waiting._id), ann, "open");
  expect(await task(waiting._id)).toMatchObject({ state: "open", bidsCount: 0 });
  await expectCorrectBidCounts();
});

test("When clients award a freelancer who is deleting their account, then each task is awarded to a former member or to nobody", async () => {
  const tasks = await Promise.all(
    Array.from({ length: 6 }, () => taskWith(ownedBy(client), (id) => [bidBy(leaver, id)])),
  );
  const awards = tasks.map(([{ _id }, placed]) =>
    harness.as(client).post(`/tasks/${_id}/award`, { bidId: String((placed as BidDoc)._id) }),
  );
  const [deleted, ...responses] = await Promise.all([removeWithRetry(leaver), ...awards]);
  expect(deleted?.status).toBe(200);
  expect(await tracesOf(leaver)).toEqual([]);
  await expectCorrectBidCounts();
  for (const [index, [{ _id }, placed]] of tasks.entries()) {
    const now = await task(_id);
    const kept = await bid((placed as BidDoc)._id);
    const status = responses[index]?.status;
    expect([200, 404, 503]).toContain(status);
    if (status === 200 || now?.state === "awarded") {
      expect(now).toMatchObject({
        state: "awarded",
        bidsCount: 1,
        award: { name: FORMER_MEMBER, email: "" },
      });
      expect(kept).toMatchObject({ bidderName: FORMER_MEMBER });
    } else {
      expect([now?.state ?? "open", now?.bidsCount, kept]).toEqual(["open", 0, null]);
    }
  }
});
