import { afterEach, describe, expect, test } from "vitest";
import { aNotificationDoc, aPersonDoc, type Person, useHarness, usePeople } from "../../../test/index.ts";
import type { Notification } from "../../contract/index.ts";

const harness = useHarness();

const [ada, ben] = usePeople("Ada", "Ben");
afterEach(() => harness.clear("notifications"));

/** Stores notifications about the tasks t0, t1, … for a person. @returns their ids, oldest first. */
async function notifyTimes({ uid: recipientId }: Person, count: number): Promise<string[]> {
  const by = { actor: "Cleo", actorId: "the-client" };
  const docs = Array.from({ length: count }, (_, at) =>
    aNotificationDoc({ recipientId, taskTitle: `t${at}`, ...by }),
  );
  await harness.database.notifications.insertMany(docs);
  return docs.map(({ _id }) => String(_id));
}

test("When somebody lists notifications, then they get their own, newest first, without uids, and the unread count", async () => {
  const [, , newest] = await notifyTimes(ada, 3);
  await notifyTimes(ben, 2);
  const image = "https://example.com/cleo.jpg";
  await harness.database.people.insertOne(aPersonDoc({ _id: "the-client", name: "Cleo", image }));
  const { body, headers } = await harness.ok(ada).get("/me/notifications");
  expect(body.map(({ taskTitle }: Notification) => taskTitle)).toEqual(["t2", "t1", "t0"]);
  expect(body[0]).toMatchObject({
    _id: newest,
    kind: "new-bid",
    actor: "Cleo",
    actorImage: image,
    read: false,
  });
  expect(headers["x-unread-count"]).toBe("3");
  expect(headers["link"]).toBeUndefined();
});

describe("POST /me/notifications/read", () => {
  test("When some are marked as read, then those are, once, and only the caller's own", async () => {
    const mine = await notifyTimes(ada, 3);
    const his = await notifyTimes(ben, 1);
    const ids = [mine[0], his[0]];
    const mark = async () => (await harness.ok(ada).post("/me/notifications/read", { ids })).body;
    expect(await mark()).toEqual({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });
    expect(await mark()).toEqual({ acknowledged: true, matchedCount: 0, modifiedCount: 0 });
    const { body, headers } = await harness.as(ada).get("/me/notifications");
    expect(body.map(({ read }: Notification) => read)).toEqual([false, false, true]);
    expect(headers["x-unread-count"]).toBe("2");
    expect((await harness.as(ben).get("/me/notifications")).headers["x-unread-count"]).toBe("1");
  });

  test("When all up to one are marked as read, then those that came later stay unread", async () => {
    const [, second] = await notifyTimes(ada, 3);
    await harness.ok(ada).post("/me/notifications/read", { upTo: second });
    const listed: Notification[] = await harness.read("/me/notifications", ada);
    expect(listed.map(({ read }) => read)).toEqual([false, true, true]);
  });

  test("When there are more than a thousand unread ones, then only a thousand are counted; without ids, all of them are marked as read, and nobody else's", async () => {
    await notifyTimes(ada, 1_001);
    await notifyTimes(ben, 1);
    const unreadOf = async (person: Person) => (await harness.read("/me", person)).unread;
    expect(await unreadOf(ada)).toBe(1_000);
    const { body } = await harness.ok(ada).post("/me/notifications/read");
    expect(body.modifiedCount).toBe(1_001);
    expect([await unreadOf(ada), await unreadOf(ben)]).toEqual([0, 1]);
  });
});
