import { beforeEach, expect, test, vi } from "vitest";
import {
  aTaskDraft,
  endAccount,
  expectProblem,
  logIn,
  type Person,
  signUp,
  useHarness,
  useOperator,
  usePeople,
} from "../../../test/index.ts";
import { suspensionEnforcer } from "./enforce-suspensions.ts";

const harness = useHarness();
const [client] = usePeople("Clara Client");
const operator = useOperator(harness);
let spammer: Person;

beforeEach(async () => {
  await harness.clear("suspensions");
  spammer = await signUp({ name: "Sam Spammer" });
  await harness.read("/me", spammer);
});

const set = (body: object, person = spammer) =>
  harness.as(operator).patch(`/profiles/${person.uid}/suspension`, body);
const suspend = () => set({ suspended: true, reason: "spam", text: "Hundreds of bids." }).expect(200);
const lift = () => set({ suspended: false, text: "They explained it." }).expect(200);

/** Deletes the spammer's account, and does the work just before their last document is deleted. */
async function deleteDuring(work: () => Promise<unknown>): Promise<void> {
  const { people } = harness.database;
  const deleteOne = people.deleteOne.bind(people);
  const last = vi.spyOn(people, "deleteOne").mockImplementationOnce(async (filter, options) => {
    await work();
    return deleteOne(filter, options);
  });
  await harness.ok(spammer).delete("/me");
  last.mockRestore();
}

test("When an account is suspended, then its requests are refused with the reason, also after a new login, and its open tasks are hidden until the suspension is lifted", async () => {
  const open = await harness.postTask(spammer);
  const hiddenBefore = await harness.postTask(spammer);
  await harness.as(operator).patch(`/tasks/${hiddenBefore}/visibility`, { hidden: true, reason: "spam" });
  const done = await harness.insertTask({ ownerId: spammer.uid, state: "completed" });

  const response = { acknowledged: true, matchedCount: 1 };
  expect((await suspend()).body).toEqual({ ...response, modifiedCount: 1 });
  expect((await suspend()).body).toEqual({ ...response, modifiedCount: 0 });
  for (const person of [spammer, await logIn(spammer)]) {
    const problem = expectProblem(await harness.as(person).get("/me"), "account-suspended");
    expect(problem.detail).toContain("Spam or advertising");
    expect(problem.detail).toContain("“Hundreds of bids.”");
    expectProblem(await harness.as(person).post("/tasks", aTaskDraft()), "account-suspended");
  }
  await harness.as().get(`/tasks/${open}`).expect(404);
  await harness.read(`/tasks/${done._id}`);

  expect((await lift()).body).toEqual({ ...response, modifiedCount: 1 });
  expect((await lift()).body).toEqual({ ...response, modifiedCount: 0 });
  await harness.read("/me", spammer);
  await harness.read(`/tasks/${open}`);
  await harness.as().get(`/tasks/${hiddenBefore}`).expect(404);

  const acts = await harness.read("/operators/log?limit=2", operator);
  const person = { id: spammer.uid, name: "Sam Spammer" };
  expect(acts).toMatchObject([
    { kind: "suspension-lifted", text: "They explained it.", person },
    { kind: "account-suspended", reason: "spam", text: "Hundreds of bids.", person },
  ]);
});

test("When an operator shows a suspended person's task, then enforcing this suspension again leaves it visible, but the next one hides it", async () => {
  const shown = await harness.postTask(spammer);
  const other = await harness.postTask(spammer);
  const expectRead = (id: string, status: number) => harness.as().get(`/tasks/${id}`).expect(status);
  await suspend();
  await harness.ok(operator).patch(`/tasks/${shown}/visibility`, { hidden: false });
  await suspend();
  await expectRead(shown, 200);
  await expectRead(other, 404);

  await lift();
  await suspend();
  await expectRead(shown, 404);
  await expectRead(other, 404);
});

test("When an operator hid a suspended person's task and shows it again, then enforcing the suspension leaves it visible", async () => {
  const { database } = harness;
  const enforcer = suspensionEnforcer(database, undefined);
  const [before, after] = [await harness.postTask(spammer), await harness.postTask(spammer)];
  const set = (id: string, hidden: boolean) =>
    harness.ok(operator).patch(`/tasks/${id}/visibility`, { hidden, reason: "fraud" });
  await set(before, true);
  await suspend();
  await set(after, true);
  for (const id of [before, after]) await set(id, false);
  await enforcer.pending(harness.later(30_000));
  for (const id of [before, after]) await harness.read(`/tasks/${id}`);
});

test("When a freelancer is suspended, then the client sees that on their bid and cannot award it until the suspension is lifted", async () => {
  const id = await harness.postTask(client);
  await harness.ok(spammer).patch(`/tasks/${id}/bid`);
  await suspend();
  const read = async () => (await harness.read(`/tasks/${id}/bids`, client))[0];
  const { _id: bidId, suspended } = await read();
  expect(suspended).toBe(true);
  const award = () => harness.as(client).post(`/tasks/${id}/award`, { bidId });
  expectProblem(await award(), "freelancer-suspended");
  expect(await harness.taskInStore(id)).toMatchObject({ state: "open", awardCount: 0 });
  await lift();
  expect(await read()).not.toHaveProperty("suspended");
  await award().expect(200);
});

test("When an account is suspended while its owner deletes it, then they cannot use it again until the suspension is lifted", async () => {
  await deleteDuring(suspend);
  expectProblem(await harness.as().get(`/profiles/${spammer.uid}`), "person-not-found");
  expectProblem(await harness.as(spammer).delete("/me"), "account-suspended");
  const again = await logIn(spammer);
  harness.clock.now = new Date(Date.now() + 60_000);
  expectProblem(await harness.as(again).get("/me"), "account-suspended");
  await lift();
  expectProblem(await harness.as(again).get("/me"), "session-expired");
  const acts = await harness.read("/operators/log?limit=1", operator);
  expect(acts).toMatchObject([{ kind: "suspension-lifted", person: { name: "Former member" } }]);
  expect(JSON.stringify(acts)).not.toContain(spammer.uid);
});

test("When the provider no longer has the account, then its suspension stays during the deletion and is deleted afterwards", async () => {
  const { suspensions } = harness.database;
  await deleteDuring(async () => {
    await endAccount(spammer, "delete");
    await suspend();
    expect(await suspensions.findOne()).toMatchObject({ _id: spammer.uid, liftedAt: null });
  });
  await suspend();
  expect(await suspensions.countDocuments()).toBe(0);
  expectProblem(await set({ suspended: true, reason: "spam" }), "person-not-found");
});

test("When the reason is missing, or the person unknown or the operator themselves, then the request is rejected", async () => {
  const problem = expectProblem(await set({ suspended: true }), "invalid");
  expect(problem.errors).toEqual([{ pointer: "#/reason", detail: "Choose a reason." }]);
  expectProblem(await set({ suspended: false }), "invalid");
  const change = { suspended: true, reason: "spam" };
  expectProblem(await set(change, { ...spammer, uid: "nobody" }), "person-not-found");
  expectProblem(await set(change, operator), "own-case");
});

test("When an account is suspended on one instance, then the others refuse it too, and its event stream ends", async () => {
  const instance = harness.instance();
  const reader = await instance.follow(spammer);
  await reader.until(() => reader.of("unread").length > 0, "the first event");
  await suspend();
  await reader.ended;
  expectProblem(await instance.as(spammer).get("/me"), "account-suspended");
});

test("When somebody is suspended through an instance whose clock is two hours behind, then their next read and write are refused everywhere, also without a change feed", async () => {
  const elsewhere = harness.instance({ changes: undefined });
  await elsewhere.ok(spammer).get("/me");
  const behind = harness.instance({ now: () => new Date(Date.now() - 7_200_000) });
  const change = { suspended: true, reason: "spam" };
  await behind.ok(operator).patch(`/profiles/${spammer.uid}/suspension`, change);
  for (const instance of [elsewhere, harness]) {
    expectProblem(await instance.as(spammer).get("/tasks?limit=1"), "account-suspended");
    expectProblem(await instance.as(spammer).post("/tasks", aTaskDraft()), "account-suspended");
  }
  await lift();
  await elsewhere.ok(spammer).get("/tasks?limit=1");
});

test("When hiding the tasks fails, then requests are refused anyway, and the tasks are hidden later", async () => {
  const { database, clock } = harness;
  const open = String((await harness.insertTask({ ownerId: spammer.uid }))._id);
  const failing = vi.spyOn(database.tasks, "updateMany").mockRejectedValue(new Error("the disk is full"));
  await suspend();
  failing.mockRestore();
  expectProblem(await harness.as(spammer).get("/me"), "account-suspended");
  await harness.read(`/tasks/${open}`);

  const enforcer = suspensionEnforcer(database, undefined);
  // As if posted by a request that was still running.
  const late = await harness.insertTask({ ownerId: spammer.uid });
  await enforcer.pending(clock.now);
  const pending = () => database.suspensions.find({ pendingSince: { $exists: true } }).toArray();
  expect(await pending()).toMatchObject([{ _id: spammer.uid }]);
  await enforcer.pending(harness.later(30_000));
  expect(await pending()).toEqual([]);
  for (const id of [open, String(late._id)]) expect((await harness.taskInStore(id))?.hidden).toBe(true);
});

test("When the provider refuses to look up a hundred accounts, then one suspended after them is enforced before those are retried", async () => {
  const { database, clock } = harness;
  const before = new Date(clock.now.getTime() - 60_000);
  const ids = Array.from({ length: 100 }, (_, count) => `refused-${count}`);
  const suspendedAt = (_id: string, at: Date) =>
    ({ _id, reason: "spam", liftedAt: null, changedAt: at, pendingSince: at }) as const;
  await database.suspensions.insertMany(ids.map((id) => suspendedAt(id, before)));
  await database.suspensions.insertOne(suspendedAt("newest", clock.now));
  const tried: string[] = [];
  const exists = async (uid: string) => {
    tried.push(uid);
    if (uid !== "newest") throw new Error("refused");
    return true;
  };
  const enforcer = suspensionEnforcer(database, { exists });
  await expect(enforcer.pending(clock.now)).rejects.toThrow("some suspensions are not enforced yet");
  expect([tried[0], new Set(tried)]).toEqual(["newest", new Set(["newest", ...ids])]);
});

test("When a suspension is lifted while an earlier one is slowly enforced, then the person's tasks stay visible", async () => {
  const { database } = harness;
  const open = await harness.postTask(spammer);
  await suspend();
  const changedAt = harness.later(1_000);
  const first = { _id: "first", reason: "spam", liftedAt: null, changedAt, pendingSince: changedAt } as const;
  await database.suspensions.insertOne(first);
  const later = harness.later(60_000);
  const exists = async () => {
    await lift();
    await suspensionEnforcer(database, undefined).pending(later);
    return true;
  };
  await suspensionEnforcer(database, { exists }).pending(later);
  await harness.read(`/tasks/${open}`);
});
