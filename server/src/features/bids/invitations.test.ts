import { ObjectId } from "mongodb";
import { expect, test } from "vitest";
import {
  aConversationDoc,
  aNotificationDoc,
  aSuspensionDoc,
  bidHelpers,
  expectProblem,
  type Person,
  signUp,
  useHarness,
  usePeople,
} from "../../../test/index.ts";
import { MAX_INVITED, type Overview } from "../../contract/index.ts";

const harness = useHarness();
const { bid, move, notificationKinds } = bidHelpers(harness);
const [client, ada, ben, eve] = usePeople("Clara Client", "Ada", "Ben", "Eve");

const invite = (task: string, person: Pick<Person, "uid">) =>
  harness.as(client).post(`/tasks/${task}/invitations`, { personId: person.uid });
const viewer = async (task: string, as: Person) => (await harness.read(`/tasks/${task}`, as)).viewer;
/** Everybody has an account once they have sent a write. */
const known = async (...people: Person[]) => {
  for (const person of people) await harness.ok(person).patch("/me", { emailNotices: false });
};
const waiting = async (as: Person) => {
  const { waiting }: Overview = await harness.read("/me/overview", as);
  return waiting.filter(({ kind }) => kind === "invited");
};

test("When a client invites somebody, then they are notified once, see it on the task and among what waits, and can decline", async () => {
  await known(ada);
  const task = await harness.postTask(client, { title: "A fox" });
  expect((await invite(task, ada).expect(200)).body.modifiedCount).toBe(1);
  expect((await invite(task, ada).expect(200)).body.modifiedCount).toBe(0);
  expect(await notificationKinds(ada, task)).toEqual(["invited"]);
  expect(await viewer(task, ada)).toMatchObject({ invited: true });
  expect(await viewer(task, client)).toMatchObject({ invitedCount: 1 });
  expect(await waiting(ada)).toMatchObject([{ taskId: task, title: "A fox" }]);
  expect(await viewer(task, eve)).not.toHaveProperty("invited");

  const decline = () => harness.ok(ada).delete(`/me/invitations/${task}`);
  expect((await decline()).body).toEqual({ acknowledged: true, deletedCount: 1 });
  expect((await decline()).body.deletedCount).toBe(0);
  expect(await viewer(task, ada)).not.toHaveProperty("invited");
  expect(await viewer(task, client)).toMatchObject({ invitedCount: 0 });
  expect(await waiting(ada)).toEqual([]);
  // They are not asked again.
  expect((await invite(task, ada).expect(200)).body.modifiedCount).toBe(0);
});

test("When somebody has been invited to a hundred tasks that are closed by now, then they still see the next invitation", async () => {
  const guest = await signUp({ name: "Gus" });
  await known(guest);
  const closed = Array.from({ length: 100 }, () => {
    const taskId = new ObjectId();
    return aNotificationDoc({
      ...{ _id: new ObjectId(), recipientId: guest.uid, kind: "invited", taskId },
      onceKeys: [`invited ${taskId}`],
    });
  });
  await harness.database.notifications.insertMany(closed);
  const task = await harness.postTask(client);
  await invite(task, guest).expect(200);
  expect(await waiting(guest)).toMatchObject([{ taskId: task }]);
});

test("When somebody has bid, then they need no invitation, and one they had no longer waits", async () => {
  await known(ben);
  const task = await harness.postTask(client);
  await invite(task, ben).expect(200);
  await bid(task, ben);
  expect(await waiting(ben)).toEqual([]);
  const other = await harness.postTask(client);
  await bid(other, ben);
  expect((await invite(other, ben).expect(200)).body.modifiedCount).toBe(0);
  expect(await notificationKinds(ben, other)).toEqual([]);
});

test("When somebody cannot be invited, then the client is told, and nobody else", async () => {
  await known(ada, eve);
  const task = await harness.postTask(client);
  expectProblem(await invite(task, { uid: "nobody" }), "person-not-found");
  expectProblem(await invite(task, client), "cannot-invite");
  await harness.ok(eve).patch("/me", { inDirectory: false });
  expectProblem(await invite(task, eve), "cannot-invite");
  await harness.ok(eve).patch("/me", { inDirectory: true });
  await harness.database.conversations.insertOne(
    aConversationDoc({
      clientId: eve.uid,
      freelancerId: client.uid,
      memberIds: [eve.uid, client.uid],
      blockedBy: [eve.uid],
    }),
  );
  expectProblem(await invite(task, eve), "cannot-invite");
  await harness.database.suspensions.insertOne(aSuspensionDoc(ada.uid));
  expectProblem(await invite(task, ada), "person-not-found");
  await harness.database.suspensions.deleteOne({ _id: ada.uid });
  await move(task, client, "cancelled");
  expectProblem(await invite(task, ada), "task-not-open");
  expect(await notificationKinds(ada, task)).toEqual([]);
});

test("When twenty people are invited, then no more can be", async () => {
  await known(ada, ben);
  const task = await harness.postTask(client);
  await invite(task, ben).expect(200);
  const [first] = await harness.database.notifications
    .find({ recipientId: ben.uid, kind: "invited" })
    .sort({ _id: -1 })
    .toArray();
  const { _id: _, onceKeys: __, ...like } = first as NonNullable<typeof first>;
  await harness.database.notifications.insertMany(
    Array.from({ length: MAX_INVITED - 1 }, (_, number) => ({ ...like, recipientId: `p${number}` }) as never),
  );
  expectProblem(await invite(task, ada), "too-many-invited");
});
