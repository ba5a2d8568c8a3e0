import { ObjectId } from "mongodb";
import type { Response } from "supertest";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectProblem, signUpMany, useHarness } from "../../../test/harness.ts";
import type { Person } from "../../../test/people.ts";
import { notificationListSchema } from "../../contract/index.ts";
import { notify } from "../../db/notices.ts";

const harness = useHarness();
let ada: Person;
let ben: Person;

beforeAll(async () => {
  [ada, ben] = (await signUpMany(2)) as [Person, Person];
});
afterEach(async () => {
  await harness.database.notifications.deleteMany({});
});

/** Stores notifications about the tasks t0, t1, … for a person. @returns their ids, oldest first. */
async function notifyTimes(person: Person, count: number): Promise<string[]> {
  const notices = Array.from({ length: count }, (_, index) => ({
    recipientId: person.uid,
    kind: "awarded" as const,
    task: { _id: new ObjectId(), title: `t${index}` },
    asClient: false,
    actor: { uid: "the-client", name: "Cleo" },
    onceKey: `${person.uid} ${index}`,
  }));
  await notify(harness.database.notifications, notices, { now: harness.clock.now });
  const stored = await harness.database.notifications
    .find({ recipientId: person.uid })
    .sort({ _id: 1 })
    .toArray();
  return stored.map(({ _id }) => _id.toHexString());
}

const titles = (body: unknown) => notificationListSchema.parse(body).map(({ taskTitle }) => taskTitle);

describe("GET /me/notifications", () => {
  test("When somebody lists notifications, then they get their own, newest first, without uids, and the unread count", async () => {
    const [, , newest] = await notifyTimes(ada, 3);
    await notifyTimes(ben, 2);
    const image = "https://example.com/cleo.jpg";
    await harness.database.people.insertOne({
      ...{ _id: "the-client", name: "Cleo", image, email: "cleo@example.com" },
      ...{
        emailVerified: true,
        emailNotices: false,
        memberSince: harness.clock.now,
        lastActiveOn: "2026-01-01",
      },
    });
    const { body, headers } = await harness.as(ada).get("/me/notifications").expect(200);
    expect(titles(body)).toEqual(["t2", "t1", "t0"]);
    expect(body[0]).toEqual({
      _id: newest,
      kind: "awarded",
      taskId: expect.stringMatching(/^[\da-f]{24}$/),
      taskTitle: "t2",
      asClient: false,
      actor: "Cleo",
      actorImage: image,
      read: false,
      createdAt: harness.clock.now.toISOString(),
    });
    expect(headers["x-unread-count"]).toBe("3");
    expect(headers["link"]).toBeUndefined();
  });

  test("When there is more than one page, then the links lead through all of them, even if more arrive meanwhile", async () => {
    await notifyTimes(ada, 45);
    const seen: string[] = [];
    const sizes: number[] = [];
    let path: string | undefined = "/me/notifications";
    while (path) {
      const { body, headers }: Response = await harness.as(ada).get(path).expect(200);
      seen.push(...titles(body));
      sizes.push(body.length);
      await notify(
        harness.database.notifications,
        [
          {
            recipientId: ada.uid,
            kind: "review",
            task: { _id: new ObjectId(), title: "new" },
            asClient: true,
          },
        ],
        { now: new Date() },
      );
      path = /^<([^>]+)>; rel="next"$/.exec(headers["link"] ?? "")?.[1];
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => `t${44 - index}`));
    expect(sizes).toEqual([20, 20, 5]);
    const { body, headers } = await harness.as(ada).get("/me/notifications?limit=2").expect(200);
    expect(body).toHaveLength(2);
    expect(headers["link"]).toMatch(/^<\/me\/notifications\?limit=2&cursor=/);
  });

  test("When the limit or the cursor is invalid, or the cursor is somebody else's, then the response is 422 or 400", async () => {
    await notifyTimes(ada, 3);
    expectProblem(await harness.as(ada).get("/me/notifications?limit=0"), 422, "invalid");
    expectProblem(await harness.as(ada).get("/me/notifications?cursor=nonsense"), 400, "invalid-cursor");
    const { headers } = await harness.as(ada).get("/me/notifications?limit=1");
    const link = String(headers["link"]).slice(1).split(">", 1)[0] as string;
    expectProblem(await harness.as(ben).get(link), 400, "invalid-cursor");
    expectProblem(await harness.as().get("/me/notifications"), 401, "not-signed-in");
  });

  test("When pages, later notifications and due emails are read, then indexes return them in order", async () => {
    const { notifications } = harness.database;
    const page = await notifications
      .find({ recipientId: "x", _id: { $lt: new ObjectId() } })
      .sort({ _id: -1 })
      .explain();
    const after = await notifications
      .find({ recipientId: "x", _id: { $gt: new ObjectId() } })
      .sort({ _id: 1 })
      .explain();
    const due = await notifications
      .find({ "mail.dueAt": { $lte: new Date() } })
      .sort({ "mail.dueAt": 1 })
      .explain();
    for (const [plan, index] of [
      [page, "recipient-newest"],
      [after, "recipient-newest"],
      [due, "mail-due"],
    ] as const) {
      const text = JSON.stringify(plan["queryPlanner"].winningPlan);
      expect(text).toContain(`"indexName":"${index}"`);
      expect(text).not.toContain('"SORT"');
    }
  });
});

describe("POST /me/notifications/read", () => {
  test("When some are marked as read, then those are, once, and only the caller's own", async () => {
    const mine = await notifyTimes(ada, 3);
    const his = await notifyTimes(ben, 1);
    const ids = [mine[0], his[0]];
    const mark = async () => (await harness.as(ada).post("/me/notifications/read", { ids }).expect(200)).body;
    expect(await mark()).toEqual({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });
    expect(await mark()).toEqual({ acknowledged: true, matchedCount: 0, modifiedCount: 0 });
    const { body, headers } = await harness.as(ada).get("/me/notifications");
    expect(body.map(({ read }: { read: boolean }) => read)).toEqual([false, false, true]);
    expect(headers["x-unread-count"]).toBe("2");
    expect((await harness.as(ben).get("/me/notifications")).headers["x-unread-count"]).toBe("1");
  });

  test("When there are more than a thousand unread ones, then only a thousand are counted", async () => {
    await notifyTimes(ada, 1_001);
    const { body } = await harness.as(ada).get("/me").expect(200);
    expect(body.unread).toBe(1_000);
    await harness.as(ada).post("/me/notifications/read").expect(200);
    expect((await harness.as(ada).get("/me").expect(200)).body.unread).toBe(0);
  });

  test("When no ids are given, then all of the caller's own are marked as read", async () => {
    await notifyTimes(ada, 5);
    await notifyTimes(ben, 1);
    const { body } = await harness.as(ada).post("/me/notifications/read").expect(200);
    expect(body.modifiedCount).toBe(5);
    expect((await harness.as(ada).get("/me/notifications")).headers["x-unread-count"]).toBe("0");
    expect((await harness.as(ben).get("/me/notifications")).headers["x-unread-count"]).toBe("1");
  });

  test("When an id is invalid or there are too many, then the response is 422; when nobody is signed in, then 401", async () => {
    expectProblem(
      await harness.as(ada).post("/me/notifications/read", { ids: [{ $ne: 1 }] }),
      422,
      "invalid",
    );
    const many = Array.from({ length: 101 }, () => "a".repeat(24));
    expectProblem(await harness.as(ada).post("/me/notifications/read", { ids: many }), 422, "invalid");
    expectProblem(await harness.as().post("/me/notifications/read"), 401, "not-signed-in");
  });
});
