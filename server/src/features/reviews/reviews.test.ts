import { ObjectId } from "mongodb";
import type { Response } from "supertest";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aBidDoc, anAwardOf, aPersonDoc, aReviewDoc } from "../../../test/builders.ts";
import { expectProblem, useHarness } from "../../../test/harness.ts";
import { type Person, signUp } from "../../../test/people.ts";
import { insertResponseSchema, reviewListSchema } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";

const harness = useHarness();
let client: Person;
let hired: Person;
let stranger: Person;

beforeAll(async () => {
  client = await signUp({ name: "Clara Client" });
  hired = await signUp({ name: "Fred Freelancer", photoUrl: "https://pictures.example/fred.png" });
  stranger = await signUp({ name: "Sam Stranger" });
});

beforeEach(async () => {
  await Promise.all([
    harness.database.reviews.deleteMany({}),
    harness.database.notifications.deleteMany({}),
    harness.database.people.deleteMany({}),
  ]);
});

/** Stores a task of the client for which the freelancer was hired. */
async function awardedTask(fields: Partial<TaskDoc> = {}): Promise<TaskDoc> {
  const _id = new ObjectId();
  const bid = aBidDoc({ taskId: _id, bidderId: hired.uid, bidderName: hired.name, bidderEmail: hired.email });
  await harness.database.bids.insertOne(bid);
  const owner = { ownerId: client.uid, name: client.name, email: client.email };
  return harness.insertTask({
    _id,
    state: "completed",
    award: anAwardOf(bid),
    bidsCount: 1,
    ...owner,
    ...fields,
  });
}

const review = (
  by: Person | undefined,
  task: TaskDoc,
  draft: object = { stars: 5, text: "Clear and kind." },
) => harness.as(by).post(`/tasks/${task._id}/reviews`, draft);

describe("POST /tasks/:id/reviews", () => {
  test("When a task is completed, then each side can review the other once, and the other is notified", async () => {
    const task = await awardedTask();
    const response = await review(client, task).expect(201);
    const { insertedId } = insertResponseSchema.parse(response.body);
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
    const notices = await harness.database.notifications.find({}, { sort: { _id: 1 } }).toArray();
    expect(
      notices.map(({ recipientId, kind, asClient, actor }) => [recipientId, kind, asClient, actor]),
    ).toEqual([
      [hired.uid, "review", false, client.name],
      [client.uid, "review", true, hired.name],
    ]);
    expectProblem(await review(client, task), 409, "already-reviewed");
    expect(await harness.database.notifications.countDocuments()).toBe(2);
  });

  test("When one side sends a review ten times at the same moment, then one review and one notification are stored", async () => {
    const task = await awardedTask();
    const responses = await Promise.all(Array.from({ length: 10 }, () => review(hired, task)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect(await harness.database.reviews.countDocuments()).toBe(1);
    expect(await harness.database.notifications.countDocuments()).toBe(1);
  });

  test("When somebody else or a visitor reviews, then 403 or 401, and nothing is stored", async () => {
    const task = await awardedTask();
    expectProblem(await review(stranger, task), 403, "not-your-review");
    expectProblem(await review(undefined, task), 401, "not-signed-in");
    expect(await harness.database.reviews.countDocuments()).toBe(0);
  });

  test("When the task is not completed, hired nobody, is hidden or deleted, then the refusal says which", async () => {
    for (const state of ["awarded", "cancelled"] as const)
      expectProblem(await review(client, await awardedTask({ state })), 409, "wrong-state");
    const open = await harness.insertTask({ ownerId: client.uid });
    expectProblem(await review(client, open), 409, "wrong-state");
    expectProblem(await review(stranger, open), 403, "not-your-review");
    const hidden = await awardedTask({ hidden: true });
    expectProblem(await review(stranger, hidden), 404, "task-not-found");
    await review(hired, hidden).expect(201);
    expectProblem(
      await harness.as(client).post(`/tasks/${"c".repeat(24)}/reviews`, { stars: 1, text: "x" }),
      404,
      "task-not-found",
    );
  });

  test("When stars or text are invalid, then 422 names them", async () => {
    const task = await awardedTask();
    for (const stars of [0, 6, 2.5, "5", undefined]) {
      const problem = expectProblem(await review(client, task, { stars, text: "Fine" }), 422, "invalid");
      expect(problem.errors).toEqual([{ pointer: "#/stars", detail: "Choose 1 to 5 stars." }]);
    }
    const problem = expectProblem(await review(client, task, { stars: 4, text: "  " }), 422, "invalid");
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(["#/text"]);
  });
});

describe("GET /profiles/:id/reviews", () => {
  test("When there are more reviews than fit on a page, then all of them can be paged through, newest first", async () => {
    const { uid: _id, name, email } = client;
    await harness.database.people.insertOne(aPersonDoc({ _id, name, email }));
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
    // Two have the same instant, so their ids decide.
    const minutes = [0, 1, 2, 2, 3];
    await harness.database.reviews.insertMany(
      minutes.map((minute, index) =>
        aReviewDoc({
          taskTitle: `Task ${index}`,
          authorName: index === 0 ? "Former member" : "Grace",
          anonymous: index === 0,
          subjectId: client.uid,
          stars: 1 + index,
          createdAt: at(minute),
        }),
      ),
    );
    const titles: string[] = [];
    let path: string | undefined = `/profiles/${client.uid}/reviews?limit=2`;
    let last: string | undefined;
    while (path) {
      const response: Response = await harness.as().get(path).expect(200);
      expect(response.headers["x-total-count"]).toBe("5");
      expect(response.text).not.toContain("@");
      const page = reviewListSchema.parse(response.body);
      titles.push(...page.map(({ taskTitle }) => taskTitle));
      last = page.at(-1)?.author.id;
      path = /<([^>]+)>; rel="next"/.exec(response.headers["link"] ?? "")?.[1];
    }
    expect(titles).toEqual(["Task 4", "Task 3", "Task 2", "Task 1", "Task 0"]);
    // Authors who deleted their account have no profile.
    expect(last).toBeUndefined();
  });

  test("When the cursor is invalid or the person unknown, then 400 or 404", async () => {
    await awardedTask();
    const list = `/profiles/${client.uid}/reviews`;
    expectProblem(await harness.as().get(`${list}?cursor=WyIiXQ`), 400, "invalid-cursor");
    expectProblem(await harness.as().get("/profiles/nobody/reviews"), 404, "person-not-found");
    expectProblem(await harness.as().get(`${list}?limit=0`), 422, "invalid");
  });
});
