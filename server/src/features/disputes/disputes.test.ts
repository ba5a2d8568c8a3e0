import { ObjectId } from "mongodb";
import { describe, expect, test } from "vitest";
import {
  expectProblem,
  type Person,
  rename,
  signUp,
  signUpOperator,
  taskScenes,
  useHarness,
  useOperator,
} from "../../../test/index.ts";
import { upload } from "../../../test/uploads.ts";
import { DISPUTE_LIMITS, type Dispute, type QueueItem } from "../../contract/index.ts";
import { anonymizeTasks } from "../account-data/anonymize-work.ts";
import { deletionStore } from "../account-data/deletions.ts";

const harness = useHarness();
const { client, ada, ben, ...scenes } = taskScenes(harness);
const { awarded, deliver, move, reopen, bid, award, converse, task } = scenes;
const { waiting, isCounted, lastNotice, passDays, agreeOn, leave } = scenes;
const operator = useOperator(harness);

const END = { share: 200, reason: "Half of it is there." };
const propose = (id: string, draft: object = END, by = client) =>
  harness.as(by).put(`/tasks/${id}/ending`, draft);
/** Accepts a proposal, by default the one that is there. */
const accept = async (id: string, { by = ada, disputeId = "" } = {}) =>
  harness.as(by).patch(`/tasks/${id}/ending`, {
    disputeId: disputeId || ((await read(id, by))?._id ?? id),
    accepted: true,
  });
const state = (id: string, by = ada, messages = false, text = "All of it is there.") =>
  harness.as(by).put(`/tasks/${id}/dispute`, { text, messages });
const decide = (id: string, draft: object = END, by = operator) =>
  harness.as(by).post(`/tasks/${id}/decision`, draft);
const appeal = (id: string, by = ada) =>
  harness.as(by).post(`/tasks/${id}/appeal`, { reason: "You have not seen it." });
const read = async (id: string, by = client): Promise<Dispute> =>
  (await harness.read(`/tasks/${id}/ending`, by)).dispute;
/** The tasks whose disputes wait for operators. */
const queued = async () =>
  ((await harness.read("/operators/queue?kind=dispute&state=open", operator)) as QueueItem[]).map(
    ({ taskId }) => taskId,
  );
async function disputedTask(): Promise<string> {
  const id = await awarded();
  await propose(id).expect(200);
  await state(id).expect(200);
  return id;
}

describe("ending a task early", () => {
  test("When one side proposes it, then it waits for the other, and counts as completed once they accept", async () => {
    const id = await awarded();
    await propose(id).expect(200);
    expect(await read(id, ada)).toMatchObject({ state: "proposed", by: "client", ...END });
    expect(await waiting(id, ada)).toContain("ending");
    expect(await waiting(id, client)).not.toContain("ending");
    expect((await accept(id)).status).toBe(200);
    expect((await task(id)).state).toBe("completed");
    expect(await isCounted(ada)).toBe(true);
  });

  test("When the proposal was replaced since the other side read it, then they accept nothing that they have not seen", async () => {
    const id = await awarded();
    await propose(id, { ...END, share: 400 }).expect(200);
    const { _id: disputeId } = await read(id, ada);
    await propose(id, { ...END, share: 0 }).expect(200);
    expectProblem(await accept(id, { disputeId }), "changed-meanwhile");
    expect((await task(id)).state).toBe("awarded");
  });

  test("When both agree on a lower price meanwhile, then the proposal says that the freelancer gets no more than that, and they do not", async () => {
    const id = await awarded();
    await propose(id, { ...END, share: 400 }).expect(200);
    await agreeOn(id, { amount: 100, due: "2026-04-10" }, ada, client);
    expect((await read(id, ada)).share).toBe(100);
    expect((await accept(id)).status).toBe(200);
    expect(await task(id)).toMatchObject({ state: "completed", agreed: { amount: 100 } });
    expect((await read(id)).share).toBe(400);
  });

  test("When it ends while a change of the agreement is proposed, then operators see that lapsed, too", async () => {
    const id = await awarded();
    await scenes.propose(id, { amount: 100, due: "2026-04-10" }).expect(200);
    await propose(id).expect(200);
    expect((await read(id, operator)).agreement).toHaveProperty("proposal");
    expect((await accept(id)).status).toBe(200);
    expect((await read(id, operator)).agreement).not.toHaveProperty("proposal");
  });

  test("When the task is cancelled and somebody else hired, then an earlier proposal is over", async () => {
    const id = await awarded();
    await propose(id).expect(200);
    await reopen(id);
    await bid(id, ben, { amount: 300 });
    harness.advance(1_000);
    await award(id, client, ben);
    expect(await read(id, ben)).toBeUndefined();
    expectProblem(await accept(id, { by: ben }), "no-dispute");
    await passDays(8);
    expect((await task(id)).agreed).not.toHaveProperty("ending");
    await propose(id, { ...END, share: 300 }, ben).expect(200);
    expect(await read(id)).toMatchObject({ state: "proposed", by: "freelancer", freelancer: "Ben" });
  });

  test("When it is withdrawn, then the other side is told", async () => {
    const id = await awarded();
    await propose(id).expect(200);
    const { _id: disputeId } = await read(id);
    await harness.ok(client).patch(`/tasks/${id}/ending`, { disputeId, accepted: false });
    expect(await read(id)).toBeUndefined();
    expect(await lastNotice(id, ada)).toBe("end-withdrawn");
  });

  test("When an instance whose clock is ahead has dated the award, then a proposal belongs to it all the same", async () => {
    const id = await awarded();
    const at = new Date(harness.clock.now.getTime() + 3_600_000);
    await harness.database.tasks.updateOne({ _id: new ObjectId(id) }, { $set: { "award.at": at } });
    await propose(id, { ...END, share: -0 }).expect(200);
    expect(Object.is((await read(id)).share, 0)).toBe(true);
  });

  test("When the two have changed their names since the award, then it has the present ones", async () => {
    const [clara, fay] = [await signUp({ name: "Clara" }), await signUp({ name: "Fay" })];
    const id = await awarded({ by: clara, to: fay });
    const renamed = [
      await rename(clara, { name: "Clara New" }),
      await rename(fay, { name: "Fay New" }),
    ] as const;
    for (const person of renamed) await harness.read("/me", person);
    await propose(id, END, renamed[0]).expect(200);
    expect(await read(id, renamed[1])).toMatchObject({ client: "Clara New", freelancer: "Fay New" });
  });

  test("When it is nonsense, then it is refused at its field", async () => {
    const id = await awarded();
    for (const share of [-1, 450.01, 0.001, "all"])
      expect(expectProblem(await propose(id, { ...END, share }), "invalid").errors).toMatchObject([
        { pointer: "#/share" },
      ]);
    expectProblem(await propose(id, { share: 1, reason: " " }), "invalid");
  });
});

describe("a dispute", () => {
  test("When both state their case, then an operator reads them, the agreement and the messages that a side submits, and decides", async () => {
    const id = await awarded();
    const messages = `/me/conversations/${await converse(id, client, ada)}/messages`;
    await harness.ok(client).post(messages, { text: "Where is it?" });
    await harness.ok(ada).post(`/tasks/${id}/deliveries`, { note: "As agreed.", links: [] });
    await propose(id).expect(200);
    await state(id).expect(200);
    await state(id, client, true, "Only half is there.").expect(200);
    const dispute = await read(id, operator);
    expect(dispute).toMatchObject({
      ...{ state: "disputed", client: "Clara Client", freelancer: "Ada" },
      statements: { client: "Only half is there.", freelancer: "All of it is there." },
      messages: [{ by: "client", text: "Where is it?" }],
      agreement: { versions: [{ amount: 450 }] },
    });
    expect(dispute.mayDecide).toBe(true);
    for (const field of ["agreement", "mayDecide"]) expect(await read(id)).not.toHaveProperty(field);
    const notes = async (by: Person) =>
      (await harness.read(`/tasks/${id}/timeline`, by)).entries.map(({ note }: { note?: string }) => note);
    expect(await notes(operator)).toContain("As agreed.");
    expect(await notes(ben)).not.toContain("As agreed.");
    expect(await queued()).toContain(id);
    expectProblem(
      await harness.as(client).patch(`/tasks/${id}/state`, { state: "cancelled", reason: "No." }),
      "wrong-state",
    );
    await decide(id, { ...END, reason: "x".repeat(DISPUTE_LIMITS.reason) }).expect(200);
    expect(await queued()).not.toContain(id);
    for (const side of [client, ada]) expect(await lastNotice(id, side)).toBe("dispute-decided");
    expect((await harness.read("/operators/log?limit=1", operator))[0]).toMatchObject({
      kind: "dispute-decided",
    });
    await passDays(6.9);
    expect((await task(id)).state).toBe("delivered");
    await passDays(0.2);
    expect(await task(id)).toMatchObject({ state: "completed", agreed: { amount: 200, ended: "decision" } });
    for (const person of [client, ada])
      await harness.ok(person).post(`/tasks/${id}/reviews`, { stars: 3, text: "Half." });
    const [review] = await harness.read(`/profiles/${ada.uid}/reviews`, ben);
    expect(review.endedByDecision).toBe(true);
  });

  test("When there is a dispute about a second hire, too, then operators find it in their queue again", async () => {
    const id = await disputedTask();
    await decide(id, { ...END, share: 0 }).expect(200);
    await passDays(7);
    await move(id, "open", client, { deadline: "2026-05-01" });
    await award(id, client, ada);
    await propose(id).expect(200);
    await state(id).expect(200);
    expect(await queued()).toContain(id);
  });

  test("When nobody answers a proposal, or decides on an appeal, then operators have to, or need not anymore", async () => {
    const [unanswered, appealed] = [await awarded(), await disputedTask()];
    await propose(unanswered).expect(200);
    await decide(appealed).expect(200);
    await appeal(appealed).expect(200);
    expect(await queued()).toContain(appealed);
    await passDays(30);
    const left = await queued();
    expect([left.includes(unanswered), left.includes(appealed)]).toEqual([true, false]);
  });

  test("When the client accepts the work all the same, then operators need not decide", async () => {
    const id = await disputedTask();
    expect(await queued()).toContain(id);
    await move(id, "completed");
    expect(await queued()).not.toContain(id);
  });

  // That it is refused, and nobody notified, is in the rules of deliveries and the model of a task's life.
  test("When the client does not react to a delivery, then the freelancer is not asked to complete what an operator decides", async () => {
    const id = await awarded();
    await deliver(id);
    await propose(id).expect(200);
    await state(id, client).expect(200);
    await passDays(16);
    expect(await waiting(id, ada)).not.toContain("complete");
    expect(await harness.read(`/tasks/${id}/timeline`, ada)).not.toHaveProperty("mayCompleteFrom");
  });

  test("When nobody has decided a dispute, then it stays in the queue, and leaves it with the decision", async () => {
    const id = await awarded();
    await propose(id).expect(200);
    await state(id, client).expect(200);
    const item = await harness.database.operatorQueue.findOne({ kind: "dispute", taskId: new ObjectId(id) });
    const check = (settled: boolean) =>
      harness.as(operator).patch(`/operators/queue/${item?._id}`, { settled });
    expectProblem(await check(true), "wrong-state");
    expect(await queued()).toContain(id);
    await decide(id).expect(200);
    expect(await queued()).not.toContain(id);
    for (const settled of [false, true]) await check(settled).expect(200);
  });

  test("When an operator is one of the two, then somebody else decides, and takes it from the queue", async () => {
    const both = await signUpOperator(harness.database);
    const id = await awarded({ to: both });
    await propose(id).expect(200);
    await state(id, client).expect(200);
    expect((await read(id, both)).mayDecide).toBe(false);
    expectProblem(await decide(id, END, both), "own-case");
    const item = await harness.database.operatorQueue.findOne({ kind: "dispute", taskId: new ObjectId(id) });
    const settled = await harness.as(both).patch(`/operators/queue/${item?._id}`, { settled: true });
    expectProblem(settled, "own-case");
    expect(await queued()).toContain(id);
  });
});

describe("a side that leaves", () => {
  test("When the freelancer deletes their account during a dispute, then it is over, and the client can cancel the task", async () => {
    const fay = await signUp({ name: "Fay" });
    const id = await awarded({ to: fay });
    await propose(id).expect(200);
    await state(id, fay).expect(200);
    await leave(fay);
    expect((await task(id)).agreed).not.toHaveProperty("ending");
    expect(await read(id)).toBeUndefined();
    expect(await queued()).not.toContain(id);
    await move(id, "cancelled");
  });

  test("When the client deletes their account during a dispute, then the freelancer can complete what they delivered, and has nobody to propose an end to", async () => {
    const clara = await signUp({ name: "Clara" });
    const id = await awarded({ by: clara });
    await deliver(id);
    await propose(id, END, clara).expect(200);
    const { _id } = await upload(harness, ada);
    await harness.ok(ada).put(`/tasks/${id}/dispute`, { text: "Here it is.", files: [_id] });
    await leave(clara);
    const file = await harness.database.files.findOne({ _id: new ObjectId(_id) });
    expect(file?.state).toBe("unused");
    expectProblem(await propose(id, END, ada), "wrong-state");
    await harness.ok(ada).post(`/tasks/${id}/completion`);
  });

  test("When the client's account is being deleted, then no dispute can be opened that nobody could end", async () => {
    const clara = await signUp({ name: "Clara" });
    const id = await awarded({ by: clara });
    await deliver(id);
    await propose(id, END, clara).expect(200);
    harness.advance(60_000);
    const deletion = await deletionStore(harness.database).begin(clara.uid, harness.clock.now);
    await anonymizeTasks(harness.database)(deletion, harness.clock.now);
    expectProblem(await state(id), "no-dispute");
    await harness.ok(ada).post(`/tasks/${id}/completion`);
  });

  test.each([
    ["client", 200, "completed", false],
    ["client", 0, "cancelled", false],
    ["client", 200, "completed", true],
    ["freelancer", 200, "completed", false],
    ["freelancer", 200, "completed", true],
  ] as const)(
    "When the %s deletes their account after a decision of $%i, then it takes effect at once and the task is %s, also after an appeal: %j",
    async (side, share, outcome, appeals) => {
      const leaver = await signUp({ name: "Lea Leaver" });
      const [by, to] = side === "client" ? [leaver, ada] : [client, leaver];
      const stays = side === "client" ? ada : client;
      const id = await awarded({ by, to });
      await deliver(id, to);
      await propose(id, END, by).expect(200);
      await state(id, to).expect(200);
      await decide(id, { ...END, share }).expect(200);
      if (appeals) await appeal(id, leaver).expect(200);
      const { version } = await task(id, stays);
      await leave(leaver);
      const ended = await task(id, stays);
      expect(ended.state).toBe(outcome);
      expect(ended.version).toBeGreaterThan(version);
      if (share > 0) expect(ended.agreed).toMatchObject({ amount: share, ended: "decision" });
      expect(await read(id, stays)).toMatchObject({ state: "ended", share: END.share });
      expect(await lastNotice(id, stays)).toBe("ended-early");
      expect(await queued()).not.toContain(id);
    },
  );
});

test("When one side deletes their account, then what they wrote is erased", async () => {
  const [clara, fay] = [await signUp({ name: "Clara" }), await signUp({ name: "Fay" })];
  const id = await awarded({ by: clara, to: fay });
  await propose(id, { ...END, reason: "Clara's reason" }, clara).expect(200);
  await state(id, fay, false, "Fay's case").expect(200);
  await state(id, clara, false, "Clara's case").expect(200);
  await decide(id).expect(200);
  await passDays(7);
  expect((await harness.read("/me/export", fay)).disputes).toHaveLength(1);
  await leave(fay);
  const left = await read(id, clara);
  expect(left).toMatchObject({ freelancer: "Former member", statements: { client: "Clara's case" } });
  expect(JSON.stringify(left)).not.toContain("Fay");
});
