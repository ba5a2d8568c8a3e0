import { BSON, MongoClient, ObjectId } from "mongodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  aBidDoc,
  aDelivery,
  anAwardOf,
  aPersonDoc,
  aQuestionDoc,
  aReviewDoc,
  inDays,
} from "../../../test/builders.ts";
import { expectProblem, useHarness } from "../../../test/harness.ts";
import { everybodyTold } from "../../../test/hiring.ts";
import { type Person, signUp } from "../../../test/people.ts";
import type { ReceivedBid } from "../../contract/index.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { ReviewDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { FORMER_MEMBER, isFormerMember } from "../../db/notices.ts";
import { verifyBids } from "../../db/verify-bids.ts";
import { closedSessions, closureStore } from "./closures.ts";
import { deleteAccount, finishDeletions } from "./erase-account.ts";
import { eraseSteps } from "./erase-steps.ts";

const harness = useHarness();
const LATER = 21_000;
let leaver: Person;
let client: Person;
let others: Person[];
let mongo: MongoClient;

beforeAll(async () => {
  mongo = await MongoClient.connect(harness.address.uri);
});
afterAll(() => mongo.close());

beforeEach(async () => {
  harness.clock.now = new Date();
  client = await signUp({ name: "Clara Client" });
  others = await Promise.all(["Otto", "Olga"].map((name) => signUp({ name })));
  leaver = await signUp({ name: "Zelda Quitterson", photoUrl: "https://pictures.example/zelda.png" });
  for (const collection of await mongo.db(harness.address.dbName).collections())
    await collection.deleteMany({});
});

const remove = (person: Person) => harness.as(person).delete("/me");
/** As a person would: again, if the server was too busy to finish in time. */
async function removeWhateverItTakes(person: Person) {
  let response = await remove(person);
  while (response.status === 503) response = await remove(person);
  return response;
}
const deps = () => ({
  steps: eraseSteps(harness.database, { nudge: () => undefined }),
  closures: closureStore(harness.database),
});
/** What the server does every half minute, as if the deletions of now were some time ago. */
const finishLater = () => finishDeletions(deps(), () => new Date(harness.clock.now.getTime() + LATER));

/** Documents of any collection in which something of this person stands. */
async function tracesOf({ uid, email, name }: Person): Promise<string[]> {
  const found: string[] = [];
  for (const collection of await mongo.db(harness.address.dbName).collections()) {
    for await (const document of collection.find()) {
      const text = BSON.EJSON.stringify(document);
      // The record of the deletion itself is forgotten some hours after it is finished.
      const words = collection.collectionName === "closures" ? [email, name] : [uid, email, name, "zelda"];
      if (words.some((word) => text.includes(word))) found.push(`${collection.collectionName} ${text}`);
    }
  }
  return found;
}

/** `bidsCount` of every task is the number of its bids. */
async function expectRightCounts() {
  for await (const { _id, bidsCount } of harness.database.tasks.find()) {
    expect([_id, bidsCount]).toEqual([_id, await harness.database.bids.countDocuments({ taskId: _id })]);
  }
}

const bidBy = (person: Person, taskId: ObjectId, fields: Partial<BidDoc> = {}) =>
  aBidDoc({
    taskId,
    bidderId: person.uid,
    bidderName: person.name,
    bidderEmail: person.email,
    message: `Yours, ${person.name}`,
    ...(person === leaver && { bidderImage: "https://pictures.example/zelda.png" }),
    ...fields,
  });

const ownedBy = ({ uid, name, email }: Person) => ({ ownerId: uid, name, email });
const task = (id: ObjectId) => harness.database.tasks.findOne({ _id: id });
const bid = (id: ObjectId) => harness.database.bids.findOne({ _id: id });
const told = async (kind: string) => {
  await everybodyTold(harness);
  const found = await harness.database.notifications.find({ kind } as object).toArray();
  return found.map(({ recipientId }) => recipientId).sort();
};

/** Stores a task with these bids. */
async function taskWith(
  fields: Partial<TaskDoc>,
  bids: (taskId: ObjectId) => BidDoc[],
): Promise<[TaskDoc, ...BidDoc[]]> {
  const _id = new ObjectId();
  const placed = bids(_id);
  if (placed.length > 0) await harness.database.bids.insertMany(placed);
  return [await harness.stored({ _id, bidsCount: placed.length, ...fields }), ...placed];
}

describe("DELETE /me", () => {
  test("When a client leaves, then open and awarded tasks are cancelled and who waits is told; ended ones stay, nameless", async () => {
    const [ann, ben] = others as [Person, Person];
    const mine = { ...ownedBy(leaver), clientImage: "https://pictures.example/zelda.png" };
    const [open] = await taskWith(mine, (id) => [bidBy(ann, id), bidBy(ben, id)]);
    const [expired] = await taskWith({ ...mine, state: "open", deadline: inDays(-2) }, () => []);
    const hired = bidBy(ann, new ObjectId());
    const [awarded] = await taskWith(
      { ...mine, _id: hired.taskId, state: "awarded", award: anAwardOf(hired) },
      () => [hired],
    );
    const [completed] = await taskWith({ ...mine, state: "completed", award: anAwardOf(hired) }, () => []);
    const { body } = await remove(leaver).expect(200);
    expect(body).toEqual({ acknowledged: true, deletedCount: 1 });
    for (const { _id } of [open, expired, awarded])
      expect(await task(_id)).toMatchObject({
        state: "cancelled",
        name: FORMER_MEMBER,
        email: "",
        revision: 1,
      });
    expect(await task(completed._id)).toMatchObject({ state: "completed", name: FORMER_MEMBER, email: "" });
    expect(isFormerMember((await task(open._id))?.ownerId ?? "")).toBe(true);
    // Both who bid on the open one, and the one who was hired for the other.
    expect(await told("task-cancelled")).toEqual([ann.uid, ann.uid, ben.uid].sort());
    expect(await tracesOf(leaver)).toEqual([]);
    await expectRightCounts();
  });

  test("When a freelancer leaves, then bids are withdrawn where nothing was decided, and nameless where it was", async () => {
    const [ann] = others as [Person];
    const theirs = ownedBy(client);
    const bids = (id: ObjectId) => [bidBy(leaver, id), bidBy(ann, id)];
    const [open, openBid] = await taskWith(theirs, bids);
    const [expired] = await taskWith({ ...theirs, state: "open", deadline: inDays(-2) }, bids);
    const [cancelled, cancelledBid] = await taskWith({ ...theirs, state: "cancelled" }, bids);
    await harness.database.tasks.updateOne(
      { _id: cancelled._id },
      { $set: { award: anAwardOf(cancelledBid as BidDoc) } },
    );
    const winning = bidBy(leaver, new ObjectId(), { state: "awarded", days: 5 });
    const [won] = await taskWith(
      { ...theirs, _id: winning.taskId, state: "awarded", award: anAwardOf(winning) },
      () => [winning],
    );
    const other = bidBy(ann, new ObjectId());
    const lost = bidBy(leaver, other.taskId);
    await taskWith({ ...theirs, _id: other.taskId, state: "completed", award: anAwardOf(other) }, () => [
      other,
      lost,
    ]);
    await remove(leaver).expect(200);

    expect(await bid((openBid as BidDoc)._id)).toBeNull();
    for (const { _id } of [open, expired, cancelled])
      expect(await task(_id)).toMatchObject({ bidsCount: 1, name: client.name });
    const stays = { bidderName: FORMER_MEMBER, bidderEmail: "", amount: 400 };
    expect(await bid(winning._id)).toMatchObject({ ...stays, state: "awarded", days: 5 });
    expect(await bid(lost._id)).toMatchObject(stays);
    expect(await bid(other._id)).toMatchObject({ bidderName: ann.name });
    expect((await task(won._id))?.award).toMatchObject({ name: FORMER_MEMBER, email: "", amount: 400 });
    expect((await task(won._id))?.award?.freelancerId).toBe((await bid(winning._id))?.bidderId);
    // For the open one, the expired one, and the one they were to work on.
    expect(await told("bid-withdrawn")).toEqual([client.uid, client.uid]);
    expect(await told("freelancer-left")).toEqual([client.uid]);
    expect(await tracesOf(leaver)).toEqual([]);
    await expectRightCounts();
  });

  test("When a task is opened again after somebody who bid on it left, then their bid does not stand again", async () => {
    const [ann] = others as [Person];
    const winning = bidBy(leaver, new ObjectId(), { state: "awarded" });
    const other = bidBy(ann, new ObjectId(), { state: "awarded" });
    for (const bids of [
      [winning, bidBy(ann, winning.taskId)],
      [other, bidBy(leaver, other.taskId)],
    ] as const) {
      const [{ taskId: _id }] = bids;
      const award = anAwardOf(bids[0]);
      await taskWith({ ...ownedBy(client), _id, state: "awarded", awardCount: 1, award }, () => [...bids]);
    }
    await remove(leaver).expect(200);
    for (const { taskId } of [winning, other]) {
      const move = (change: object) => harness.as(client).patch(`/tasks/${taskId}/state`, change).expect(200);
      await move({ state: "cancelled", reason: "They left." });
      await move({ state: "open" });
      const { body } = await harness.as(client).get(`/tasks/${taskId}/bids`).expect(200);
      expect(body.map(({ freelancerId, state }: ReceivedBid) => [freelancerId, state])).toEqual([
        [ann.uid, "placed"],
      ]);
    }
    await expectRightCounts();
  });

  /** A task in that state on which work was handed in and changes were asked for before. */
  async function delivered(state: "awarded" | "delivered", owner: Person, hired: Person) {
    const winning = bidBy(hired, new ObjectId(), { state: "awarded" });
    const [stored] = await taskWith(
      {
        ...ownedBy(owner),
        _id: winning.taskId,
        state,
        award: anAwardOf(winning),
        ...(state === "delivered" && { delivery: aDelivery() }),
      },
      () => [winning],
    );
    const step = { taskId: stored._id, clientId: owner.uid, freelancerId: hired.uid, at: new Date() };
    await harness.database.timeline.insertMany([
      {
        _id: new ObjectId(),
        ...step,
        kind: "delivered",
        by: "freelancer",
        note: "Note",
        links: ["https://a.example/"],
      },
      { _id: new ObjectId(), ...step, kind: "changes-requested", by: "client", reason: "Reason" },
    ]);
    return stored;
  }
  const said = async ({ _id: taskId }: TaskDoc) =>
    (await harness.database.timeline.find({ taskId }).sort({ at: 1, _id: 1 }).toArray()).map(
      ({ kind, note, links, reason }) => [kind, note ?? links ?? reason ?? ""],
    );

  test("When a client leaves to whom work was delivered, then its freelancer may complete it at once, and what the client said is gone", async () => {
    const [ann] = others as [Person];
    const { _id, ...waiting } = await delivered("delivered", leaver, ann);
    await remove(leaver).expect(200);
    expect(await task(_id)).toMatchObject({ state: "delivered", name: FORMER_MEMBER });
    expect(await told("may-complete")).toEqual([ann.uid]);
    expect(await said({ _id, ...waiting })).toEqual([
      ["delivered", "Note"],
      ["changes-requested", ""],
    ]);
    expect(await tracesOf(leaver)).toEqual([]);
    expect((await harness.as(ann).get(`/tasks/${_id}`)).body).toMatchObject({ otherSideLeft: true });
    await harness.as(ann).post(`/tasks/${_id}/completion`).expect(200);
    expect(await task(_id)).toMatchObject({ state: "completed" });
    // Nobody is there to be told.
    expect(await told("completed-unanswered")).toEqual([]);
  });

  test("When a freelancer leaves who had delivered, then the client decides what becomes of it, and what they handed in is gone", async () => {
    const [ann] = others as [Person];
    const waiting = await delivered("delivered", ann, leaver);
    const own = async () => (await harness.as(ann).get(`/tasks?email=${ann.email}`).expect(200)).body[0];
    expect(await own()).not.toHaveProperty("otherSideLeft");
    await remove(leaver).expect(200);
    expect(await own()).toMatchObject({ otherSideLeft: true });
    const after = await task(waiting._id);
    expect(after).toMatchObject({ state: "awarded", award: { name: FORMER_MEMBER } });
    expect(after).not.toHaveProperty("delivery");
    expect(await told("freelancer-left")).toEqual([ann.uid]);
    expect(await told("bid-withdrawn")).toEqual([]);
    expect(await said(waiting)).toEqual([
      ["delivered", ""],
      ["changes-requested", "Reason"],
    ]);
    expect(await tracesOf(leaver)).toEqual([]);
    const cancel = { state: "cancelled", reason: "They have left." };
    await harness.as(ann).patch(`/tasks/${waiting._id}/state`, cancel).expect(200);
    // Opened again, it has no bid of nobody's that could be awarded.
    await harness.as(ann).patch(`/tasks/${waiting._id}/state`, { state: "open" }).expect(200);
    expect(await task(waiting._id)).toMatchObject({ state: "open", bidsCount: 0 });
    await expectRightCounts();
  });

  test("When somebody leaves who reviewed, reported and was told of things, then nothing leads back to them", async () => {
    const { reviews, reports, notifications, people } = harness.database;
    await harness.as(leaver).get("/me").expect(200);
    expect(await people.countDocuments({ _id: leaver.uid })).toBe(1);
    const { uid: authorId, name: authorName } = client;
    const review = (fields: Partial<ReviewDoc>) =>
      aReviewDoc({ authorId, authorName, role: "client", subjectId: client.uid, ...fields });
    const image = { authorImage: "https://pictures.example/zelda.png" };
    await reviews.insertMany([
      review({ authorId: leaver.uid, authorName: leaver.name, ...image }),
      review({ subjectId: leaver.uid }),
    ]);
    const { _id: taskId } = await harness.stored(ownedBy(client));
    await harness
      .as(leaver)
      .post("/reports", { taskId: String(taskId), reason: "spam" })
      .expect(201);
    await harness.as(leaver).patch(`/tasks/${taskId}/bid`).expect(200);
    await harness.as(leaver).put(`/me/saved/${taskId}`).expect(200);
    await harness
      .as(client)
      .put(`/tasks/${taskId}`, { ...draft, title: "Changed" })
      .expect(200);
    await harness.database.idempotencyKeys.insertOne({
      _id: new ObjectId(),
      personId: leaver.uid,
      key: "k",
      fingerprint: "f",
      holder: new ObjectId(),
      createdAt: new Date(),
    });
    const names = async () =>
      (await notifications.find({ recipientId: client.uid }).toArray()).map(({ actor }) => actor);
    expect(await names()).toContain(leaver.name);
    expect((await tracesOf(leaver)).length).toBeGreaterThan(5);

    await remove(leaver).expect(200);
    expect(await tracesOf(leaver)).toEqual([]);
    expect(await names()).toContain(FORMER_MEMBER);
    expect(await reports.findOne()).toMatchObject({ reporterName: FORMER_MEMBER, reason: "spam" });
    expect(await reviews.findOne({ subjectId: client.uid })).toMatchObject({
      authorName: FORMER_MEMBER,
      anonymous: true,
      stars: 4,
      text: "Good.",
    });
    const shown = await harness.as().get(`/profiles/${client.uid}/reviews`).expect(200);
    expect(shown.body[0].author).toEqual({ name: FORMER_MEMBER });
    expectProblem(await harness.as().get(`/profiles/${leaver.uid}`), 404, "person-not-found");
    // Nobody else lost anything.
    expect(await reviews.countDocuments({ authorId: client.uid })).toBe(1);
    expect(await people.countDocuments({ _id: client.uid })).toBe(1);
  });

  test("When somebody leaves who asked, then what waits goes, and what is answered stays, nameless", async () => {
    const { questions } = harness.database;
    const { _id: taskId } = await harness.stored(ownedBy(client));
    const path = `/tasks/${taskId}/questions`;
    await harness.as(leaver).post(path, { text: "Who hosts it?" }).expect(201);
    const said = { text: "We do.", createdAt: new Date(), updatedAt: new Date() };
    const answered = aQuestionDoc({ taskId, askerId: leaver.uid, answer: said });
    await questions.insertMany([answered, aQuestionDoc({ taskId, clientId: leaver.uid, text: "Another's" })]);
    await remove(leaver).expect(200);
    expect(await tracesOf(leaver)).toEqual([]);
    const left = await questions.find().toArray();
    expect(left.map(({ text }) => text).sort()).toEqual(["Another's", answered.text]);
    expect(isFormerMember(left.find(({ answer }) => answer)?.askerId ?? "")).toBe(true);
  });

  test("When the login is older than five minutes, then it is asked for again, and nothing changes", async () => {
    await harness.stored(ownedBy(leaver));
    harness.clock.now = new Date(Date.now() + 5 * 60_000 + 2_000);
    expectProblem(await remove(leaver), 403, "log-in-again");
    expectProblem(await harness.as().delete("/me"), 401, "not-signed-in");
    expect(await harness.database.tasks.findOne()).toMatchObject(ownedBy(leaver));
    expect(await harness.database.closures.countDocuments()).toBe(0);
  });

  test("When the account is deleted, then its sessions are over on every instance; deleting again does nothing more", async () => {
    const elsewhere = harness.instance();
    const open = await harness.stored(ownedBy(client));
    await harness.as(leaver).get("/me").expect(200);
    await remove(leaver).expect(200);
    expectProblem(await harness.as(leaver).patch(`/tasks/${open._id}/bid`), 401, "session-expired");
    expectProblem(await elsewhere.as(leaver).patch(`/tasks/${open._id}/bid`), 401, "session-expired");
    await elsewhere.as(client).get("/me").expect(200);
    expect((await remove(leaver).expect(200)).body).toEqual({ acknowledged: true, deletedCount: 0 });
    expect(await tracesOf(leaver)).toEqual([]);
  });

  /** Deletes the leaver's account up to a crash after so many steps. */
  async function breakOff(after: number): Promise<void> {
    const { closures, steps } = deps();
    const crash = () => Promise.reject(new Error("crashed"));
    const broken = [...steps.slice(0, after), crash, ...steps.slice(after)];
    const sessions = closedSessions(closures);
    const caller = { uid: leaver.uid, name: leaver.name, email: leaver.email };
    const user = { ...caller, loggedInAt: new Date(), tokenExpiresAt: new Date() };
    const invalidateAfter = <T>(write: () => Promise<T>) => write();
    await expect(
      deleteAccount({ steps: broken, closures, sessions, invalidateAfter }, user, harness.clock.now),
    ).rejects.toThrow("crashed");
  }

  test("When it breaks off in the middle, then calling again finishes it, and so does the server by itself", async () => {
    for (const finish of [async () => void (await remove(leaver).expect(200)), finishLater]) {
      await taskWith(ownedBy(leaver), (id) => [bidBy(client, id)]);
      await taskWith(ownedBy(client), (id) => [bidBy(leaver, id)]);
      const { uid: _id, name, email } = leaver;
      await harness.database.people.insertOne(aPersonDoc({ _id, name, email }));
      await breakOff(3);
      expect(await tracesOf(leaver)).not.toEqual([]);
      await finish();
      expect(await tracesOf(leaver)).toEqual([]);
      await expectRightCounts();
    }
  });

  test("When a deletion cannot be finished for days, then the database keeps its record, and lets go of it hours after it is", async () => {
    const { closures } = deps();
    /** How many the database would delete now, by its indexes. */
    const expiring = async () => {
      const indexes = await harness.database.closures.listIndexes().toArray();
      const [index, ...others] = indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
      expect(others).toEqual([]);
      const before = new Date(Date.now() - index?.expireAfterSeconds * 1_000);
      const [field = ""] = Object.keys(index?.key);
      return harness.database.closures.countDocuments({ [field]: { $lte: before } } as object);
    };
    const longAgo = new Date(Date.now() - 3 * 86_400_000);
    const closure = await closures.begin(leaver.uid, longAgo);
    expect(await expiring()).toBe(0);
    await closures.finish(closure, new Date());
    expect(await expiring()).toBe(0);
    await closures.finish(closure, longAgo);
    expect(await expiring()).toBe(1);
  });

  test("When it is asked for again after the bids were done, then an award and its bid name the same former member", async () => {
    const winning = bidBy(leaver, new ObjectId(), { state: "awarded" });
    const awarded = { _id: winning.taskId, state: "awarded", award: anAwardOf(winning) } as const;
    await taskWith({ ...ownedBy(client), ...awarded }, () => [winning]);
    await breakOff(2);
    await remove(leaver).expect(200);
    expect((await task(winning.taskId))?.award?.freelancerId).toMatch(/^former-/);
    expect((await verifyBids(harness.database)).offenders).toMatchObject({ awardsWithoutTheirBid: [] });
  });

  test("When somebody comes back with a new login, then they are somebody new, and stay", async () => {
    harness.clock.now = new Date(Date.now() - 2 * LATER);
    const [before] = await taskWith(ownedBy(leaver), () => []);
    await harness.database.tasks.updateOne({ _id: before._id }, { $set: { createdAt: harness.clock.now } });
    await remove(leaver).expect(200);
    harness.clock.now = new Date();
    // Their token is of a login after the deletion.
    const id = await harness.posted(leaver);
    expect(await finishLater()).toBe(1);
    expect(await finishLater()).toBe(0);
    expect(await harness.taskInStore(id)).toMatchObject({ ...ownedBy(leaver) });
    expect((await task(before._id))?.name).toBe(FORMER_MEMBER);
  });
});

const draft = { title: "Saved", category: "Design", description: "x", deadline: inDays(4), budget: 5 };

describe("Everything at once", () => {
  test("When the account is deleted while other tabs bid, post, report and withdraw, then nothing of it stays and all counts are right", async () => {
    const open = await Promise.all(Array.from({ length: 12 }, () => harness.stored(ownedBy(client))));
    const [first, second] = open as [TaskDoc, TaskDoc];
    await harness.as(leaver).patch(`/tasks/${first._id}/bid`).expect(200);
    await harness.as(leaver).patch(`/tasks/${second._id}/bid`).expect(200);
    const elsewhere = harness.instance();
    const tabs = open.flatMap(({ _id }, index) => {
      const tab = index % 2 === 0 ? harness.as(leaver) : elsewhere.as(leaver);
      return [tab.patch(`/tasks/${_id}/bid`), harness.as(others[0]).patch(`/tasks/${_id}/bid`)];
    });
    const [deleted, ...responses] = await Promise.all([
      removeWhateverItTakes(leaver),
      harness.as(leaver).delete(`/tasks/${first._id}/bid`),
      harness.as(leaver).post("/tasks", draft),
      harness.as(leaver).post("/reports", { taskId: String(second._id), reason: "spam" }),
      ...tabs,
    ]);
    expect(deleted?.status).toBe(200);
    for (const { status } of responses) expect([200, 201, 401, 503]).toContain(status);
    // What was under way when the account was closed is swept up.
    expect(await finishLater()).toBe(1);
    expect(await tracesOf(leaver)).toEqual([]);
    await expectRightCounts();
  });

  test("When clients award a freelancer who leaves at that moment, then each task is awarded to a former member or to nobody", async () => {
    const tasks = await Promise.all(
      Array.from({ length: 12 }, () => taskWith(ownedBy(client), (id) => [bidBy(leaver, id)])),
    );
    const awards = tasks.map(([{ _id }, placed]) =>
      harness.as(client).post(`/tasks/${_id}/award`, { bidId: String((placed as BidDoc)._id) }),
    );
    const [deleted, ...responses] = await Promise.all([removeWhateverItTakes(leaver), ...awards]);
    expect(deleted?.status).toBe(200);
    expect(await tracesOf(leaver)).toEqual([]);
    await expectRightCounts();
    for (const [index, [{ _id }, placed]] of tasks.entries()) {
      const now = await task(_id);
      const kept = await bid((placed as BidDoc)._id);
      const status = responses[index]?.status;
      expect([200, 404, 503]).toContain(status);
      if (status === 200 || now?.state === "awarded") {
        expect(now).toMatchObject({
          state: "awarded",
          bidsCount: 1,
          award: { name: FORMER_MEMBER, email: "" },
        });
        expect(kept).toMatchObject({ bidderName: FORMER_MEMBER, state: "awarded" });
      } else {
        expect([now?.state ?? "open", now?.bidsCount, kept]).toEqual(["open", 0, null]);
      }
    }
  });
});
