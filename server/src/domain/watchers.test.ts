import { ObjectId } from "mongodb";
import { beforeEach, expect, test, vi } from "vitest";
import { bidHelpers, waitForAnnouncements } from "../../test/bid-helpers.ts";
import { aBidDoc, aSavedTaskDoc, aTaskDraft, inDays } from "../../test/builders.ts";
import { useHarness, useOperator, usePeople } from "../../test/harness.ts";
import { type Person, signUp } from "../../test/people.ts";
import { instanceJobs } from "../../test/run-jobs.ts";
import { announcer } from "./announcements.ts";

// Announcements are delivered only when a test says so.
const nudge = vi.fn();
const harness = useHarness({ jobs: { nudge } });
const { bid, award } = bidHelpers(harness);
const [client, ada, ben, cleo] = usePeople("Clara Client", "Ada", "Ben", "Cleo");
const operator = useOperator(harness);

beforeEach(async () => {
  await harness.clear("tasks", "bids", "savedTasks", "notifications", "jobs");
  nudge.mockClear();
});

const deliverAll = ({ batch = 500, at = harness.clock.now } = {}) =>
  instanceJobs(harness, {
    kinds: { announcement: { work: announcer(harness.database, { batch }) } },
    at,
  }).drainAll();
const save = (person: Person, id: string) => harness.as(person).put(`/me/saved/${id}`).expect(200);
const change = (id: string, draft: object) =>
  harness.as(client).put(`/tasks/${id}`, aTaskDraft(draft)).expect(200);
const move = (id: string, state: string, more = {}) =>
  harness
    .as(client)
    .patch(`/tasks/${id}/state`, { state, ...more })
    .expect(200);

/** A person's notifications, and whether they got them as a watcher. */
async function noticesOf({ uid }: Person): Promise<string[]> {
  const found = await harness.database.notifications.find({ recipientId: uid }).sort({ _id: 1 }).toArray();
  return found.map(({ kind, saved, taskTitle }) => `${kind}${saved ? " (saved)" : ""}: ${taskTitle}`);
}

test("When a task is changed, cancelled, reopened and deleted, then watchers are notified of each in order, with its title", async () => {
  const id = await harness.postTask(client, { title: "First" });
  await save(ada, id);
  await change(id, { title: "Second" });
  await move(id, "cancelled");
  await move(id, "open", { deadline: inDays(9) });
  await harness.as(client).delete(`/tasks/${id}`).expect(200);
  await deliverAll();
  const names = ["task-changed", "task-cancelled", "task-reopened", "task-deleted"];
  expect(await noticesOf(ada)).toEqual(names.map((kind) => `${kind} (saved): Second`));
  const [listed] = await harness.read("/me/saved", ada);
  expect(listed).toMatchObject({ title: "Second", gone: "deleted" });
});

test("When somebody both bid and saved, then they are notified once, as a bidder; the hired freelancer only of the award", async () => {
  const id = await harness.postTask(client, { title: "Logo" });
  for (const person of [ada, ben, cleo]) await save(person, id);
  for (const person of [ada, ben]) await bid(id, person);
  await change(id, { title: "Logo", budget: 9 });
  await award(id, client, ada);
  await deliverAll();
  expect(await noticesOf(ada)).toEqual(["task-changed: Logo", "awarded: Logo"]);
  expect(await noticesOf(ben)).toEqual(["task-changed: Logo", "declined: Logo"]);
  expect(await noticesOf(cleo)).toEqual(["task-changed (saved): Logo", "task-awarded (saved): Logo"]);
});

test("When somebody is hired, then watchers are still notified of a new deadline, cancellation and completion, the hired freelancer once, other bidders not at all", async () => {
  for (const end of ["cancelled", "completed"] as const) {
    const id = await harness.postTask(client, { title: "Logo" });
    for (const person of [ada, cleo]) await save(person, id);
    for (const person of [ada, ben]) await bid(id, person);
    await award(id, client, ada);
    await deliverAll();
    await harness.database.notifications.deleteMany({});
    await change(id, { title: "Logo", deadline: inDays(20) });
    await move(id, end, end === "cancelled" ? { reason: "No more money." } : {});
    await deliverAll();
    const kinds = ["task-changed", `task-${end}`];
    expect(await noticesOf(cleo)).toEqual(kinds.map((kind) => `${kind} (saved): Logo`));
    expect(await noticesOf(ada)).toEqual(kinds.map((kind) => `${kind}: Logo`));
    expect(await noticesOf(ben)).toEqual([]);
  }
});

test("When the client of an awarded task deletes their account, then its watchers are notified that it was cancelled", async () => {
  const leaver = await signUp();
  const id = await harness.postTask(leaver, { title: "Logo" });
  await save(ben, id);
  await bid(id, ada);
  await award(id, leaver, ada);
  await deliverAll();
  await harness.as(leaver).delete("/me").expect(200);
  await deliverAll();
  expect(await noticesOf(ben)).toEqual(["task-awarded (saved): Logo", "task-cancelled (saved): Logo"]);
});

test("When a task is hidden and restored, then watchers are notified, without its title while it is hidden", async () => {
  const id = await harness.postTask(client, { title: "Offensive" });
  await save(ada, id);
  for (const hidden of [true, true, false])
    await harness.as(operator).patch(`/tasks/${id}/visibility`, { hidden, reason: "spam" }).expect(200);
  await deliverAll();
  expect(await noticesOf(ada)).toEqual([
    "task-hidden (saved): Hidden task",
    "task-restored (saved): Offensive",
  ]);
});

const names = (kind: string, count: number) => Array.from({ length: count }, (_, at) => `${kind}-${at}`);

type Audience = { bidders: number; both: number; watchers: number };

/** Cancels a task with these numbers of bidders, watchers, and people who are both. */
async function cancelTaskOf(count: Audience): Promise<void> {
  const id = await harness.postTask(client);
  const taskId = new ObjectId(id);
  const both = names("both", count.both);
  const bids = [...names("bidder", count.bidders), ...both].map((bidderId) => aBidDoc({ taskId, bidderId }));
  const saved = [...both, ...names("watcher", count.watchers)].map((uid) => aSavedTaskDoc(uid, taskId));
  const { database } = harness;
  await database.savedTasks.insertMany(saved);
  if (bids.length > 0) await database.bids.insertMany(bids);
  await database.tasks.updateOne({ _id: taskId }, { $set: { bidsCount: bids.length } });
  await move(id, "cancelled");
}

/** The recipients of all notifications; `saved` marks those who got them as a watcher. */
async function recipients(): Promise<string[]> {
  const found = await harness.database.notifications.find().toArray();
  return found.map(({ recipientId, saved }) => `${recipientId}${saved ? " saved" : ""}`).sort();
}
const expected = ({ bidders, both, watchers }: Audience) =>
  [
    ...names("bidder", bidders),
    ...names("both", both),
    ...names("watcher", watchers).map((name) => `${name} saved`),
  ].sort();

test.each([
  { bidders: 1, both: 1, watchers: 3 },
  { bidders: 0, both: 2, watchers: 2 },
])(
  "When two instances deliver to bidders and watchers (%o) in batches of two, of which one takes the other for crashed, then each is notified once, people who are both as bidders",
  async (count) => {
    await cancelTaskOf(count);
    // The second one takes every job for abandoned.
    const later = new Date(harness.clock.now.getTime() + 60_000);
    await Promise.all([deliverAll({ batch: 2 }), deliverAll({ batch: 2, at: later })]);
    await waitForAnnouncements(harness);
    expect(await recipients()).toEqual(expected(count));
  },
);

test("When an announcer crashes between bidders and watchers, then the next one notifies the watchers, and no bidder twice", async () => {
  const count = { bidders: 2, both: 1, watchers: 2 };
  await cancelTaskOf(count);
  const { notifications, jobs } = harness.database;
  const insertMany = notifications.insertMany.bind(notifications);
  const crash = vi
    .spyOn(notifications, "insertMany")
    .mockImplementationOnce(insertMany)
    .mockRejectedValueOnce(new Error("killed"));
  await deliverAll();
  crash.mockRestore();
  expect(await recipients()).toEqual(expected({ ...count, watchers: 0 }));
  expect(await jobs.countDocuments({ kind: "announcement", subject: { $ne: "" } })).toBe(1);
  await deliverAll({ at: new Date(harness.clock.now.getTime() + 60_000) });
  expect(await recipients()).toEqual(expected(count));
});
