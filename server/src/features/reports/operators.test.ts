import { ObjectId } from "mongodb";
import { beforeEach, expect, test } from "vitest";
import {
  aBidDoc,
  aTaskDraft,
  bidHelpers,
  expectProblem,
  inDays,
  type Person,
  rename,
  signUp,
  signUpOperator,
  useHarness,
  useOperator,
  usePeople,
} from "../../../test/index.ts";
import type { OperatorAct, QueueItem } from "../../contract/index.ts";
import { queueForOperators } from "../../domain/operators.ts";

const harness = useHarness();
const [reader, fred] = usePeople("Rita Reader", "Fred Freelancer");
const operator = useOperator(harness);
let client: Person;

beforeEach(async () => {
  await harness.clear("operatorQueue", "operatorLog", "reports");
  client = await signUp({ name: "Clara Client" });
});

const queue = async (query = "") =>
  (await harness.pages<QueueItem>(`/operators/queue${query}`, operator)).flat();
const log = async (query = "") =>
  (await harness.pages<OperatorAct>(`/operators/log${query}`, operator)).flat();
const hide = { hidden: true, reason: "spam" };

test("When somebody posts their first tasks, then the first three are queued for operators while already public; later ones are not", async () => {
  const ids: string[] = [];
  for (let at = 0; at < 5; at++) ids.push(await harness.postTask(client, { title: `Task ${at}` }));
  const items = await queue();
  expect(items.map(({ kind, taskId }) => [kind, taskId])).toEqual(
    ids
      .slice(0, 3)
      .map((id) => ["first-task", id])
      .reverse(),
  );
  expect(items[0]?.task).toMatchObject({
    title: "Task 2",
    name: client.name,
    clientId: client.uid,
    hidden: false,
  });
  for (const id of ids) await harness.read(`/tasks/${id}`);
  expect(await harness.read("/me", operator)).toMatchObject({ openItems: 3 });
});

test("When somebody has posted more than three tasks and deletes most of them, then their next task is not queued", async () => {
  const ids: string[] = [];
  for (let at = 0; at < 4; at++) ids.push(await harness.postTask(client));
  for (const id of ids.slice(1)) await harness.ok(client).delete(`/tasks/${id}`);
  const next = await harness.postTask(client);
  expect((await queue()).map(({ taskId }) => taskId)).not.toContain(next);
});

test("When a checked first task is edited, then it is queued again as new, but not if only its deadline changes or it was never queued", async () => {
  const id = await harness.postTask(client);
  const edit = (change: object, task = id) => harness.ok(client).put(`/tasks/${task}`, aTaskDraft(change));
  const [item] = await queue();
  await harness.ok(operator).patch(`/operators/queue/${item?._id}`, { settled: true });

  await edit({ deadline: inDays(20) });
  expect(await queue("?state=open")).toEqual([]);
  await harness.database.operatorQueue.updateMany({}, { $set: { createdAt: new Date(0) } });
  await edit({ deadline: inDays(20), description: "Something else entirely." });
  const createdAt = harness.clock.now.toISOString();
  expect(await queue("?state=open")).toMatchObject([
    { _id: item?._id, kind: "first-task", taskId: id, createdAt },
  ]);
  const { _id: later } = await harness.insertTask({ ownerId: client.uid });
  await edit({ title: "Changed" }, String(later));
  expect(await queue("?state=open")).toHaveLength(1);
});

test("When a subject is queued again, then there is still one item; a settled one reopens only if the note is different", async () => {
  const task = await harness.insertTask({ ownerId: client.uid });
  await harness.read("/me", fred);
  const bid = aBidDoc({ taskId: task._id, bidderId: fred.uid, message: "Call 555 0100" });
  await harness.database.bids.insertOne(bid);
  const subject = { taskId: task._id, bidId: bid._id, personId: bid.bidderId };
  const [early, late] = [new Date(Date.now() - 60_000), new Date()];
  const mark = (note: string, now: Date) =>
    queueForOperators(harness.database, "contact-data", subject, { note, now });
  await mark("$a phone number", early);
  await mark("$a phone number", late);
  const [item] = await queue();
  expect(item).toMatchObject({
    kind: "contact-data",
    note: "$a phone number",
    about: "bid",
    bid: { message: "Call 555 0100" },
    person: { id: fred.uid, name: fred.name },
    settled: false,
    createdAt: early.toISOString(),
  });
  await harness.ok(operator).patch(`/operators/queue/${item?._id}`, { settled: true });
  await mark("$a phone number", late);
  expect(await queue("?state=open")).toEqual([]);
  await mark("an email address", late);
  expect(await queue("?kind=contact-data")).toMatchObject([
    { note: "an email address", settled: false, createdAt: late.toISOString() },
  ]);
  expect(await queue("?kind=first-task")).toEqual([]);
});

test("When the queue has several pages, then they cover all items, unsettled ones first", async () => {
  const settled = [true, false, true, false, false];
  const task = await harness.insertTask({});
  await harness.database.operatorQueue.insertMany(
    settled.map((isSettled, at) => ({
      _id: new ObjectId(),
      key: `first-task ${at}`,
      kind: "first-task" as const,
      note: `n${at}`,
      taskId: task._id,
      personId: "p",
      settled: isSettled,
      createdAt: new Date(Date.UTC(2026, 0, 1, at)),
    })),
  );
  expect((await queue("?limit=2")).map(({ note }) => note)).toEqual(["n4", "n3", "n1", "n2", "n0"]);
});

test("When operators act, then each act that changed something is logged once, with its reason, newest first", async () => {
  const id = await harness.postTask(client, { title: "Easy money" });
  const by = harness.ok(operator);
  const visibility = (body: object) => by.patch(`/tasks/${id}/visibility`, body);
  await visibility({ hidden: true, reason: "fraud", text: "Asks for money." });
  await visibility({ hidden: true, reason: "fraud" });
  await visibility({ hidden: false, text: "They fixed it." });
  const report = await harness.ok(reader).post("/reports", { taskId: id, reason: "spam" });
  for (const settled of [true, true, false])
    await by.patch(`/reports/${report.body.insertedId}`, { settled });
  const [item] = await queue();
  for (const settled of [true, true, false]) await by.patch(`/operators/queue/${item?._id}`, { settled });
  const acts = await log();
  expect(acts.map(({ kind, reason, text }) => [kind, reason, text]).reverse()).toEqual([
    ["task-hidden", "fraud", "Asks for money."],
    ["task-restored", undefined, "They fixed it."],
    ["report-resolved", "spam", undefined],
    ["report-reopened", "spam", undefined],
    ["item-checked", undefined, undefined],
    ["item-reopened", undefined, undefined],
  ]);
  for (const act of acts)
    expect(act).toMatchObject({
      operator: "Olga Operator",
      person: { id: client.uid, name: client.name },
      task: { id, title: "Easy money" },
    });
  expect(await log("?limit=4")).toEqual(acts);
});

test("When a report of a bid, a question or a conversation is settled, then the log names the reported person, and their export does not mention it", async () => {
  const id = await harness.postTask(client, { title: "A logo" });
  const { bid, bidId: bidIdOf, converse, triage } = bidHelpers(harness);
  await bid(id, fred);
  const bidId = await bidIdOf(id, fred);
  await triage(id, client, fred, "shortlisted");
  const insertedId = async (by: Person, path: string, body: object, status = 201) =>
    (await harness.as(by).post(path, body).expect(status)).body.insertedId;
  const questionId = await insertedId(fred, `/tasks/${id}/questions`, { text: "Write to me at home?" });
  const conversationId = await converse(id, client, fred);
  const settle = async (report: string, settled = true) => {
    await harness.ok(operator).patch(`/reports/${report}`, { settled });
    const [act] = await log();
    return [act?.person?.name, act?.task?.title];
  };
  const report = (by: Person, subject: object) =>
    insertedId(by, "/reports", { taskId: id, reason: "spam", ...subject });
  for (const subject of [{ bidId }, { questionId }])
    expect(await settle(await report(client, subject))).toEqual([fred.name, "A logo"]);
  const ofFred = await report(client, { conversationId });
  expect(await settle(ofFred)).toEqual([fred.name, "A logo"]);
  expect(await settle(await report(fred, { conversationId }))).toEqual([client.name, "A logo"]);
  expect(await settle(await report(fred, {}))).toEqual([client.name, "A logo"]);
  for (const path of [`/tasks/${id}`, `/tasks/${id}/questions/${questionId}`])
    await harness.ok(operator).patch(`${path}/visibility`, hide);
  const exported = async (person: Person) =>
    (await harness.read("/me/export", person)).operatorActs.map(
      ({ kind, taskTitle }: { kind: string; taskTitle: string }) => [kind, taskTitle],
    );
  // Only the client and the hired freelancer may read a hidden task's title.
  expect(await exported(fred)).toEqual([["question-hidden", "Hidden task"]]);
  expect(await exported(client)).toEqual([["task-hidden", "A logo"]]);
  await harness.ok(client).delete(`/tasks/${id}`);
  expect(await settle(ofFred, false)).toEqual([fred.name, "A logo"]);
});

test("When people change their names, then operators read the new ones, in what was reported and in what they do from then on", async () => {
  const [owner, reporter] = [await signUp({ name: "Nice Bank" }), await signUp({ name: "Rory" })];
  const id = await harness.postTask(owner, { title: "A logo" });
  await harness.ok(reporter).post("/reports", { taskId: id, reason: "spam" });
  await harness.as(await rename(owner, { name: "Olaf" })).get("/me");
  await harness.as(await rename(reporter, { name: "Rita" })).get("/me");
  await harness.ok(operator).patch(`/tasks/${id}/visibility`, hide);
  const [reported] = await harness.read("/reports", operator);
  expect(reported).toMatchObject({ task: { name: "Olaf" }, person: { name: "Olaf" }, reporter: "Rita" });
  expect(await queue()).toMatchObject([{ task: { name: "Olaf" } }]);
  expect(await log()).toMatchObject([{ kind: "task-hidden", person: { name: "Olaf" } }]);
});

test("When something concerns an operator, then they cannot decide on it, and another operator can", async () => {
  const concerned = await signUpOperator(harness.database, { name: "Oda Operator" });
  const other = harness.ok(await signUpOperator(harness.database, { name: "Otto Operator" }));
  const task = await harness.postTask(concerned, { title: "Own task" });
  const report = { taskId: task, reason: "spam", text: "It is an ad." };
  const { body: reported } = await harness.ok(client).post("/reports", report);
  const questions = `/tasks/${task}/questions`;
  const { body: asked } = await harness.ok(client).post(questions, { text: "Why?" });
  const seenBy = async (operator: Person) => (await harness.read("/reports", operator))[0];
  expect(await seenBy(operator)).toMatchObject({ reporter: client.name, text: "It is an ad." });
  expect(await seenBy(concerned)).not.toHaveProperty("reporter");
  expect(await seenBy(concerned)).not.toHaveProperty("text");
  const [item] = await queue();
  const visibilities = [hide, { hidden: false, text: "A mistake." }];
  const writes: [path: string, bodies: object[]][] = [
    [`/tasks/${task}/visibility`, visibilities],
    [`${questions}/${asked.insertedId}/visibility`, visibilities],
    [`/reports/${reported.insertedId}`, [{ settled: true }, { settled: false }]],
    [`/operators/queue/${item?._id}`, [{ settled: true }, { settled: false }]],
  ];
  for (const [path, bodies] of writes)
    for (const body of bodies) {
      expectProblem(await harness.as(concerned).patch(path, body), "own-case");
      await other.patch(path, body);
    }
  expect((await log()).map(({ operator: name }) => name)).toEqual(Array(8).fill("Otto Operator"));
});

test("When an operator deletes their account, then the log keeps no name of theirs, but their acts stay recognizable as one person's", async () => {
  const id = await harness.postTask(client);
  const leave = async (name: string) => {
    const leaver = await signUpOperator(harness.database, { name });
    for (const hidden of [true, false])
      await harness.ok(leaver).patch(`/tasks/${id}/visibility`, { hidden, reason: "spam" });
    await harness.ok(leaver).delete("/me");
    return leaver.uid;
  };
  const uids = [await leave("Oda Operator"), await leave("Otto Operator")];
  const names = (await log()).map(({ operator: name }) => name);
  expect(names).toEqual([names[0], names[0], names[2], names[2]]);
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name).toMatch(/^Operator [0-9a-f]{4}$/);
  const stored = JSON.stringify(await harness.database.operatorLog.find().toArray());
  for (const text of [...uids, "Oda", "Otto"]) expect(stored).not.toContain(text);
});

test("When the operator or the subject of an act exports their data, then the other is not named; when the subject deletes their account, then the act stays without their name, and their queue items are deleted", async () => {
  const id = await harness.postTask(client);
  const hiding = { hidden: true, reason: "spam", text: "An ad." };
  await harness.ok(operator).patch(`/tasks/${id}/visibility`, hiding);
  const own = await harness.read("/me/export", operator);
  expect(own.actsAsOperator).toMatchObject([{ kind: "task-hidden", reason: "spam", text: "An ad." }]);
  expect(JSON.stringify(own)).not.toContain(client.uid);
  expect(JSON.stringify(own)).not.toContain(client.name);
  const exported = await harness.read("/me/export", client);
  expect(exported.operatorActs).toMatchObject([{ kind: "task-hidden", reason: "spam" }]);
  expect(exported.operatorQueue).toMatchObject([{ kind: "first-task", taskId: id }]);
  expect(JSON.stringify(exported)).not.toContain(operator.uid);
  await harness.ok(client).delete("/me");
  const [act] = await log();
  expect(act).toMatchObject({ kind: "task-hidden", person: { name: "Former member" } });
  expect(act?.person).not.toHaveProperty("id");
  expect(await queue()).toEqual([]);
  expect(JSON.stringify(await harness.database.operatorLog.find().toArray())).not.toContain(client.uid);
});
