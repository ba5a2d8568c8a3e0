import { describe, expect, test, vi } from "vitest";
import {
  bidHelpers,
  conversationHelpers,
  expectProblem,
  runJobs,
  signUp,
  useHarness,
  useOperator,
} from "../../../test/index.ts";
import { MESSAGE_LIMITS } from "../../contract/index.ts";

const harness = useHarness();
const { scene, openConversation, openWith, path, read, triage, write } = conversationHelpers(harness);
const { award, bid, bidId, move } = bidHelpers(harness);
const DAY_MS = 86_400_000;
const operator = useOperator(harness);

describe("closing", () => {
  test("When the task was completed 30 days ago, then nobody can write", async () => {
    await award(scene.task, scene.clara, scene.fred);
    const id = (await openWith(scene.fred)).body.insertedId;
    await move(scene.task, scene.clara, "completed");
    harness.advance(MESSAGE_LIMITS.daysAfterEnd * DAY_MS - 1);
    await write(id, scene.fred).expect(201);
    harness.advance(1);
    for (const person of [scene.clara, scene.fred]) {
      expectProblem(await write(id, person), "conversation-closed");
      expect(await read(id, person)).toMatchObject({
        closed: "ended",
        count: 1,
        closesAt: expect.any(String),
      });
    }
  });

  test("When the task is reopened or deleted, then its conversations open again or close", async () => {
    const id = await openConversation();
    await write(id, scene.clara).expect(201);
    for (const state of ["cancelled", "open"]) await move(scene.task, scene.clara, state);
    expect(await read(id, scene.clara)).not.toHaveProperty("closesAt");
    const title = "A logo and cards";
    await harness.setTask(scene.task, { title });
    await harness.ok(scene.clara).delete(`/tasks/${scene.task}`);
    expect(await read(id, scene.fred)).toMatchObject({ closed: "deleted", task: { title } });
    expectProblem(await write(id, scene.fred), "conversation-closed");
  });

  test("When one side blocks the other, then neither can write in any of their conversations until it is undone", async () => {
    const id = await openConversation();
    const first = scene.task;
    scene.task = await harness.postTask(scene.clara);
    await bid(scene.task, scene.fred);
    const second = await openConversation();
    scene.task = first;
    const block = (blocked: boolean, person = scene.fred) =>
      harness.ok(person).patch(path(id, "/block"), { blocked });
    await block(true);
    expect((await block(true)).body.modifiedCount).toBe(0);
    for (const each of [id, second]) {
      expect(await read(each, scene.fred)).toMatchObject({ closed: "you-blocked" });
      expect(await read(each, scene.clara)).toMatchObject({ closed: "blocked-you" });
      for (const person of [scene.clara, scene.fred])
        expectProblem(await write(each, person), "conversation-closed");
    }
    // A new conversation does not get around the block.
    scene.task = await harness.postTask(scene.clara);
    await bid(scene.task, scene.fred);
    await triage(scene.fred, "shortlisted");
    expectProblem(await openWith(scene.fred), "conversation-closed");
    // Only the person who blocked can undo it.
    await block(false, scene.clara);
    expectProblem(await write(id, scene.clara), "conversation-closed");
    await block(false);
    await write(id, scene.clara).expect(201);
    expect((await openWith(scene.fred)).status).toBe(201);
  });

  test("When one side blocks the other while the other opens a new conversation, then it is not opened", async () => {
    const id = await openConversation();
    scene.task = await harness.postTask(scene.clara);
    await bid(scene.task, scene.fred);
    await triage(scene.fred, "shortlisted");
    const { bids } = harness.database;
    const opening = `/tasks/${scene.task}/bids/${await bidId(scene.task, scene.fred)}/conversation`;
    const findOne = bids.findOne.bind(bids);
    // The block happens after the opening transaction has begun to read.
    const reading = vi.spyOn(bids, "findOne").mockImplementationOnce(async (filter, options) => {
      await harness.ok(scene.fred).patch(path(id, "/block"), { blocked: true });
      return findOne(filter, options);
    });
    expectProblem(await harness.as(scene.clara).post(opening), "conversation-closed");
    reading.mockRestore();
    expect(await harness.database.conversations.countDocuments()).toBe(1);
  });

  test("When a conversation is reported, then operators get one report with the messages until then and their authors", async () => {
    const id = await openConversation();
    for (const text of ["Pay me first.", "No."]) await write(id, scene.clara, text).expect(201);
    const report = (by = scene.fred, taskId = scene.task) =>
      harness.as(by).post("/reports", { taskId, conversationId: id, reason: "fraud" });
    await report().expect(201);
    await report().expect(200);
    await write(id, scene.clara, "Written later").expect(201);
    const reports = await harness.ok(operator).get("/reports");
    expect(reports.body).toMatchObject([
      {
        reason: "fraud",
        taskId: scene.task,
        person: { id: scene.clara.uid, name: scene.clara.name },
        conversation: {
          messages: [
            { name: scene.clara.name, text: "Pay me first." },
            { name: scene.clara.name, text: "No." },
          ],
        },
      },
    ]);
    expect(reports.text).not.toContain("Written later");
    const other = await harness.postTask(scene.clara);
    for (const refused of [await report(scene.decoy), await report(scene.fred, other)])
      expectProblem(refused, "conversation-not-found");
  });
});

describe("members' data", () => {
  test("When somebody exports their data, then it has their conversations, messages and blocks, without others' uids", async () => {
    const id = await openConversation();
    // Freelancers see a conversation from its first message on.
    const early = await harness.read("/me/export", scene.fred);
    expect(early.conversations).toEqual([]);
    await write(id, scene.clara, "Asked").expect(201);
    await write(id, scene.fred, "Answered").expect(201);
    const { body, text } = await harness.ok(scene.fred).get("/me/export");
    expect(body.conversations).toMatchObject([{ _id: id, taskId: scene.task, role: "freelancer" }]);
    expect(body.messages).toMatchObject([
      { number: 1, mine: false, text: "Asked" },
      { number: 2, mine: true, text: "Answered" },
    ]);
    expect(text).not.toContain(scene.clara.uid);
    expect(JSON.stringify(await harness.read("/me/export", scene.decoy))).not.toContain("Asked");
    await harness.ok(scene.fred).patch(path(id, "/block"), { blocked: true });
    for (const person of [scene.clara, scene.fred]) {
      const { conversations } = await harness.read("/me/export", person);
      expect(conversations).toMatchObject([{ blocked: person === scene.fred }]);
    }
  });

  test("When one side deletes their account, then their messages are erased; the other keeps the rest, but cannot write", async () => {
    const leaver = await signUp();
    await bid(scene.task, leaver, { message: "Hi" });
    await triage(leaver, "shortlisted");
    const id = (await openWith(leaver)).body.insertedId;
    await write(id, scene.clara, "Asked").expect(201);
    await write(id, leaver, "Secret answer").expect(201);
    await harness.ok(leaver).delete("/me");
    expect(await read(id, scene.clara)).toMatchObject({
      closed: "left",
      other: { name: "Former member" },
      count: 2,
    });
    expect((await read(id, scene.clara)).other).not.toHaveProperty("id");
    const body = await harness.read(path(id, "/messages"), scene.clara);
    expect(body).toMatchObject([{ number: 2, mine: false }, { text: "Asked" }]);
    expect(body[0]).not.toHaveProperty("text");
    expectProblem(await write(id, scene.clara), "conversation-closed");
    const { conversations, messages } = harness.database;
    const stored = JSON.stringify([await conversations.find().toArray(), await messages.find().toArray()]);
    expect(stored).not.toContain(leaver.uid);
    expect(stored).not.toContain("Secret");
    // Nobody is notified of erased messages either.
    harness.advance(10 * 60_000);
    await harness.clear("notifications");
    await runJobs(harness);
    expect(await harness.database.notifications.countDocuments({ kind: "message" })).toBe(0);
  });
});
