import { beforeEach, expect, test } from "vitest";
import { aBidDoc, aDelivery, anAwardOf } from "../../../test/builders.ts";
import { useHarness } from "../../../test/harness.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { formerMemberId } from "../../db/notices.ts";
import { deliveryReminders } from "./delivery-reminders.ts";

const harness = useHarness();
const DELIVERED = new Date("2026-03-01T10:00:00Z");
const after = (days: number) => new Date(DELIVERED.getTime() + days * 86_400_000);

beforeEach(() => harness.clear("tasks", "notifications"));

const insertDelivered = (fields: Partial<TaskDoc> = {}) =>
  harness.insertTask({
    ownerId: "clara",
    state: "delivered",
    award: anAwardOf(aBidDoc({ bidderId: "fred" })),
    delivery: aDelivery(DELIVERED),
    ...fields,
  });

/** Recipient and kind of each notification, in order. */
async function notifications(): Promise<string[]> {
  const found = await harness.database.notifications.find({}).sort({ createdAt: 1, _id: 1 }).toArray();
  return found.flatMap(({ kind, recipientId, asClient, count = 1 }) =>
    Array<string>(count).fill(`${recipientId} ${kind}${asClient ? " (client)" : ""}`),
  );
}

test("When days pass, then the client is reminded on the seventh and twelfth, and the freelancer notified on the fourteenth", async () => {
  await insertDelivered();
  const remind = deliveryReminders(harness.database);
  const counts = [];
  for (const days of [0, 6.9, 7, 7.1, 11.9, 12, 13.9, 14, 15, 60]) counts.push(await remind(after(days)));
  expect(counts).toEqual([0, 0, 1, 0, 0, 1, 0, 1, 0, 0]);
  expect(await notifications()).toEqual([
    "clara delivery-waiting (client)",
    "clara delivery-waiting (client)",
    "fred may-complete",
  ]);
});

test("When it runs on several instances at the same time, in batches, then everybody is notified exactly once", async () => {
  await Promise.all(Array.from({ length: 25 }, () => insertDelivered()));
  const instances = Array.from({ length: 4 }, () => deliveryReminders(harness.database, { batch: 10 }));
  const counts = await Promise.all(instances.map((remind) => remind(after(7))));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(25);
  expect(await harness.database.notifications.countDocuments()).toBe(25);
});

test("When the product was down for two weeks, then only the latest reminder due is sent", async () => {
  await insertDelivered();
  expect(await deliveryReminders(harness.database)(after(30))).toBe(1);
  expect(await notifications()).toEqual(["fred may-complete"]);
});

test("When the client has reacted or deleted their account, then they are not reminded", async () => {
  await insertDelivered({ state: "completed" });
  await insertDelivered({ ownerId: formerMemberId() });
  await deliveryReminders(harness.database)(after(7));
  expect(await notifications()).toEqual([]);
});
