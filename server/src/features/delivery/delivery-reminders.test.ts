import { beforeEach, expect, test } from "vitest";
import { aBidDoc, aDelivery, anAwardOf } from "../../../test/builders.ts";
import { useHarness } from "../../../test/harness.ts";
import { runJobs } from "../../../test/run-jobs.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { enqueue } from "../../db/jobs.ts";
import { formerMemberId } from "../../domain/notify.ts";
import { firstReminder } from "./rules.ts";

const harness = useHarness();
const DELIVERED = new Date("2026-03-01T10:00:00Z");
const after = (days: number) => new Date(DELIVERED.getTime() + days * 86_400_000);

beforeEach(() => harness.clear("tasks", "notifications", "jobs"));

/** Stores a task as its delivery leaves it. */
async function insertDelivered(fields: Partial<TaskDoc> = {}): Promise<void> {
  const { _id } = await harness.insertTask({
    ownerId: "clara",
    state: "delivered",
    award: anAwardOf(aBidDoc({ bidderId: "fred" })),
    delivery: aDelivery(DELIVERED),
    ...fields,
  });
  const reminder = { kind: "delivery-reminder", subject: [_id], dueAt: firstReminder(DELIVERED) } as const;
  await harness.database.transaction((session) => enqueue(harness.database, reminder, session));
}

/** Recipient and kind of each notification, in order. */
async function notifications(): Promise<string[]> {
  const found = await harness.database.notifications.find({}).sort({ createdAt: 1, _id: 1 }).toArray();
  return found.flatMap(({ kind, recipientId, asClient, count = 1 }) =>
    Array<string>(count).fill(`${recipientId} ${kind}${asClient ? " (client)" : ""}`),
  );
}

test("When days pass, then the client is reminded on the seventh and twelfth, and the freelancer notified on the fourteenth", async () => {
  await insertDelivered();
  const counts = [];
  for (const days of [0, 6.9, 7, 7.1, 11.9, 12, 13.9, 14, 15, 60]) {
    await runJobs(harness, after(days));
    counts.push((await notifications()).length);
  }
  expect(counts).toEqual([0, 0, 1, 1, 1, 2, 2, 3, 3, 3]);
  expect(await notifications()).toEqual([
    "clara delivery-waiting (client)",
    "clara delivery-waiting (client)",
    "fred may-complete",
  ]);
});

test("When the client has reacted or deleted their account, then they are not reminded", async () => {
  await insertDelivered({ state: "completed" });
  await insertDelivered({ ownerId: formerMemberId() });
  await runJobs(harness, after(7));
  expect(await notifications()).toEqual([]);
});
