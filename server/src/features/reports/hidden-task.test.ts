import { ObjectId } from "mongodb";
import { beforeEach, expect, test, vi } from "vitest";
import {
  bidHelpers,
  type Person,
  runJobs,
  useHarness,
  useOperator,
  usePeople,
  waitForAnnouncements,
} from "../../../test/index.ts";
import { HIDDEN_TITLE } from "../../domain/task-conditions.ts";
import { mailStore } from "../notifications/mail-store.ts";

const TITLE = "Offensive xylophone";
const harness = useHarness();
const { bid, award, converse, move, triage } = bidHelpers(harness);
const [client, hired, other] = usePeople("Clara Client", "Hal Hired", "Otto Other");
const operator = useOperator(harness);
let id: string;

// Each test begins with a task that was awarded and then hidden.
beforeEach(async () => {
  await harness.clear("tasks", "bids", "notifications", "reviews");
  id = await harness.postTask(client, { title: TITLE });
  for (const person of [hired, other]) await bid(id, person);
  await award(id, client, hired);
  await waitForAnnouncements(harness);
  await setHidden(true);
});

const setHidden = (hidden: boolean, path = `/tasks/${id}`) =>
  harness.ok(operator).patch(`${path}/visibility`, { hidden, reason: "offensive" });
const read = async (person: Person, path: string) => (await harness.ok(person).get(path)).text;

test("When an operator hides a task, then its client reads the latest reason with it, and nobody else does", async () => {
  const id = await harness.postTask(client);
  const set = (body: object) => harness.ok(operator).patch(`/tasks/${id}/visibility`, body);
  const why = async (person: Person) => (await harness.read(`/tasks/${id}`, person)).hiddenBecause;
  await set({ hidden: true, reason: "spam" });
  await set({ hidden: false });
  expect(await why(client)).toBeUndefined();
  await set({ hidden: true, reason: "fraud", text: "Asks for money." });
  expect(await why(client)).toBe("Fraud or a scam. “Asks for money.”");
  expect(await why(operator)).toBeUndefined();
});

// That others do not find it is in the model of a task's life.
test("When somebody who has bid withdraws from a hidden task, then their bid is gone", async () => {
  id = await harness.postTask(client);
  await bid(id, other);
  await setHidden(true);
  const { body } = await harness.ok(other).delete(`/tasks/${id}/bid`);
  expect(body.deletedCount).toBe(1);
});

test("When a hidden task is deleted, then its title stays hidden from everybody except its client", async () => {
  const task = await harness.postTask(client, { title: TITLE });
  await bid(task, other);
  await triage(task, client, other, "shortlisted");
  const conversation = `/me/conversations/${await converse(task, client, other)}`;
  await harness.ok(client).post(`${conversation}/messages`, { text: "When can you begin?" });
  await setHidden(true, `/tasks/${task}`);
  const paths = ["/me/notifications", "/me/conversations", conversation, "/me/export"];
  for (const path of paths) expect(await read(other, path), path).not.toContain(TITLE);
  // Without a state, pages do not link to it.
  expect(await read(other, conversation)).not.toContain('"state"');
  expect(await read(client, conversation)).toContain('"state"');
  await harness.ok(client).delete(`/tasks/${task}`);
  await waitForAnnouncements(harness);
  for (const path of paths) {
    expect(await read(other, path), path).not.toContain(TITLE);
    expect(await read(client, path), path).toContain(TITLE);
  }
  await runJobs(harness, harness.later(600_000));
  const notice = await harness.database.notifications.findOne({ kind: "message" });
  expect(notice).toMatchObject({ recipientId: other.uid, taskTitle: HIDDEN_TITLE });
});

test("When a task is hidden, then other bidders do not see its title anywhere until it is restored", async () => {
  const paths = ["/me/bids", "/me/bids.csv", "/me/notifications", "/me/export"];
  for (const path of paths) {
    expect(await read(other, path), path).not.toContain(TITLE);
    expect(await read(hired, path), path).toMatch(path === "/me/export" ? "bids" : TITLE);
  }
  const [row] = JSON.parse(await read(other, "/me/bids"));
  expect(row.task).toMatchObject({ title: HIDDEN_TITLE, hidden: true });
  expect(JSON.parse(await read(hired, "/me/bids"))[0].task).not.toHaveProperty("hidden");
  expect(await read(other, "/me/bids.csv")).toContain(HIDDEN_TITLE);

  // Notifications created in the meantime do not contain it either.
  await move(id, client, "cancelled", { reason: "Off." });
  await move(id, client, "open");
  await waitForAnnouncements(harness);
  const stored = await harness.database.notifications
    .find({ recipientId: other.uid, kind: "task-reopened" })
    .toArray();
  expect(stored.map(({ taskTitle }) => taskTitle)).toEqual([HIDDEN_TITLE]);

  await setHidden(false);
  for (const path of paths.slice(0, 3)) expect(await read(other, path), path).toContain(TITLE);
});

test("When a question on a hidden task is hidden, then its asker is notified without the title, and the client with it", async () => {
  const task = await harness.postTask(client, { title: TITLE });
  const path = `/tasks/${task}/questions`;
  const { insertedId } = (await harness.ok(other).post(path, { text: "Who plays it?" })).body;
  await harness.ok(client).put(`${path}/${insertedId}/answer`, { text: "Nobody." });
  for (const each of [`/tasks/${task}`, `${path}/${insertedId}`]) await setHidden(true, each);
  const found = await harness.database.notifications.find({ kind: "question-hidden" }).toArray();
  expect(new Map(found.map(({ recipientId, taskTitle }) => [recipientId, taskTitle]))).toEqual(
    new Map([
      [other.uid, HIDDEN_TITLE],
      [client.uid, TITLE],
    ]),
  );
});

test("When a task is hidden before its emails are sent, then only those to its client and freelancer contain the title", async () => {
  const store = mailStore(harness.database);
  const titles = new Map<string, string | undefined>();
  for (const notification of await harness.database.notifications.find().toArray()) {
    const [claimed] = await store.claim(notification, new Date());
    titles.set(notification.recipientId, claimed?.taskTitle);
  }
  expect(titles).toEqual(
    new Map([
      [client.uid, TITLE],
      [hired.uid, TITLE],
      [other.uid, HIDDEN_TITLE],
    ]),
  );
});

test("When a completed task is hidden, then reviews do not show its title, and its client's statistics do not count it", async () => {
  await harness.postTask(client);
  await move(id, client, "completed");
  for (const side of [client, hired])
    await harness.ok(side).post(`/tasks/${id}/reviews`, { stars: 5, text: "Well done." });
  const profile = (person: Person) => harness.read(`/profiles/${person.uid}`);
  expect(await harness.read(`/profiles/${hired.uid}/reviews`)).toMatchObject([
    { taskTitle: HIDDEN_TITLE, stars: 5 },
  ]);
  expect(await profile(client)).toMatchObject({ tasksPosted: 1, tasksCompleted: 0 });
  // The freelancer's completed job still counts.
  expect(await profile(hired)).toMatchObject({ jobsCompleted: 1 });
  await setHidden(false);
  expect(await profile(client)).toMatchObject({ tasksPosted: 2, tasksCompleted: 1 });
});

test("When a command on the task is being carried out, then hiding it waits for that instead of colliding with it", async () => {
  await setHidden(false);
  const { tasks, transactionOn } = harness.database;
  const _id = new ObjectId(id);
  const hiding = vi.spyOn(tasks, "findOneAndUpdate");
  const inTurn = vi.fn(transactionOn);
  const { as } = harness.instance({
    database: { ...harness.database, transactionOn: inTurn as typeof transactionOn },
  });
  let hidden: Promise<unknown> | undefined;
  await transactionOn(_id, async () => {
    await tasks.updateOne({ _id }, { $inc: { bidsRevision: 1 } });
    hidden ??= as(operator)
      .patch(`/tasks/${id}/visibility`, { hidden: true, reason: "spam" })
      .expect(200)
      .then();
    await expect.poll(() => inTurn).toHaveBeenCalled();
    return { changed: true };
  });
  await hidden;
  expect(hiding).toHaveBeenCalledTimes(1);
  expect((await harness.taskInStore(id))?.hidden).toBe(true);
});
