import { ObjectId } from "mongodb";
import { beforeEach, expect, test } from "vitest";
import { aBidDoc, aNotificationDoc, anAwardOf, atOnceBut, inDays, useHarness } from "../../../test/index.ts";
import { useMailServer } from "../../../test/use-mail-server.ts";
import type { NotificationKind } from "../../contract/index.ts";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { nextMorning, notify } from "../../domain/notify.ts";

const harness = useHarness();
const mailServer = useMailServer(harness);
const { subjects, createdAt, later, sender } = mailServer;
const soon = later(2);
const morning = nextMorning(soon);
const hoursAfter = (hours: number) => new Date(morning.getTime() + hours * 3_600_000);
/** Waits for a daily email already. */
const DAILY = { attempts: 0, dueAt: createdAt, daily: true } as const;

beforeEach(() => mailServer.person("ada", { mailChoices: atOnceBut({ bids: "daily", payments: "never" }) }));

async function notifyAda(fields: Partial<NotificationDoc>): Promise<ObjectId> {
  const doc = aNotificationDoc({ recipientId: "ada", actor: "Ben", amount: 450.5, createdAt, ...fields });
  await harness.database.notifications.insertOne(doc);
  return doc._id;
}

test("When somebody chooses emails of some kinds once a day and of others never, then one email has all of the first the next morning, and the others are not sent", async () => {
  await notifyAda({ kind: "new-bid" });
  await notifyAda({ kind: "bid-withdrawn" });
  await notifyAda({ kind: "payment-sent" });
  await notifyAda({ kind: "work-delivered" });
  const readMeanwhile = await notifyAda({ kind: "shortlisted" });
  const send = sender();
  expect(await send(soon)).toBe(1);
  expect(subjects()).toEqual(["Ben delivered the work on “Build a booking page”"]);

  await harness.database.notifications.updateOne({ _id: readMeanwhile }, { $set: { readAt: createdAt } });
  expect(await send(hoursAfter(-0.01))).toBe(0);
  expect(await send(hoursAfter(0.01))).toBe(1);
  expect(subjects().at(-1)).toBe("2 notifications of the last day");
  const { text } = mailServer.mails.at(-1) ?? {};
  expect(text).toContain("Ben bid $450.50 on “Build a booking page”.");
  expect(text).toContain("Ben withdrew their bid on “Build a booking page”.");
  expect(text).toContain("unsubscribe?person=ada");
  expect(await send(hoursAfter(24))).toBe(0);
});

test.each<[NotificationKind, still: Partial<TaskDoc>, noMore: Partial<TaskDoc>]>([
  ["invited", {}, { state: "cancelled" }],
  ["invited", {}, { hidden: true }],
  ["disputed", { state: "awarded", award: { ...anAwardOf(aBidDoc()), ending: "operator" } }, {}],
  ["deadline-near", { deadline: inDays(1) }, { deadline: inDays(9) }],
  ["bids-undecided", { deadline: "2026-01-01" }, { deadline: inDays(9) }],
  ["delivery-waiting", { state: "delivered" }, { state: "completed" }],
  ["may-complete", { state: "delivered" }, { state: "completed" }],
  [
    "payment-due",
    { state: "completed" },
    { state: "completed", payment: { state: "received", at: createdAt } },
  ],
  [
    "payment-unconfirmed",
    { state: "completed", payment: { state: "paid", at: createdAt } },
    { state: "completed" },
  ],
])(
  "When %s waits for the daily email, then it is in it only if it still holds",
  async (kind, still, noMore) => {
    await harness.database.people.updateOne({ _id: "ada" }, { $unset: { mailChoices: true } });
    const award = anAwardOf(aBidDoc());
    for (const [taskTitle, fields] of [
      ["Still", still],
      ["No more", noMore],
    ] as const) {
      const { _id: taskId } = await harness.insertTask({ award, ...fields });
      await notifyAda({ kind, taskId, taskTitle, mail: DAILY });
    }
    // A task that was deleted.
    await notifyAda({ kind, taskTitle: "No more", mail: DAILY });
    expect(await sender()(soon)).toBe(1);
    expect(mailServer.mails[0]?.text).toContain("“Still”");
    expect(mailServer.mails[0]?.text).not.toMatch(/“(No more|Hidden task)”/);
  },
);

test("When something happens again while it waits for the daily email, then the next daily email has it, and what happens after that waits for the one after", async () => {
  const task = { _id: new ObjectId(), title: "Build a booking page" };
  const actor = { uid: "ben", name: "Ben" };
  const notice = { recipientId: "ada", kind: "bid-changed", task, asClient: true, actor } as const;
  const change = (now: Date) => notify(harness.database.notifications, [notice], now);
  const send = sender();
  await change(createdAt);
  expect(await send(soon)).toBe(0);
  await change(hoursAfter(-2));
  expect(await send(morning)).toBe(1);
  await change(hoursAfter(0.5));
  for (const hours of [2, 4]) expect(await send(hoursAfter(hours))).toBe(0);
  expect(await send(hoursAfter(24))).toBe(1);
});

test("When more than 50 notifications wait for a daily email, then it has 50, and the next one has the others", async () => {
  for (let number = 0; number < 52; number++) await notifyAda({ taskId: new ObjectId(), mail: DAILY });
  const send = sender();
  for (const count of [1, 1, 0]) expect(await send(soon)).toBe(count);
  expect(subjects()).toEqual(["50 notifications of the last day", "2 notifications of the last day"]);
});

test("When something is emailed daily, then at eight in the morning (UTC)", () => {
  expect(nextMorning(new Date("2026-03-01T07:59:59Z"))).toEqual(new Date("2026-03-01T08:00:00Z"));
  expect(nextMorning(new Date("2026-03-01T08:00:00Z"))).toEqual(new Date("2026-03-02T08:00:00Z"));
});
