import { beforeEach, expect, test } from "vitest";
import { aBidDoc, aDelivery, anAwardOf } from "../../../test/builders.ts";
import { useHarness } from "../../../test/harness.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { formerMemberId } from "../../db/notices.ts";
import { deliveryReminders } from "./delivery-reminders.ts";

const harness = useHarness();
const DELIVERED = new Date("2026-03-01T10:00:00Z");
const after = (days: number) => new Date(DELIVERED.getTime() + days * 86_400_000);

beforeEach(async () => {
  await harness.database.tasks.deleteMany({});
  await harness.database.notifications.deleteMany({});
});

const stored = (fields: Partial<TaskDoc> = {}) =>
  harness.insertTask({
    ownerId: "clara",
    state: "delivered",
    award: anAwardOf(aBidDoc({ bidderId: "fred" })),
    delivery: aDelivery(DELIVERED),
    ...fields,
  });

/** Who was told what, in order. */
async function told(): Promise<string[]> {
  const found = await harness.database.notifications.find({}).sort({ createdAt: 1, _id: 1 }).toArray();
  return found.map(
    ({ kind, recipientId, asClient }) => `${recipientId} ${kind}${asClient ? " (client)" : ""}`,
  );
}

test("When the days pass, then the client is reminded on the seventh and twelfth, and on the fourteenth the freelancer is told", async () => {
  await stored();
  const remind = deliveryReminders(harness.database);
  const counts = [];
  for (const days of [0, 6.9, 7, 7.1, 11.9, 12, 13.9, 14, 15, 60]) counts.push(await remind(after(days)));
  expect(counts).toEqual([0, 0, 1, 0, 0, 1, 0, 1, 0, 0]);
  expect(await told()).toEqual([
    "clara delivery-waiting (client)",
    "clara delivery-waiting (client)",
    "fred may-complete",
  ]);
});

test("When it runs on several instances at once, in batches, then everybody is told exactly once", async () => {
  await Promise.all(Array.from({ length: 25 }, () => stored()));
  const instances = Array.from({ length: 4 }, () => deliveryReminders(harness.database, { batch: 10 }));
  const counts = await Promise.all(instances.map((remind) => remind(after(7))));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(25);
  expect(await harness.database.notifications.countDocuments()).toBe(25);
});

test("When the product was away for two weeks, then only the latest of what was due is told", async () => {
  await stored();
  expect(await deliveryReminders(harness.database)(after(30))).toBe(1);
  expect(await told()).toEqual(["fred may-complete"]);
});

test("When the client has reacted, or left, then they are not reminded", async () => {
  await stored({ state: "completed" });
  await stored({ ownerId: formerMemberId() });
  await deliveryReminders(harness.database)(after(7));
  expect(await told()).toEqual([]);
});

test("When it looks for what is due, then an index leads it there, past all other tasks", async () => {
  await Promise.all([stored(), ...Array.from({ length: 20 }, () => harness.insertTask({}))]);
  const filter = { state: "delivered", "delivery.remindAt": { $lte: after(7) } } as const;
  const found = harness.database.tasks
    .find(filter)
    .sort({ "delivery.remindAt": 1, _id: 1 })
    .hint("delivery-due");
  const plan = await found.explain("executionStats");
  expect(JSON.stringify(plan)).not.toMatch(/"stage":"(SORT|COLLSCAN)"/);
  expect(plan["executionStats"].totalKeysExamined).toBe(1);
});
