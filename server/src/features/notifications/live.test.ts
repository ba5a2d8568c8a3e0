import { ObjectId } from "mongodb";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { EventReader } from "../../../test/event-reader.ts";
import {
  aNotificationDoc,
  aTaskDraft,
  expectProblem,
  type Instance,
  type Person,
  signUp,
  useHarness,
  usePeople,
  verifyEmail,
} from "../../../test/index.ts";
import {
  type Notification,
  notificationSchema,
  type TaskEvent,
  taskEventSchema,
} from "../../contract/index.ts";
import { notify } from "../../domain/notify.ts";

const harness = useHarness();
const [ada, ben] = usePeople("Ada", "Ben");
let here: Instance;
let there: Instance;

beforeAll(() => {
  [here, there] = [harness.instance(), harness.instance()];
});
afterEach(() => harness.clear("notifications"));

async function notifyPerson(person: Person, title = "A task", count = 1): Promise<void> {
  const notices = Array.from({ length: count }, () => ({
    recipientId: person.uid,
    kind: "new-bid" as const,
    task: { _id: new ObjectId(), title },
    asClient: true,
    actor: { uid: "ben", name: "Ben" },
    amount: 450.5,
  }));
  await notify(harness.database.notifications, notices, new Date());
}

const titles = (reader: EventReader) =>
  reader.of<Notification>("notification").map(({ taskTitle }) => taskTitle);
const unread = (reader: EventReader) => reader.of<{ unread: number }>("unread").map((state) => state.unread);

test("When somebody verified their address elsewhere and only visits public pages, then following events records it", async () => {
  const person = await signUp();
  const isVerified = async () => (await harness.database.people.findOne({ _id: person.uid }))?.emailVerified;
  await harness.read("/me", person);
  expect(await isVerified()).toBe(false);
  await here.follow(await verifyEmail(person));
  expect(await isVerified()).toBe(true);
});

test("When /me/events is opened, then it is a stream that no proxy may buffer, and begins with the unread counts and an id to resume from", async () => {
  await notifyPerson(ada);
  const reader = await here.follow(ada);
  expect(reader.status).toBe(200);
  expect(Object.fromEntries(reader.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  });
  expect(reader.headers.get("content-encoding")).toBeNull();
  await reader.until(() => reader.events.length > 0);
  expect(reader.text()).toMatch(/^retry: [12]\d{3}\n\n/);
  expect(reader.events[0]).toEqual({
    event: "unread",
    id: expect.stringMatching(/^[\da-f]{24}$/),
    data: { unread: 1, conversations: 0 },
  });
});

test("When another instance writes, then each person gets their own events from this one, once, with the unread count", async () => {
  const [hers, his] = [await here.follow(ada), await here.follow(ben)];
  await hers.until(() => unread(hers).length > 0);
  await notifyPerson(ada, "For Ada");
  await hers.until(() => titles(hers).length === 1 && unread(hers).at(-1) === 1, "the notification");
  const [notification] = hers.of<Notification>("notification");
  expect(notificationSchema.parse(notification)).toEqual(notification);
  expect(notification).toMatchObject({ kind: "new-bid", taskTitle: "For Ada", actor: "Ben", read: false });
  expect(hers.events.find(({ event }) => event === "notification")?.id).toBe(notification?._id);
  // Read in another tab, through the other instance.
  await there.ok(ada).post("/me/notifications/read");
  await hers.until(() => unread(hers).at(-1) === 0, "unread 0");
  expect(titles(hers)).toEqual(["For Ada"]);
  expect(titles(his)).toEqual([]);
});

test("When a followed task changes on another instance, then its current state is sent; when it is deleted, then null", async () => {
  const id = await harness.postTask(ada);
  const reader = await here.follow(ben, { task: id.toUpperCase() });
  const tasks = () => reader.of<TaskEvent | null>("task");
  await reader.until(() => tasks().length === 1);
  expect(taskEventSchema.parse(tasks()[0])).toMatchObject({ taskId: id, bidsCount: 0, state: "open" });
  await there.ok(ben).patch(`/tasks/${id}/bid`);
  await reader.until(() => tasks().at(-1)?.bidsCount === 1, "the bid");
  await there.ok(ada).put(`/tasks/${id}`, aTaskDraft({ title: "Changed" }));
  await reader.until(() => tasks().at(-1)?.version === 1, "the change");
  await harness.database.tasks.deleteOne({ _id: new ObjectId(id) });
  await reader.until(() => tasks().at(-1) === null, "the end");
});

test("When a task is hidden, then its owner still follows it, and others get null as if it were deleted", async () => {
  const { _id } = await harness.insertTask({ ownerId: ada.uid });
  const task = _id.toHexString();
  const [hers, his] = [await here.follow(ada, { task }), await there.follow(ben, { task })];
  await his.until(() => his.of("task").length === 1);
  await harness.database.tasks.updateOne({ _id }, { $set: { hidden: true }, $inc: { revision: 1 } });
  await his.until(() => his.of("task").at(-1) === null, "null");
  await hers.until(() => hers.of<TaskEvent>("task").at(-1)?.version === 1, "the owner's");
  const late = await here.follow(ben, { task });
  await late.until(() => late.of("task").length === 1);
  expect(late.of("task")).toEqual([null]);
});

test("When a stream resumes, then notifications with ids shortly before the last event's, which committed late, are resent too", async () => {
  const at = (secondsAgo: number) => ObjectId.createFromTime(Math.floor(Date.now() / 1000) - secondsAgo);
  const doc = (_id: ObjectId, taskTitle: string) =>
    aNotificationDoc({ _id, recipientId: ada.uid, taskTitle });
  const witness = await here.follow(ada);
  await harness.database.notifications.insertMany([
    doc(at(300), "long ago"),
    doc(at(40), "committed late"),
    doc(at(5), "after"),
  ]);
  await witness.until(() => titles(witness).length === 3);
  const reader = await here.follow(ada, { lastEventId: at(20).toHexString() });
  await reader.until(() => titles(reader).length === 2);
  expect(titles(reader)).toEqual(["committed late", "after"]);
});

test("When a stream resumes from long ago, then hundreds are resent, in order and completely", async () => {
  for (let batch = 0; batch < 5; batch++) await notifyPerson(ada, `batch ${batch}`, 70);
  const reader = await here.follow(ada, { lastEventId: ObjectId.createFromTime(0).toHexString() });
  await reader.until(() => titles(reader).length === 350, "all 350");
  const ids = reader.of<Notification>("notification").map(({ _id }) => _id);
  expect(ids).toEqual([...ids].sort());
});

test("When the feed was down while something was written, then that is sent once the feed is back", async () => {
  let emit: (change: undefined) => void = () => undefined;
  const brokenFeed = {
    ...here.changes,
    onChange: (listener: (change: undefined) => void) => {
      emit = listener;
      return () => undefined;
    },
    isLive: () => true,
  };
  const instance = harness.instance({ changes: brokenFeed });
  const reader = await instance.follow(ada);
  await reader.until(() => unread(reader).length === 1);
  await notifyPerson(ada, "missed");
  emit(undefined);
  await reader.until(
    () => titles(reader).length === 1 && unread(reader).at(-1) === 1,
    "the missed notification",
  );
});

test("When the token expires, then the stream ends", async () => {
  const verifier = {
    verify: async () => ({
      uid: ada.uid,
      email: ada.email,
      name: ada.name,
      loggedInAt: new Date(),
      tokenExpiresAt: harness.later(400),
    }),
  };
  const instance = harness.instance({ verifier });
  const reader = await instance.follow(ada);
  expect(reader.status).toBe(200);
  await reader.ended;
});

test("When an account is deleted on another instance, then its streams end immediately and none opens again; others stay open", async () => {
  // The deletion ends sessions that are older by the product's clock.
  harness.clock.now = new Date();
  // A new instance does not ask about sessions before this test is over.
  const here = harness.instance();
  const leaver = await signUp();
  const [his, hers] = [await here.follow(leaver), await here.follow(ada)];
  await his.until(() => unread(his).length > 0);
  await there.ok(leaver).delete("/me");
  await his.ended;
  expectProblem(await here.as(leaver).get("/me/events"), "session-expired");
  await notifyPerson(ada);
  await hers.until(() => titles(hers).length === 1);
});

test("When one person has six streams open, then one more is rejected with a Retry-After, until one is closed", async () => {
  const [first] = await Promise.all(Array.from({ length: 6 }, () => here.follow(ada)));
  const refused = await here.as(ada).get("/me/events");
  expectProblem(refused, "too-many-requests");
  expect(refused.headers["retry-after"]).toBe("30");
  first?.leave();
  await expect.poll(async () => (await here.as(ada).head("/me/events")).status).toBe(200);
});

test("When the server stops, then its streams end immediately, and no new one opens", async () => {
  const stopping = new AbortController();
  const instance = harness.instance({ stopping: stopping.signal });
  const reader = await instance.follow(ada);
  await reader.until(() => unread(reader).length === 1);
  stopping.abort();
  await reader.ended;
  expectProblem(await instance.as(ada).get("/me/events"), "unavailable");
});

test("When the database fails while a stream reads, then the stream ends, and its reader can reconnect", async () => {
  const failing = vi
    .spyOn(harness.database.notifications, "countDocuments")
    .mockRejectedValue(new Error("down"));
  const reader = await here.follow(ada);
  await reader.ended;
  failing.mockRestore();
  expect(harness.log.join()).toContain("event streams end");
  const again = await here.follow(ada);
  await again.until(() => unread(again).length === 1);
});
