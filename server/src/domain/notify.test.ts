import { ObjectId } from "mongodb";
import { beforeEach, expect, test } from "vitest";
import { bidHelpers, NO_JOBS, type Person, useHarness, usePeople } from "../../test/index.ts";
import { notify } from "./notify.ts";

// Announcements are delivered only when a test says so.
const harness = useHarness({ jobs: NO_JOBS });
const { bid } = bidHelpers(harness);

const [client, ada, ben] = usePeople("Clara Client", "Ada", "Ben");
beforeEach(() => harness.clear("notifications"));

const noticesOf = async (person: Person) => {
  const { body, headers } = await harness.ok(person).get("/me/notifications");
  return { unread: headers["x-unread-count"], list: body };
};

test("When a bid is changed again and again, then its client has one unread notification with the latest amount and a count", async () => {
  const id = await harness.postTask(client);
  for (const person of [ada, ben]) await bid(id, person);
  for (let amount = 1; amount <= 4; amount++) await bid(id, ada, { amount });
  await bid(id, ben, { amount: 99 });
  const changed = { kind: "bid-changed", taskId: id, read: false };
  const { unread, list } = await noticesOf(client);
  expect(unread).toBe("4");
  expect(list.map(({ count }: { count?: number }) => count)).toEqual([undefined, 4, undefined, undefined]);
  expect(list.slice(0, 2)).toMatchObject([
    { ...changed, actor: ben.name, amount: 99 },
    { ...changed, actor: ada.name, amount: 4 },
  ]);
});

test("When a repeated notification was read, then the next one counts anew, and the read one stays", async () => {
  const id = await harness.postTask(client);
  await bid(id, ada);
  for (const amount of [1, 2]) await bid(id, ada, { amount });
  await harness.ok(client).post("/me/notifications/read", {});
  for (const amount of [3, 4, 5]) await bid(id, ada, { amount });
  const { unread, list } = await noticesOf(client);
  expect(unread).toBe("1");
  expect(list).toMatchObject([
    { count: 3, amount: 5, read: false },
    { count: 2, amount: 2, read: true },
    { kind: "new-bid", read: true },
  ]);
});

test("When different things happen to the same task, or the same to different tasks, then the notifications stay apart", async () => {
  const tasks = [1, 2].map((number) => ({ _id: new ObjectId(), title: `t${number}` }));
  const actor = { uid: ada.uid, name: ada.name };
  const notices = tasks.flatMap((task) =>
    (["new-bid", "bid-changed", "bid-changed", "task-closed"] as const).map((kind) => ({
      ...{ recipientId: client.uid, kind, task, asClient: true },
      ...(kind !== "task-closed" && { actor }),
    })),
  );
  for (let time = 0; time < 2; time++)
    await notify(harness.database.notifications, notices, harness.clock.now);
  const { list } = await noticesOf(client);
  const counted = list.map((one: { kind: string; count: number }) => `${one.kind} ${one.count}`);
  expect(counted.toSorted()).toEqual(
    ["bid-changed 4", "new-bid 2", "task-closed 2"].flatMap((each) => [each, each]),
  );
});
