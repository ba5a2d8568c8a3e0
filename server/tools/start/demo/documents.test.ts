import { expect, test } from "vitest";
import {
  answerDraftSchema,
  bidDraftSchema,
  questionDraftSchema,
  reviewDraftSchema,
} from "../../../src/contract/index.ts";
import { conversationsWithWrongCount, verifyBids } from "../../../src/db/verify-data.ts";
import { useHarness } from "../../../test/harness.ts";
import { demoDocuments } from "./documents.ts";
import { demoHires } from "./hires.ts";
import { insertMissing } from "./seed.ts";
import { demoTasks } from "./tasks.ts";

const harness = useHarness();
const today = new Date("2026-11-21T12:00:00Z");
const docs = demoDocuments(today);

test("When the demo data is stored, then the database accepts all of it, and bids, counts and awards agree", async () => {
  await insertMissing(harness.database, docs);
  const verdict = await verifyBids(harness.database);
  expect(Object.values(verdict.offenders).flat()).toEqual([]);
  const hired = demoHires.filter(({ state }) => state !== "cancelled").length;
  expect(verdict).toMatchObject({ tasks: demoTasks.length, bids: docs.bids.length, awards: hired });
});

test("When bids and reviews are checked against the contract, then it accepts all of them", () => {
  for (const { amount, days, message } of docs.bids) {
    const draft = { amount, ...(days !== undefined && { days }), ...(message && { message }) };
    expect(bidDraftSchema.safeParse(draft)).toEqual({ success: true, data: draft });
  }
  for (const { stars, text } of docs.reviews)
    expect(reviewDraftSchema.safeParse({ stars, text })).toEqual({ success: true, data: { stars, text } });
  expect(docs.bids.filter(({ message }) => message).length).toBeGreaterThan(40);
});

test("When a question is asked, then it is about someone else's open task, and the contract accepts its texts", () => {
  for (const { taskId, askerId, clientId, text, answer, createdAt } of docs.questions) {
    const task = docs.tasks.find(({ _id }) => _id.equals(taskId));
    expect(task).toMatchObject({ state: "open", ownerId: clientId });
    expect(askerId).not.toBe(clientId);
    expect(createdAt.getTime()).toBeGreaterThan(task?.createdAt.getTime() ?? Number.POSITIVE_INFINITY);
    expect(questionDraftSchema.parse({ text })).toEqual({ text });
    if (answer) expect(answerDraftSchema.parse({ text: answer.text })).toEqual({ text: answer.text });
  }
});

test("When a task is saved, then it is someone else's, and was posted before that", () => {
  for (const { taskId, personId, createdAt } of docs.savedTasks) {
    const task = docs.tasks.find(({ _id }) => _id.equals(taskId));
    expect(task?.ownerId).not.toBe(personId);
    expect(createdAt.getTime()).toBeGreaterThan(task?.createdAt.getTime() ?? Number.POSITIVE_INFINITY);
  }
});

test("When two people have a conversation, then it is about a task that one awarded to the other", async () => {
  expect(await conversationsWithWrongCount(harness.database)).toEqual([]);
  for (const { taskId, clientId, freelancerId } of docs.conversations) {
    const task = docs.tasks.find(({ _id }) => _id.equals(taskId));
    expect([task?.ownerId, task?.award?.freelancerId]).toEqual([clientId, freelancerId]);
  }
});

test("When a task is reported, then it exists and the reporter is not its owner", () => {
  for (const { taskId, reporterId } of docs.reports) {
    const task = docs.tasks.find(({ _id }) => _id.equals(taskId));
    expect(task?.ownerId).toMatch(/^demo-/);
    expect(task?.ownerId).not.toBe(reporterId);
  }
});

test("When someone was hired, then bids, award, timeline and reviews are in chronological order", () => {
  for (const hire of demoHires) {
    const demo = demoTasks.find(({ key }) => key === hire.key);
    expect(demo, hire.key).toBeDefined();
    if (hire.state === "cancelled") continue;
    expect(demo?.bids, hire.key).toContain(hire.hired);
    const task = docs.tasks.find(({ title }) => title === demo?.title);
    const bids = docs.bids.filter(({ taskId }) => task?._id.equals(taskId));
    const at = task?.award?.at.getTime() ?? 0;
    for (const { createdAt } of bids) expect(createdAt.getTime(), hire.key).toBeLessThanOrEqual(at);
    expect(at, hire.key).toBeLessThanOrEqual(today.getTime());
    const steps = docs.timeline.filter(({ taskId }) => task?._id.equals(taskId));
    const times = steps.map((step) => step.at.getTime());
    expect(times, hire.key).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0], hire.key).toBe(at);
    for (const review of docs.reviews.filter(({ taskId }) => task?._id.equals(taskId)))
      expect(review.createdAt.getTime(), hire.key).toBeGreaterThan(at);
  }
});
