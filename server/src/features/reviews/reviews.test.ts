import { ObjectId } from "mongodb";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  aPersonDoc,
  expectProblem,
  type Person,
  runJobs,
  signUp,
  taskScenes,
  useHarness,
} from "../../../test/index.ts";
import type { MyBid, Task } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { formerMemberId } from "../../domain/notify.ts";

const DAY_MS = 86_400_000;
const harness = useHarness();
const { client, completed } = taskScenes(harness);
let hired: Person;

beforeAll(async () => {
  hired = await signUp({ name: "Fred Freelancer", photoUrl: "https://pictures.example/fred.png" });
});
beforeEach(() => harness.clear("reviews", "notifications", "people", "jobs"));

/** A task of the client that the freelancer has completed. */
const completedTask = async () => (await harness.taskInStore(await completed({ to: hired }))) as TaskDoc;

const storePerson = ({ uid: _id, name, email }: Person) =>
  harness.database.people.insertOne(aPersonDoc({ _id, name, email }));

const review = (by: Person, task: TaskDoc, draft: object = { stars: 5, text: "Clear and kind." }) =>
  harness.as(by).post(`/tasks/${task._id}/reviews`, draft);

describe("POST /tasks/:id/reviews", () => {
  test("When a task is completed, then each side can review the other, and both reviews are shown once both are written", async () => {
    const task = await completedTask();
    const { insertedId } = (await review(client, task).expect(201)).body;
    const shown = () => harness.database.reviews.countDocuments({ shown: true });
    expect(await shown()).toBe(0);
    await review(hired, task, { stars: 3, text: " Late brief.\nPaid at once. " }).expect(201);
    expect(await harness.database.reviews.findOne({ _id: new ObjectId(insertedId) })).toMatchObject({
      taskId: task._id,
      taskTitle: task.title,
      authorId: client.uid,
      authorName: client.name,
      role: "client",
      subjectId: hired.uid,
      stars: 5,
      text: "Clear and kind.",
    });
    expect(await harness.database.reviews.findOne({ authorId: hired.uid })).toMatchObject({
      role: "freelancer",
      subjectId: client.uid,
      authorImage: "https://pictures.example/fred.png",
      text: "Late brief.\nPaid at once.",
    });
    expect(await shown()).toBe(2);
    expect(await harness.database.jobs.countDocuments({ kind: "review-shown" })).toBe(0);
  });

  test("When the other side of a completed task has deleted their account, then no review is due or accepted", async () => {
    const { tasks, bids } = harness.database;
    for (const [stays, field] of [
      [client, "award.freelancerId"],
      [hired, "ownerId"],
    ] as const) {
      const task = await completedTask();
      const isDue = async () => {
        const own: Task[] = await harness.read(`/tasks?email=${client.email}`, client);
        const won: MyBid[] = await harness.read("/me/bids", hired);
        return [...own, ...won.map((bid) => ({ ...bid.task, ...bid, _id: bid.task._id }))].some(
          ({ _id, reviewDue }) => _id === String(task._id) && reviewDue,
        );
      };
      expect(await isDue()).toBe(true);
      await tasks.updateOne({ _id: task._id }, { $set: { [field]: formerMemberId() } });
      if (stays === client)
        await bids.updateOne({ taskId: task._id }, { $set: { bidderId: formerMemberId() } });
      expect(await isDue()).toBe(false);
      expect(expectProblem(await review(stays, task), "person-not-found").detail).toContain(
        "deleted their account",
      );
    }
  });

  test("When both sides write theirs at the moment of completion, then both are shown", async () => {
    for (let round = 0; round < 5; round++) {
      const task = await completedTask();
      await Promise.all([client, hired].map((side) => review(side, task).expect(201)));
      expect(await harness.database.reviews.countDocuments({ taskId: task._id, shown: true })).toBe(2);
    }
    expect(await harness.database.jobs.countDocuments({ kind: "review-shown" })).toBe(0);
  });
});

const listOf = (person: Person) => harness.read(`/profiles/${person.uid}/reviews`);

test("When a review was not returned for fourteen days, then it is shown and counted", async () => {
  await storePerson(hired);
  const task = await completedTask();
  await review(client, task, { stars: 2, text: "Late." }).expect(201);
  const own = (await harness.read(`/tasks/${task._id}`, client)).viewer.review;
  expect(own).toMatchObject({ stars: 2, text: "Late.", shown: false });
  expect(JSON.stringify((await harness.read("/me/export", hired)).reviewsReceived)).toBe("[]");
  await runJobs(harness, harness.later(13 * DAY_MS));
  expect(await listOf(hired)).toEqual([]);
  expect((await harness.read(`/profiles/${hired.uid}`)).rating.count).toBe(0);
  for (const days of [14, 15]) await runJobs(harness, harness.later(days * DAY_MS + 1));
  expect(await listOf(hired)).toMatchObject([{ stars: 2, text: "Late." }]);
  const rating = { average: 2, count: 1 };
  expect((await harness.read(`/profiles/${hired.uid}`)).rating).toEqual(rating);
  expect(await harness.database.people.findOne({ _id: hired.uid })).toMatchObject({ rating });
});

test("When a client's rating changes, then lists by rating have their tasks, posted before and after", async () => {
  await harness.clear("tasks");
  await storePerson(client);
  const task = await completedTask();
  const rated = async () => {
    const found: Task[] = await harness.read("/tasks?clientRating=4.5");
    return found.map((each) => each._id).sort();
  };
  await review(client, task).expect(201);
  expect(await rated()).toEqual([]);
  await review(hired, task, { stars: 5, text: "Clear." }).expect(201);
  const later = await harness.postTask(client);
  expect(await rated()).toEqual([String(task._id), later].sort());
  await harness.ok(hired).put(`/tasks/${task._id}/reviews`, { stars: 4, text: "Clear." });
  expect(await rated()).toEqual([]);
});

test("When its author changes a review within a day, then it is changed; later it is fixed", async () => {
  const task = await completedTask();
  await review(client, task).expect(201);
  const edit = (by: Person) => harness.as(by).put(`/tasks/${task._id}/reviews`, { stars: 4, text: "Clear." });
  expect((await edit(client).expect(200)).body.modifiedCount).toBe(1);
  expect(await harness.database.reviews.findOne()).toMatchObject({ stars: 4, text: "Clear." });
  expectProblem(await edit(hired), "review-not-found");
  harness.advance(DAY_MS + 1);
  expectProblem(await edit(client), "review-fixed");
});

test("When somebody replies to a review of themselves, then everybody reads it; a second reply, or one to a review of others, is refused", async () => {
  await storePerson(hired);
  const task = await completedTask();
  const { insertedId } = (await review(client, task).expect(201)).body;
  const reply = (by: Person) => harness.as(by).put(`/me/reviews/${insertedId}/reply`, { text: "Thank you." });
  // Nobody replies to what is not shown yet.
  expectProblem(await reply(hired), "review-not-found");
  await review(hired, task).expect(201);
  expectProblem(await reply(client), "review-not-found");
  await reply(hired).expect(200);
  const body = await harness.read(`/profiles/${hired.uid}/reviews`);
  expect(body[0].reply).toMatchObject({ text: "Thank you." });
  expectProblem(await reply(hired), "review-fixed");
});
