import { ObjectId } from "mongodb";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  aQuestionDoc,
  bidHelpers,
  expectProblem,
  inDays,
  type Person,
  signUp,
  useHarness,
  useOperator,
  usePeople,
} from "../../../test/index.ts";
import { QUESTION_LIMITS, type Question } from "../../contract/index.ts";

const harness = useHarness();
const { bid, award, notificationKinds } = bidHelpers(harness);
const [client, bidder] = usePeople("Clara Client", "Bo Bidder");
const operator = useOperator(harness);
let asker: Person;
let task: string;

beforeAll(async () => {
  asker = await signUp({ name: "Ada Asker", photoUrl: "https://pictures.example/ada.png" });
});
beforeEach(async () => {
  task = await harness.postTask(client);
});

const path = () => `/tasks/${task}/questions`;
const ask = (by: Person = asker, text = "Who hosts it?") => harness.as(by).post(path(), { text });
const asked = async (by?: Person, text?: string) => String((await ask(by, text).expect(201)).body.insertedId);
const answer = (id: string, text = "We do.", by = client) =>
  harness.as(by).put(`${path()}/${id}/answer`, { text });
const list = async (by?: Person, limit = 20) =>
  (await harness.pages<Question>(`${path()}?limit=${limit}`, by)).flat();
const close = (closed: boolean) => harness.ok(client).patch(path(), { closed });
const change = (modifiedCount: 0 | 1) => ({ acknowledged: true, matchedCount: 1, modifiedCount });

describe("asking and answering", () => {
  test("When a question is unanswered, then only its asker and the client see it; once answered, everybody does, without the asker's name", async () => {
    const id = await asked();
    const waiting = { _id: id, text: "Who hosts it?" };
    expect(await list(asker)).toEqual([{ ...waiting, createdAt: expect.any(String), isOwn: true }]);
    const known = { id: asker.uid, name: "Ada Asker", image: "https://pictures.example/ada.png" };
    expect(await list(client)).toEqual([{ ...waiting, createdAt: expect.any(String), asker: known }]);
    for (const other of [bidder, operator, undefined]) expect(await list(other)).toEqual([]);

    expect((await answer(id).expect(200)).body).toEqual(change(1));
    expect(await list(asker)).toMatchObject([{ isOwn: true, answer: { text: "We do." } }]);
    for (const other of [bidder, undefined]) {
      const [shown] = await list(other);
      expect(shown).toMatchObject({ ...waiting, answer: { text: "We do." } });
      expect(shown).not.toHaveProperty("asker");
      expect(shown).not.toHaveProperty("isOwn");
    }
  });

  test("When a question is asked, answered and the answer changed, then each person concerned is notified once", async () => {
    const declined = await signUp({ name: "Dora Declined" });
    for (const person of [asker, bidder, declined]) await bid(task, person);
    await harness.database.bids.updateOne({ bidderId: declined.uid }, { $set: { state: "declined" } });
    const id = await asked();
    await answer(id).expect(200);
    expect((await answer(id).expect(200)).body).toEqual(change(0));
    expect((await answer(id, "We do, in Oslo.").expect(200)).body).toEqual(change(1));
    const [changed] = await list(asker);
    expect(changed?.answer).toMatchObject({ text: "We do, in Oslo." });
    const news = async (person: Person) =>
      (await notificationKinds(person, task)).filter((kind) => kind !== "new-bid");
    expect(await news(client)).toEqual(["new-question"]);
    expect(await news(asker)).toEqual(["question-answered"]);
    expect(await news(bidder)).toEqual(["new-answer"]);
    expect(await news(declined)).toEqual([]);
  });

  test("When somebody exceeds the limit, even with simultaneous questions, then the rest is refused; others can still ask", async () => {
    const there = harness.instance();
    const responses = await Promise.all(
      [harness, there, harness, there, harness, there].map((instance, number) =>
        instance.as(asker).post(path(), { text: `No. ${number}` }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
    expectProblem(await ask(), "questions-used-up");
    expect(await harness.database.questions.countDocuments({ taskId: new ObjectId(task) })).toBe(
      QUESTION_LIMITS.perTask,
    );
    expect(await notificationKinds(client, task)).toEqual(
      Array(QUESTION_LIMITS.perTask).fill("new-question"),
    );
    await ask(bidder).expect(201);
    await harness.setTask(task, { hidden: true });
    expectProblem(await ask(), "task-not-found");
  });

  test("When the task is hidden, deleted, or no longer takes bids, then nobody can ask", async () => {
    await harness.setTask(task, { deadline: inDays(-1) });
    expectProblem(await ask(), "task-expired");
    await harness.setTask(task, { deadline: inDays(9), state: "cancelled" });
    expectProblem(await ask(), "task-not-open");
    await harness.setTask(task, { state: "open", hidden: true });
    expectProblem(await ask(), "task-not-found");
    expectProblem(await harness.as(bidder).get(path()), "task-not-found");
    await list(client);
    await harness.database.tasks.deleteOne({ _id: new ObjectId(task) });
    expectProblem(await ask(), "task-not-found");
  });

  test("When an answer has changed since the client read it, then a change that says what was read is refused", async () => {
    const id = await asked();
    const save = (text: string, updatedAt: string) =>
      harness.as(client).put(`${path()}/${id}/answer`, { text, updatedAt });
    const shown = async () => (await list())[0]?.answer;
    await save("We do.", "").expect(200);
    expectProblem(await save("We don't.", ""), "changed-meanwhile");
    const updatedAt = String((await shown())?.updatedAt);
    harness.advance(1_000);
    await save("We do, in blue.", updatedAt).expect(200);
    expectProblem(await save("In red.", updatedAt), "changed-meanwhile");
    // A request that was repeated.
    await save("We do, in blue.", updatedAt).expect(200);
    expect(await shown()).toMatchObject({ text: "We do, in blue." });
  });

  test("When the task is hidden, then an answer, which may be the reason, can still be changed, but no other question answered", async () => {
    const [answered, waiting] = [await asked(), await asked()];
    await answer(answered, "Call me.").expect(200);
    await harness.setTask(task, { hidden: true });
    await answer(answered, "Write to me here.").expect(200);
    expectProblem(await answer(waiting), "wrong-state");
    expect((await list(client)).map((one) => one.answer?.text)).toEqual([undefined, "Write to me here."]);
  });

  test("When the task is awarded, then its answers can no longer change; after its deadline they still can", async () => {
    const id = await asked();
    await bid(task, bidder);
    const expire = (deadline: string) => harness.setTask(task, { deadline });
    await expire(inDays(-1));
    await answer(id).expect(200);
    await expire(inDays(9));
    await award(task, client, bidder);
    expectProblem(await answer(id, "Something else."), "wrong-state");
    expect(await list()).toMatchObject([{ answer: { text: "We do." } }]);
  });
});

describe("closing and deleting", () => {
  test("When the client closes questions, then nobody can ask until they are reopened, but existing ones can be answered", async () => {
    const id = await asked();
    expect((await close(true)).body).toEqual(change(1));
    expect((await close(true)).body).toEqual(change(0));
    const { body, headers } = await harness.ok().get(`/tasks/${task}`);
    expect(body.questionsClosed).toBe(true);
    // The version stays the same, so that a form open in another tab remains valid.
    expect(headers["etag"]).toMatch(/^"0/);
    expectProblem(await ask(), "questions-closed");
    await answer(id).expect(200);
    await close(false);
    await ask().expect(201);
    expect(await harness.read(`/tasks/${task}`)).not.toHaveProperty("questionsClosed");
  });

  test("When an unanswered question is deleted by its asker, then it is gone, and asking again notifies nobody", async () => {
    const remove = (id: string, by = asker) => harness.as(by).delete(`${path()}/${id}`);
    const id = await asked();
    const nothing = { acknowledged: true, deletedCount: 0 };
    expect((await remove(id, bidder).expect(200)).body).toEqual(nothing);
    expect((await remove(id).expect(200)).body).toEqual({ acknowledged: true, deletedCount: 1 });
    expect((await remove(id).expect(200)).body).toEqual(nothing);
    expect(await list(client)).toEqual([]);
    const again = await asked();
    expect(await notificationKinds(client, task)).toEqual(["new-question"]);
    await answer(again).expect(200);
    expectProblem(await remove(again), "question-answered");
  });

  test("When a question is answered and deleted at the same moment, then one of the two succeeds", async () => {
    for (let round = 0; round < 3; round++) {
      task = await harness.postTask(client);
      const id = await asked();
      const [answered, deleted] = await Promise.all([
        answer(id),
        harness.as(asker).delete(`${path()}/${id}`),
      ]);
      const outcome = [answered.status, deleted.status].join();
      expect(["200,409", "404,200"]).toContain(outcome);
      expect(await list()).toHaveLength(outcome === "200,409" ? 1 : 0);
      expect(await notificationKinds(asker, task)).toEqual(
        outcome === "200,409" ? ["question-answered"] : [],
      );
    }
  });
});

test("When the list is paged through, then each question is listed once, unanswered ones first, for every reader", async () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, day));
  const said = (day: number) => ({ text: "Yes.", createdAt: at(day), updatedAt: at(day) });
  const question = (text: string, day: number, more = {}) =>
    aQuestionDoc({ taskId: new ObjectId(task), text, createdAt: at(day), ...more });
  await harness.database.questions.insertMany([
    question("answered 1", 1, { answer: said(5) }),
    question("answered 2", 2, { answer: said(3) }),
    question("own", 3, { askerId: asker.uid }),
    question("waiting", 4),
    question("hidden", 4, { answer: said(4), hidden: true }),
  ]);
  const expected = new Map([
    [client, ["waiting", "own", "answered 2", "answered 1"]],
    [asker, ["own", "answered 2", "answered 1"]],
    [undefined, ["answered 2", "answered 1"]],
  ]);
  for (const [reader, texts] of expected)
    for (const limit of [1, 3]) expect((await list(reader, limit)).map(({ text }) => text)).toEqual(texts);
  // The askers of the others have deleted their accounts.
  expect((await list(client)).at(-1)?.asker).toEqual({ name: "Former member" });
});

describe("reports", () => {
  const report = (by: Person, questionId: string) =>
    harness.as(by).post("/reports", { taskId: task, questionId, reason: "spam" });
  const show = (id: string, hidden: boolean) =>
    harness
      .as(operator)
      .patch(`${path()}/${id}/visibility`, { hidden, ...(hidden && { reason: "spam", text: "An ad." }) });

  test("When a question is reported, then only by people who can see it, and the operator sees it with its answer", async () => {
    const id = await asked(asker, "Buy my shoes?");
    expectProblem(await report(bidder, id), "question-not-found");
    await report(client, id).expect(201);
    await answer(id, "No.").expect(200);
    await report(bidder, id).expect(201);
    await report(bidder, id).expect(200);
    const body = await harness.read("/reports?limit=1", operator);
    expect(body[0].question).toEqual({
      _id: id,
      text: "Buy my shoes?",
      answer: "No.",
      hidden: false,
      asker: { id: asker.uid, name: "Ada Asker" },
    });
    const other = await harness.postTask(client);
    const wrong = { taskId: other, questionId: id, reason: "spam" };
    expectProblem(await harness.as(bidder).post("/reports", wrong), "question-not-found");
  });

  test("When an operator hides a question, then nobody can see or answer it, and its authors are notified with the reason", async () => {
    const id = await asked();
    await answer(id).expect(200);
    expect((await show(id, true).expect(200)).body).toEqual(change(1));
    expect((await show(id, true).expect(200)).body).toEqual(change(0));
    for (const person of [client, asker, bidder, undefined]) expect(await list(person)).toEqual([]);
    expectProblem(await answer(id, "Still here."), "question-not-found");
    expectProblem(await report(bidder, id), "question-not-found");
    expect((await notificationKinds(asker, task)).at(-1)).toBe("question-hidden");
    const log = await harness.database.operatorLog.find({ taskId: new ObjectId(task) }).toArray();
    expect(log).toMatchObject([{ kind: "question-hidden", operatorId: operator.uid, reason: "spam" }]);
    const [notice] = await harness.read("/me/notifications", client);
    expect(notice).toMatchObject({ kind: "question-hidden", asClient: true, reason: "spam", text: "An ad." });
    await show(id, false).expect(200);
    expect(await list()).toHaveLength(1);
    expect((await notificationKinds(asker, task)).at(-1)).toBe("question-restored");
  });
});
