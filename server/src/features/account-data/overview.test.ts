import { ObjectId } from "mongodb";
import { beforeEach, expect, test } from "vitest";
import {
  aBidDoc,
  aDelivery,
  aDisputeDoc,
  anAwardOf,
  aQuestionDoc,
  aReviewDoc,
  aTaskDoc,
  inDays,
  manyTasks,
  testStart,
  useHarness,
  usePeople,
} from "../../../test/index.ts";
import { MAX_WAITING, type Overview } from "../../contract/index.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { DisputeDoc } from "../../db/documents/disputes.ts";
import type { AwardDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { formerMemberId } from "../../domain/notify.ts";
import { countPlacedPlan, countReceivedPlan, earningsPlan } from "./overview.ts";
import { waitingPlans } from "./waiting.ts";

const harness = useHarness();
const [ada] = usePeople("Ada");

beforeEach(() => harness.clear("tasks", "bids", "reviews", "questions", "disputes"));

const overview = (): Promise<Overview> => harness.read("/me/overview", ada);

const at = (days: number, time: string) => new Date(`${inDays(days)}T${time}Z`);

test("When somebody has no tasks and no bids, then the overview has 30 days of zeros, ending today", async () => {
  await harness.insertTask({});
  const { bidsByDay, earnings, ...counts } = await overview();
  expect(earnings).toHaveLength(12);
  expect(earnings.every(({ agreed }) => agreed === 0)).toBe(true);
  expect(counts).toEqual({
    totalTasks: 1,
    myTasks: 0,
    tasksByState: { open: 0, awarded: 0, delivered: 0, completed: 0, cancelled: 0, expired: 0 },
    activeJobs: 0,
    payments: { received: 0, expected: 0, paid: 0, owed: 0 },
    hasBids: false,
    waiting: [],
  });
  expect(bidsByDay).toEqual(
    Array.from({ length: 30 }, (_, day) => ({ date: inDays(day - 29), received: 0, placed: 0 })),
  );
});

test("When there are tasks in every state, then each counts once, and an expired one does not count as open", async () => {
  const own = (fields: Partial<TaskDoc>) => harness.insertTask({ ownerId: ada.uid, ...fields });
  await own({});
  await own({ state: "open", deadline: inDays(0) });
  await own({ deadline: inDays(-1) });
  await own({ state: "awarded", deadline: inDays(-5), award: anAwardOf(aBidDoc()) });
  await own({ state: "delivered", award: anAwardOf(aBidDoc()), delivery: aDelivery() });
  for (const state of ["completed", "completed", "cancelled"] as const) await own({ state });
  await harness.insertTask({ state: "completed" });
  expect(await overview()).toMatchObject({
    totalTasks: 9,
    myTasks: 8,
    tasksByState: { open: 2, awarded: 1, delivered: 1, completed: 2, cancelled: 1, expired: 1 },
  });
});

test("When bids were received and placed, then each counts on its day in UTC, for thirty days", async () => {
  const mine = await harness.insertTask({ ownerId: ada.uid, bidsCount: 4, deadline: inDays(-3) });
  const others = await harness.insertTask({ bidsCount: 2 });
  const received = [
    at(0, "00:00:00.000"),
    at(-1, "23:59:59.999"),
    at(-29, "00:00:00.000"),
    at(-30, "23:59:59.999"),
  ];
  const placed = [at(-1, "12:00:00.000"), at(-40, "12:00:00.000")];
  await harness.database.bids.insertMany([
    ...received.map((createdAt, index) => aBidDoc({ taskId: mine._id, bidderId: `f${index}`, createdAt })),
    ...placed.map((createdAt) => aBidDoc({ taskId: new ObjectId(), bidderId: ada.uid, createdAt })),
    aBidDoc({ taskId: others._id, createdAt: at(0, "00:00:01.000") }),
  ]);
  const { bidsByDay, hasBids } = await overview();
  expect(hasBids).toBe(true);
  expect(bidsByDay.filter(({ received, placed }) => received + placed > 0)).toEqual([
    { date: inDays(-29), received: 1, placed: 0 },
    { date: inDays(-1), received: 1, placed: 1 },
    { date: inDays(0), received: 1, placed: 0 },
  ]);
});

test("When somebody was hired, then earnings count by month of award, completed work separately, cancelled work not at all", async () => {
  const hired = (state: "awarded" | "completed" | "cancelled", amount: number, at: string) =>
    harness.insertTask({
      state,
      award: { ...anAwardOf(aBidDoc({ bidderId: ada.uid, amount })), at: new Date(at) },
    });
  harness.clock.now = new Date("2026-02-10T12:00:00Z");
  await hired("completed", 0.1, "2026-02-01T00:00:00.000Z");
  await hired("awarded", 0.2, "2026-02-28T23:59:59.999Z");
  await hired("completed", 300, "2026-01-31T23:59:59.999Z");
  await hired("cancelled", 9_000, "2026-01-15T00:00:00.000Z");
  await hired("completed", 40, "2025-03-01T00:00:00.000Z");
  await hired("completed", 50, "2025-02-28T23:59:59.999Z");
  await harness.insertTask({ state: "completed", award: anAwardOf(aBidDoc()) });
  const { earnings } = await overview();
  harness.clock.now = testStart.at;
  expect(earnings.map(({ month }) => month)).toHaveLength(12);
  expect(earnings.filter(({ agreed }) => agreed > 0)).toEqual([
    { month: "2025-03", agreed: 40, completed: 40 },
    { month: "2026-01", agreed: 300, completed: 300 },
    { month: "2026-02", agreed: 0.3, completed: 0.1 },
  ]);
});

test("When tasks wait for somebody, then each is listed once, under what has to be done", async () => {
  const store = (title: string, fields: Partial<TaskDoc>) =>
    harness.insertTask({ title, ownerId: ada.uid, ...fields });
  const bidOn = async ({ _id }: TaskDoc, state: BidDoc["state"], index: number) =>
    harness.database.bids.insertOne(aBidDoc({ taskId: _id, bidderId: `f${index}`, state }));
  const hire = (by: { ownerId: string; name: string }, freelancerId: string, fields: Partial<TaskDoc>) =>
    store(fields.title ?? "", {
      ...fields,
      ...by,
      award: anAwardOf(aBidDoc({ bidderId: freelancerId, bidderName: "Fay" })),
    });
  const mine = { ownerId: ada.uid, name: ada.name };
  const clara = { ownerId: "clara", name: "Clara" };

  const expired = await store("past, with bids", { deadline: inDays(-9), bidsCount: 3 });
  for (const [index, state] of (["placed", "shortlisted", "declined"] as const).entries())
    await bidOn(expired, state, index);
  const declined = await store("all declined", { deadline: inDays(0), bidsCount: 1 });
  await bidOn(declined, "declined", 0);
  await store("next week", { deadline: inDays(7) });
  await store("past, no bids", { deadline: inDays(-1) });
  await hire(mine, "fay", { title: "late", state: "awarded", deadline: inDays(-3) });
  await hire(mine, "fay", { title: "later", state: "awarded", deadline: inDays(20) });
  await hire(mine, formerMemberId(), { title: "left behind", state: "awarded", deadline: inDays(30) });
  await hire(clara, ada.uid, { title: "to deliver", state: "awarded", deadline: inDays(20) });
  await hire(clara, "fay", { title: "of others", state: "awarded" });
  await hire(mine, "fay", { title: "to accept", state: "delivered", delivery: aDelivery() });
  await hire(clara, ada.uid, { title: "just delivered", state: "delivered", delivery: aDelivery() });
  const longAgo = { delivery: aDelivery(at(-14, "00:00:00.000")) };
  await hire(clara, ada.uid, { title: "unanswered", state: "delivered", ...longAgo });
  await hire(mine, "fay", { title: "to review", state: "completed" });
  const reviewed = await hire(clara, ada.uid, { title: "reviewed", state: "completed" });
  await hire(clara, ada.uid, { title: "worked", state: "completed", deadline: inDays(-1) });
  await hire(mine, formerMemberId(), { title: "whose freelancer left", state: "completed" });
  await harness.database.reviews.insertOne(aReviewDoc({ taskId: reviewed._id, authorId: ada.uid }));

  const asked = await store("asked about", { deadline: inDays(20) });
  const over = await store("asked about, cancelled", { deadline: inDays(20), state: "cancelled" });
  await harness.database.questions.insertMany([
    ...[asked, asked, over].map(({ _id }) => aQuestionDoc({ taskId: _id, clientId: ada.uid })),
    aQuestionDoc({ taskId: asked._id, clientId: ada.uid, hidden: true }),
  ]);

  const { waiting } = await overview();
  expect(waiting.filter(({ questions }) => questions)).toMatchObject([
    { kind: "answer", title: "asked about", questions: 2 },
  ]);
  const listed = waiting.map(({ kind, title, state, name, bids }) => [kind, title, state, name, bids]);
  expect(listed).toEqual([
    ["accept", "to accept", "delivered", "Fay", undefined],
    ["answer", "asked about", "open", undefined, undefined],
    ["decide", "past, with bids", "expired", undefined, 2],
    ["deliver", "to deliver", "awarded", "Clara", undefined],
    ["complete", "unanswered", "delivered", "Clara", undefined],
    ["deadline", "late", "awarded", "Fay", undefined],
    ["deadline", "left behind", "awarded", undefined, undefined],
    ["deadline", "all declined", "open", undefined, undefined],
    ["pay", "to review", "completed", "Fay", undefined],
    ["review", "to review", "completed", "Fay", undefined],
    ["review", "worked", "completed", "Clara", undefined],
  ]);
  expect(waiting[2]).toMatchObject({ taskId: String(expired._id), deadline: inDays(-9) });
});

test("When there is a dispute about a task, then its sides are asked for their case once, and not to deliver or to accept", async () => {
  const disputed = async (ownerId: string, freelancerId: string, statements: DisputeDoc["statements"]) => {
    const award: AwardDoc = { ...anAwardOf(aBidDoc({ bidderId: freelancerId })), ending: "operator" };
    const state = ownerId === ada.uid ? "delivered" : "awarded";
    const task = await harness.insertTask({ ownerId, state, award, delivery: aDelivery() });
    await harness.database.disputes.insertOne(
      aDisputeDoc({ taskId: task._id, clientId: ownerId, freelancerId, state: "disputed", statements }),
    );
    return String(task._id);
  };
  const asClient = await disputed(ada.uid, "fay", { freelancer: "I did it all." });
  await disputed(ada.uid, "fay", { client: "Nothing works." });
  const asFreelancer = await disputed("clara", ada.uid, { client: "Nothing works." });
  await disputed("clara", ada.uid, { freelancer: "I did it all." });
  const { waiting } = await overview();
  expect(waiting.map(({ kind, taskId }) => [kind, taskId])).toEqual([
    ["dispute", asClient],
    ["dispute", asFreelancer],
  ]);
});

test("When the bids on many old tasks were all declined, then newer tasks that wait for a decision are still listed", async () => {
  const old = Array.from({ length: 20 }, () =>
    aTaskDoc({ ownerId: ada.uid, deadline: inDays(-100), bidsCount: 1 }),
  );
  await harness.database.tasks.insertMany(old);
  await harness.database.bids.insertMany(old.map(({ _id }) => aBidDoc({ taskId: _id, state: "declined" })));
  const { _id } = await harness.insertTask({ ownerId: ada.uid, deadline: inDays(-9), bidsCount: 1 });
  await harness.database.bids.insertOne(aBidDoc({ taskId: _id }));
  expect((await overview()).waiting).toMatchObject([{ kind: "decide", taskId: String(_id), bids: 1 }]);
});

test("When an operator hides a task, then its owner is not told that it closes for bids", async () => {
  await harness.insertTask({ ownerId: ada.uid, deadline: inDays(2), hidden: true });
  await harness.insertTask({ ownerId: ada.uid, deadline: inDays(3), title: "shown" });
  expect((await overview()).waiting).toMatchObject([{ kind: "deadline", title: "shown" }]);
});

test("When many tasks wait, then one more of each kind is listed than is shown, each read from its index up to its limit", async () => {
  const { tasks, bids } = harness.database;
  const many = Array.from({ length: 200 }, (_, index) =>
    aTaskDoc({ ownerId: ada.uid, deadline: inDays(index % 7), bidsCount: index % 2 }),
  );
  await tasks.insertMany(many);
  await bids.insertMany(many.map(({ _id }) => aBidDoc({ taskId: _id })));
  expect((await overview()).waiting.map(({ kind }) => kind)).toEqual([
    ...Array(MAX_WAITING + 1).fill("decide"),
    ...Array(MAX_WAITING + 1).fill("deadline"),
  ]);
  for (const { filter, index, ...options } of Object.values(waitingPlans(ada.uid, inDays(0)))) {
    const plan = await tasks.find(filter, { ...options, hint: index }).explain("executionStats");
    expect(JSON.stringify(plan)).not.toMatch(/"stage":"(SORT|COLLSCAN)"/);
    expect(plan["executionStats"].totalKeysExamined, index).toBeLessThanOrEqual(options.limit + 1);
  }
});

test("When there are many tasks and bids, then every figure is computed from an index alone", async () => {
  const { tasks, bids } = harness.database;
  const own = manyTasks(1_000);
  await tasks.insertMany(own);
  await bids.insertMany(
    own.slice(0, 200).map(({ _id }, index) => aBidDoc({ taskId: _id, bidderId: `f${index % 10}` })),
  );
  const since = at(-29, "00:00:00.000");
  const ids = own.slice(0, 20).map(({ _id }) => _id);
  await harness.insertTask({ state: "completed", award: anAwardOf(aBidDoc({ bidderId: "fay" })) });
  const plans = [
    await tasks.aggregate(earningsPlan("fay", since), { hint: "hired-earnings" }).explain("executionStats"),
    await bids.aggregate(countPlacedPlan("f1", since), { hint: "bidder-newest" }).explain("executionStats"),
    await bids.aggregate(countReceivedPlan(ids, since), { hint: "inbox-newest" }).explain("executionStats"),
  ];
  for (const plan of plans) {
    const text = JSON.stringify(plan);
    expect(text).toContain('"stage":"IXSCAN"');
    expect(text).toContain('"totalDocsExamined":0');
    expect(text).not.toContain('"stage":"COLLSCAN"');
  }
});
