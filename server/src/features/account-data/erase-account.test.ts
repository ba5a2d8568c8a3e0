import { ObjectId } from "mongodb";
import { beforeEach, expect, test } from "vitest";
import {
  aConversationDoc,
  aDisputeDoc,
  aQuestionDoc,
  aReviewDoc,
  aSuspensionDoc,
  aTaskDraft,
  deletionHelpers,
  expectProblem,
  forgedToken,
  ownedBy,
  type Person,
  testFirebase,
  useHarness,
} from "../../../test/index.ts";
import { verifyData } from "../../../tools/lib/verify-data.ts";
import type { AccountAdmin } from "../../auth/token-verifier.ts";
import type { DeleteResponse } from "../../contract/index.ts";
import type { MessageDoc } from "../../db/documents/conversations.ts";
import type { ReportDoc } from "../../db/documents/operators.ts";
import type { ReviewDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { FORMER_MEMBER, formerMemberId, isFormerMember } from "../../domain/notify.ts";
import { deletionStore, type EraseStep } from "./deletions.ts";
import { deleteAccount, finishDeletions } from "./erase-account.ts";
import { eraseSteps } from "./erase-steps.ts";

const harness = useHarness();
/** Longer than a closed account's requests may still be running. */
const SETTLED_MS = 60_000;
const { scene, client, ann, remove, removeWithRetry, tracesOf, expectCorrectBidCounts, ...helpers } =
  deletionHelpers(harness);
const { bidBy, task, taskWith, awardedTask } = helpers;
let leaver: Person;

beforeEach(() => {
  ({ leaver } = scene);
});

const draft = aTaskDraft({ title: "Saved" });
const deps = () => ({
  steps: eraseSteps(harness.database),
  deletions: deletionStore(harness.database),
});
/** Runs the server's periodic job at a time when all requests of the deleted accounts must have ended. */
const finishLater = (accounts?: Pick<AccountAdmin, "delete">) =>
  finishDeletions({ ...deps(), accounts }, () => harness.later(SETTLED_MS));

test("When somebody with reviews, reports and notifications deletes their account, then no document identifies them", async () => {
  const { reviews, reports, notifications, people } = harness.database;
  await harness.read("/me", leaver);
  expect(await people.countDocuments({ _id: leaver.uid })).toBe(1);
  const { uid: authorId, name: authorName } = client;
  const review = (fields: Partial<ReviewDoc>) =>
    aReviewDoc({ authorId, authorName, role: "client", subjectId: client.uid, ...fields });
  const image = { authorImage: "https://pictures.example/zelda.png" };
  await reviews.insertMany([
    review({ authorId: leaver.uid, authorName: leaver.name, ...image }),
    review({ subjectId: leaver.uid }),
  ]);
  const { _id: taskId } = await harness.insertTask(ownedBy(client));
  await harness
    .ok(leaver)
    .post("/reports", { taskId: String(taskId), reason: "spam" })
    .set("Idempotency-Key", "k");
  await harness.ok(leaver).patch(`/tasks/${taskId}/bid`);
  await harness.ok(leaver).put(`/me/saved/${taskId}`);
  await harness.ok(client).put(`/tasks/${taskId}`, { ...draft, title: "Changed" });
  const names = async () =>
    (await notifications.find({ recipientId: client.uid }).toArray()).map(({ actor }) => actor);
  expect(await names()).toContain(leaver.name);
  expect((await tracesOf(leaver)).length).toBeGreaterThan(5);

  await remove(leaver);
  expect(await tracesOf(leaver)).toEqual([]);
  expect(await names()).toContain(FORMER_MEMBER);
  expect(await reports.findOne()).toMatchObject({
    reporterId: expect.stringMatching(/^former-/),
    reason: "spam",
  });
  expect(await reviews.findOne({ subjectId: client.uid })).toMatchObject({
    authorName: FORMER_MEMBER,
    anonymous: true,
    stars: 4,
    text: "Good.",
  });
  const [shown] = await harness.read(`/profiles/${client.uid}/reviews`);
  expect(shown.author).toEqual({ name: FORMER_MEMBER });
  expectProblem(await harness.as().get(`/profiles/${leaver.uid}`), "person-not-found");
  // Other people's data is intact.
  expect(await reviews.countDocuments({ authorId: client.uid })).toBe(1);
  expect(await people.countDocuments({ _id: client.uid })).toBe(1);
});

test("When somebody who asked questions deletes their account, then unanswered ones are deleted and answered ones anonymized", async () => {
  const { questions } = harness.database;
  const { _id: taskId } = await harness.insertTask(ownedBy(client));
  const path = `/tasks/${taskId}/questions`;
  await harness.ok(leaver).post(path, { text: "Who hosts it?" });
  const said = { text: "We do.", createdAt: new Date(), updatedAt: new Date() };
  const answered = aQuestionDoc({ taskId, askerId: leaver.uid, answer: said });
  await questions.insertMany([answered, aQuestionDoc({ taskId, clientId: leaver.uid, text: "Another's" })]);
  await remove(leaver);
  expect(await tracesOf(leaver)).toEqual([]);
  const left = await questions.find().toArray();
  expect(left.map(({ text }) => text).sort()).toEqual(["Another's", answered.text]);
  expect(isFormerMember(left.find(({ answer }) => answer)?.askerId ?? "")).toBe(true);
});

test("When both sides of a conversation have deleted their accounts, then it is deleted", async () => {
  const { conversations, messages } = harness.database;
  const doc = aConversationDoc({ clientId: formerMemberId(), freelancerId: leaver.uid, count: 1 });
  const message = {
    conversationId: doc._id,
    number: 1,
    by: "freelancer",
    text: "Hello?",
    createdAt: new Date(),
  };
  await conversations.insertOne(doc);
  await messages.insertOne({ _id: new ObjectId(), ...message } as MessageDoc);
  await remove(leaver);
  expect([await conversations.countDocuments(), await messages.countDocuments()]).toEqual([0, 0]);
});

test("When the login is older than five minutes, then a new login is required, and nothing changes", async () => {
  await harness.insertTask(ownedBy(leaver));
  harness.clock.now = new Date(Date.now() + 5 * 60_000 + 2_000);
  expectProblem(await harness.as(leaver).delete("/me"), "log-in-again");
  expect(await harness.database.tasks.findOne()).toMatchObject(ownedBy(leaver));
  expect(await harness.database.deletions.countDocuments()).toBe(0);
});

test("When the account is deleted, then its sessions end on every instance; deleting it again does nothing", async () => {
  const elsewhere = harness.instance({ changes: undefined });
  const open = await harness.insertTask(ownedBy(client));
  for (const instance of [harness, elsewhere]) await instance.ok(leaver).get("/me");
  await remove(leaver);
  expectProblem(await harness.as(leaver).patch(`/tasks/${open._id}/bid`), "session-expired");
  expectProblem(await elsewhere.as(leaver).patch(`/tasks/${open._id}/bid`), "session-expired");
  expectProblem(await elsewhere.as(leaver).get("/tasks?limit=1"), "session-expired");
  await elsewhere.ok(client).get("/me");
  expect((await remove(leaver)).body).toEqual({ acknowledged: true, deletedCount: 0 });
  expect(await tracesOf(leaver)).toEqual([]);
});

/** Deletes the leaver's account with another step after that many. */
async function deleteWith(step: EraseStep, after: number, respondAfterMs = 30_000): Promise<DeleteResponse> {
  const { deletions, steps: all } = deps();
  const steps = [...all.slice(0, after), step, ...all.slice(after)];
  const caller = { uid: leaver.uid, name: leaver.name, email: leaver.email };
  const user = { ...caller, loggedInAt: harness.clock.now, tokenExpiresAt: new Date() };
  return deleteAccount({ steps, deletions, respondAfterMs }, user, {
    now: harness.clock.now,
    keepsTasks: false,
  });
}

async function deleteWithCrash(after: number): Promise<void> {
  await expect(deleteWith(() => Promise.reject(new Error("crashed")), after)).rejects.toThrow("crashed");
}

test("When there is more to erase than fits in a request, then the response comes in time, and the rest is erased after it", async () => {
  await taskWith(ownedBy(leaver), (id) => [bidBy(client, id)]);
  let goOn = (_erased: number) => {};
  const slow = new Promise<number>((resolve) => (goOn = resolve));
  // Without a response before the erasure has ended, this would wait for ever.
  const response = await deleteWith(() => slow, 0, 1_000);
  expect(response).toEqual({ acknowledged: true, deletedCount: 1 });
  expect(await tracesOf(leaver)).not.toEqual([]);
  goOn(0);
  await expect.poll(() => tracesOf(leaver), { timeout: 20_000 }).toEqual([]);
});

test("When a request that was still running reports the same subject once more, then the deletion is finished, and one report stays", async () => {
  const { reports } = harness.database;
  const { _id: taskId } = await harness.insertTask(ownedBy(client));
  const draft = { taskId: String(taskId), reason: "spam" };
  await harness.ok(leaver).post("/reports", draft);
  const first = (await reports.findOne()) as ReportDoc;
  await remove(leaver);
  await reports.insertOne({ ...first, _id: new ObjectId() });
  expect(await finishLater()).toBe(1);
  expect(await tracesOf(leaver)).toEqual([]);
  expect(await reports.find().toArray()).toMatchObject([
    { _id: first._id, reporterId: expect.stringMatching(/^former-/) },
  ]);
});

/** How many records of deletions the TTL index would delete at that time. */
async function expiring(at = Date.now()): Promise<number> {
  const indexes = await harness.database.deletions.listIndexes().toArray();
  const [index, ...others] = indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
  expect(others).toEqual([]);
  const before = new Date(at - index?.expireAfterSeconds * 1_000);
  const [field = ""] = Object.keys(index?.key);
  return harness.database.deletions.countDocuments({ [field]: { $lte: before } } as object);
}
const YEAR_MS = 365 * 86_400_000;

test("When the web app does not delete the login, then the server does, and its sessions are refused until then", async () => {
  const { projectId } = testFirebase();
  await remove(leaver);
  const again = forgedToken({ ...leaver, projectId, ageS: -30 });
  expectProblem(await harness.as({ ...leaver, token: again }).get("/me"), "session-expired");
  expect(await expiring(Date.now() + YEAR_MS)).toBe(0);
  const deleted: string[] = [];
  expect(await finishLater({ delete: async (uid) => void deleted.push(uid) })).toBe(1);
  expect(deleted).toEqual([leaver.uid]);
  // Without a login no session can begin or go on.
  expect(await expiring(Date.now() + YEAR_MS)).toBe(1);
});

test("When the server may not delete logins, then earlier sessions are refused for good, also by instances that start later", async () => {
  await remove(leaver);
  expect(await finishLater()).toBe(1);
  expect(await expiring(Date.now() + YEAR_MS)).toBe(0);
  const later = harness.instance({ accounts: undefined });
  expectProblem(await later.as(leaver).post("/tasks", draft), "session-expired");
});

test("When the provider does not delete the login, then the deletion is not finished, and the rest is erased anyway", async () => {
  await harness.insertTask(ownedBy(leaver));
  await deleteWithCrash(0);
  const accounts = { delete: () => Promise.reject(new Error("the provider is down")) };
  await expect(finishLater(accounts)).rejects.toThrow("some accounts could not be erased yet");
  expect(await tracesOf(leaver)).toEqual([]);
  expect(await deps().deletions.findUnfinished()).toHaveLength(1);
});

test("When the account was suspended during its deletion, then its login is deleted only once the suspension is lifted", async () => {
  const { suspensions } = harness.database;
  await remove(leaver);
  const deleted: string[] = [];
  const accounts = { delete: async (uid: string) => void deleted.push(uid) };
  await suspensions.insertOne(aSuspensionDoc(leaver.uid));
  expect(await finishLater(accounts)).toBe(0);
  expect(deleted).toEqual([]);
  await suspensions.updateOne({ _id: leaver.uid }, { $set: { liftedAt: new Date() } });
  expect(await finishLater(accounts)).toBe(1);
  expect(deleted).toEqual([leaver.uid]);
});

test("When a deletion cannot be finished for days, then its record does not expire until hours after it is finished", async () => {
  const { deletions } = deps();
  const longAgo = new Date(Date.now() - 3 * 86_400_000);
  const deletion = await deletions.begin(leaver.uid, longAgo);
  expect(await expiring()).toBe(0);
  await deletions.finish(deletion, new Date(), true);
  expect(await expiring()).toBe(0);
  await deletions.finish(deletion, longAgo, true);
  expect(await expiring()).toBe(1);
});

test("When a deletion that crashed after the bids is repeated, then an award and its bid name the same former member", async () => {
  const [won] = await awardedTask(client, [leaver]);
  await deleteWithCrash(2);
  await remove(leaver);
  expect((await task(won._id))?.award?.freelancerId).toMatch(/^former-/);
  expect(await verifyData(harness.database.db, ["awardsWithoutTheirBid"])).toEqual({});
});

test.each([
  ["an hour ahead", 3_600_000],
  ["two hours behind", -7_200_000],
])(
  "When a deletion was dated by a clock that is %s, then the session's next request is refused",
  async (_, ms) => {
    const instance = harness.instance({ accounts: undefined, changes: undefined });
    await instance.ok(leaver).get("/me");
    await deps().deletions.begin(leaver.uid, new Date(Date.now() + ms));
    expectProblem(await instance.as(leaver).get("/me"), "session-expired");
  },
);

test.each(["client", "freelancer"] as const)(
  "When the deletion of a %s with a decided dispute is only finished later, then what that writes does not identify them either",
  async (side) => {
    const [owner, hired] = side === "client" ? [leaver, client] : [client, leaver];
    const [{ _id: taskId }] = await awardedTask(owner, [hired]);
    const sides = { clientId: owner.uid, freelancerId: hired.uid };
    await harness.database.disputes.insertOne(aDisputeDoc({ taskId, ...sides, state: "decided" }));
    await deps().deletions.begin(leaver.uid, harness.clock.now);
    await finishLater();
    expect(await task(taskId)).toMatchObject({ state: "completed", award: { amount: 200 } });
    expect(await tracesOf(leaver)).toEqual([]);
  },
);

test("When an instance whose clock was ahead has stored something, then it is erased before the login", async () => {
  const createdAt = harness.later(2 * 3_600_000);
  await harness.insertTask({ ...ownedBy(leaver), createdAt });
  await remove(leaver);
  expect(await tracesOf(leaver)).not.toEqual([]);
  await finishLater({ delete: async () => undefined });
  expect(await tracesOf(leaver)).toEqual([]);
});

test("When the server may not delete logins and somebody logs in again after the deletion, then their new data is kept", async () => {
  const [before] = await taskWith(ownedBy(leaver), () => []);
  await harness.setTask(before._id, { createdAt: harness.clock.now });
  await remove(leaver);
  harness.clock.now = new Date(Date.now() + 2 * SETTLED_MS);
  const { projectId } = testFirebase();
  const again = forgedToken({ ...leaver, projectId, ageS: (-2 * SETTLED_MS) / 1_000 });
  const there = harness.instance({ accounts: undefined });
  const { body } = await there.ok({ ...leaver, token: again }).post("/tasks", aTaskDraft());
  expect(await finishLater()).toBe(1);
  expect(await finishLater()).toBe(0);
  expect(await harness.taskInStore(body.insertedId)).toMatchObject({ ...ownedBy(leaver) });
  expect(await task(before._id)).toBeNull();
});

test("When the account is deleted while other tabs bid, post, report and withdraw, then no data stays and all counts are correct", async () => {
  const open = await Promise.all(Array.from({ length: 12 }, () => harness.insertTask(ownedBy(client))));
  const [first, second] = open as [TaskDoc, TaskDoc];
  await harness.ok(leaver).patch(`/tasks/${first._id}/bid`);
  await harness.ok(leaver).patch(`/tasks/${second._id}/bid`);
  const elsewhere = harness.instance();
  const tabs = open.flatMap(({ _id }, index) => {
    const tab = index % 2 === 0 ? harness.as(leaver) : elsewhere.as(leaver);
    return [tab.patch(`/tasks/${_id}/bid`), harness.as(ann).patch(`/tasks/${_id}/bid`)];
  });
  const [deleted, ...responses] = await Promise.all([
    removeWithRetry(leaver),
    harness.as(leaver).delete(`/tasks/${first._id}/bid`),
    harness.as(leaver).post("/tasks", draft),
    harness.as(leaver).post("/reports", { taskId: String(second._id), reason: "spam" }),
    ...tabs,
  ]);
  expect(deleted?.status).toBe(200);
  for (const { status } of responses) expect([200, 201, 401, 503]).toContain(status);
  // Erases what other requests wrote while the account was being closed.
  expect(await finishLater()).toBe(1);
  expect(await tracesOf(leaver)).toEqual([]);
  await expectCorrectBidCounts();
});
