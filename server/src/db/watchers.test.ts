import { ObjectId } from "mongodb";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { aTaskDraft, inDays } from "../../test/builders.ts";
import { people, useHarness } from "../../test/harness.ts";
import { hiring } from "../../test/hiring.ts";
import { type Person, signUpOperator } from "../../test/people.ts";
import { createAnnouncer } from "./announcements.ts";
import { watchersOf } from "./watchers.ts";

const SILENT = { warn: () => undefined };

// Nothing that is announced is told before a test says so.
const harness = useHarness({ announcer: { nudge: () => undefined } });
const { bid, award } = hiring(harness);
let client: Person;
let ada: Person;
let ben: Person;
let operator: Person;

beforeAll(async () => {
  [client, ada, ben] = (await people(3)) as [Person, Person, Person];
  operator = await signUpOperator();
});
beforeEach(async () => {
  const { tasks, bids, savedTasks, notifications, announcements } = harness.database;
  for (const each of [tasks, bids, savedTasks, notifications, announcements]) await each.deleteMany({});
});

const tellAll = (options = {}) => createAnnouncer(harness.database, { log: SILENT, ...options }).tell();
const save = (person: Person, id: string) => harness.as(person).put(`/me/saved/${id}`).expect(200);
const change = (id: string, draft: object) =>
  harness.as(client).put(`/tasks/${id}`, aTaskDraft(draft)).expect(200);
const move = (id: string, state: string, more = {}) =>
  harness
    .as(client)
    .patch(`/tasks/${id}/state`, { state, ...more })
    .expect(200);

/** What somebody was told, and whether as one who saved the task. */
async function told({ uid }: Person): Promise<string[]> {
  const found = await harness.database.notifications.find({ recipientId: uid }).sort({ _id: 1 }).toArray();
  return found.map(({ kind, saved, taskTitle }) => `${kind}${saved ? " (saved)" : ""}: ${taskTitle}`);
}

test("When a task changes, closes, opens again and is deleted, then who saved it is told each, in order, with its title", async () => {
  const id = await harness.posted(client, { title: "First" });
  await save(ada, id);
  await change(id, { title: "Second" });
  await move(id, "cancelled");
  await move(id, "open", { deadline: inDays(9) });
  await harness.as(client).delete(`/tasks/${id}`).expect(200);
  await tellAll();
  const names = ["task-changed", "task-cancelled", "task-reopened", "task-deleted"];
  expect(await told(ada)).toEqual(names.map((kind) => `${kind} (saved): Second`));
  const [listed] = (await harness.as(ada).get("/me/saved").expect(200)).body;
  expect(listed).toMatchObject({ title: "Second", gone: "deleted" });
});

test("When somebody both bid and saved, then they are told once, as a bidder; whoever was hired is told nothing else", async () => {
  const id = await harness.posted(client, { title: "Logo" });
  const [cleo] = (await people(1)) as [Person];
  for (const person of [ada, ben, cleo]) await save(person, id);
  for (const person of [ada, ben]) await bid(id, person);
  await change(id, { title: "Logo", budget: 9 });
  await award(id, client, ada);
  await tellAll();
  expect(await told(ada)).toEqual(["task-changed: Logo", "awarded: Logo"]);
  expect(await told(ben)).toEqual(["task-changed: Logo", "declined: Logo"]);
  expect(await told(cleo)).toEqual(["task-changed (saved): Logo", "task-awarded (saved): Logo"]);
});

test("When a task is hidden and restored, then who saved it is told, without its title while it is hidden", async () => {
  const id = await harness.posted(client, { title: "Offensive" });
  await save(ada, id);
  for (const hidden of [true, true, false])
    await harness.as(operator).patch(`/tasks/${id}/visibility`, { hidden, reason: "spam" }).expect(200);
  await tellAll();
  expect(await told(ada)).toEqual(["task-hidden (saved): Hidden task", "task-restored (saved): Offensive"]);
});

test("When a thousand people saved it and several instances tell them in batches, then each is told exactly once", async () => {
  const id = await harness.posted(client);
  const taskId = new ObjectId(id);
  const createdAt = new Date();
  const crowd = Array.from({ length: 1_000 }, (_, at) => `watcher-${String(at).padStart(4, "0")}`);
  await harness.database.savedTasks.insertMany(
    crowd.map((personId) => ({ _id: new ObjectId(), personId, taskId, createdAt })),
  );
  expect(await watchersOf(harness.database, taskId, { after: "watcher-0500", limit: 2 })).toEqual([
    "watcher-0501",
    "watcher-0502",
  ]);
  await change(id, { budget: 9 });
  await Promise.all(Array.from({ length: 3 }, () => tellAll({ batch: 90 })));
  const { notifications, announcements } = harness.database;
  const recipients = await notifications.distinct("recipientId", { kind: "task-changed" });
  expect([recipients.length, await notifications.countDocuments()]).toEqual([1_000, 1_000]);
  expect(await announcements.countDocuments()).toBe(0);
});

test("When somebody removed the task before they were told, or nobody saved it, then nobody is told and nothing is announced", async () => {
  const id = await harness.posted(client);
  await change(id, { budget: 9 });
  expect(await harness.database.announcements.countDocuments()).toBe(0);
  await save(ada, id);
  await change(id, { budget: 10 });
  await harness.as(ada).delete(`/me/saved/${id}`).expect(200);
  await tellAll();
  expect(await told(ada)).toEqual([]);
});
