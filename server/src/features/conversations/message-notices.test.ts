import { beforeEach, expect, test } from "vitest";
import {
  aSuspensionDoc,
  conversationHelpers,
  type Person,
  runJobs,
  useHarness,
} from "../../../test/index.ts";

const harness = useHarness();
const { scene, openConversation, path, ...helpers } = conversationHelpers(harness);
const { clara, fred } = scene;
let id: string;

beforeEach(async () => {
  id = await openConversation();
  await harness.clear("notifications");
});

const advanceClock = (minutes: number) => harness.advance(minutes * 60_000);
const write = (person: Person, text: string) => helpers.write(id, person, text).expect(201);
const see = (person: Person, number: number) => harness.ok(person).post(path(id, "/seen"), { number });
/** Runs what is due now. @returns how many notifications that added or renewed. */
async function run(): Promise<number> {
  const before = await timesNotified();
  await runJobs(harness);
  return (await timesNotified()) - before;
}
const timesNotified = async () => (await notifications()).reduce((sum, { count = 1 }) => sum + count, 0);
const notifications = () => harness.database.notifications.find().sort({ _id: 1 }).toArray();

test("When messages stay unread for ten minutes, then their reader is notified once of all of them, even by several instances", async () => {
  await write(clara, "One");
  advanceClock(6);
  await write(clara, "Two");
  advanceClock(3);
  expect(await run()).toBe(0);
  advanceClock(1);
  await Promise.all([run(), run(), run()]);
  expect(await notifications()).toMatchObject([
    { kind: "message", recipientId: fred.uid, actor: clara.name, taskTitle: "A logo", asClient: false },
  ]);
  // Nor do emails, which are made of them, contain what was written.
  expect(JSON.stringify(await notifications())).not.toContain("Two");
  const body = await harness.read("/me/notifications", fred);
  expect(body).toMatchObject([{ kind: "message", conversationId: id, read: false }]);
  advanceClock(60);
  expect(await run()).toBe(0);
});

test("When they were read or answered in time, then nobody is notified", async () => {
  await write(clara, "One");
  await see(fred, 1);
  advanceClock(30);
  expect(await run()).toBe(0);
  await write(clara, "Two");
  await write(fred, "Three");
  await see(clara, 3);
  advanceClock(30);
  expect(await run()).toBe(0);
  expect(await notifications()).toEqual([]);
});

test("When their reader blocks the sender, then the reader is not notified; a reader whom the sender blocked is", async () => {
  const block = (person: Person, blocked: boolean) =>
    harness.ok(person).patch(path(id, "/block"), { blocked });
  await write(clara, "One");
  await block(fred, true);
  advanceClock(10);
  expect(await run()).toBe(0);
  await block(fred, false);
  await write(clara, "Two");
  await block(clara, true);
  advanceClock(10);
  expect(await run()).toBe(1);
  expect(await notifications()).toMatchObject([{ kind: "message", recipientId: fred.uid }]);
});

test.each(["sender", "reader"] as const)(
  "When the %s is suspended before the reader is notified, then the notification waits until the suspension is lifted",
  async (who) => {
    const { uid } = who === "sender" ? clara : fred;
    await write(clara, "One");
    advanceClock(5);
    await harness.database.suspensions.insertOne(aSuspensionDoc(uid));
    for (let time = 0; time < 4; time++) {
      advanceClock(8);
      expect(await run()).toBe(0);
    }
    await harness.clear("suspensions");
    advanceClock(10);
    expect(await run()).toBe(1);
    expect(await notifications()).toMatchObject([{ kind: "message", recipientId: fred.uid }]);
  },
);

test("When more messages follow, then one notification counts both times, and reading all of them marks it as read", async () => {
  await write(clara, "One");
  advanceClock(10);
  expect(await run()).toBe(1);
  await write(clara, "Two");
  advanceClock(10);
  expect(await run()).toBe(1);
  await see(fred, 1);
  expect(await notifications()).toMatchObject([{ readAt: null, count: 2 }]);
  await see(fred, 2);
  expect((await notifications()).map(({ readBy }) => readBy)).toEqual([fred.uid]);
});
