import { ObjectId } from "mongodb";
import { describe, expect, test } from "vitest";
import { aConversationDoc, expectProblem, type Person, taskScenes, useHarness } from "../../../test/index.ts";

const harness = useHarness();
const { client, ada, ben, ...scenes } = taskScenes(harness);
const { awarded, move, timeline, steps, isCounted, lastNotice } = scenes;

const WORK = {
  note: "All done.\nThe sources are in the archive.",
  links: ["https://files.example/work.zip"],
};
const deliver = (id: string, work: object = WORK, by = ada) => scenes.deliver(id, by, work);
const askForChanges = (id: string, reason = "The logo is missing.") =>
  harness.as(client).post(`/tasks/${id}/changes`, { reason });
const completeUnanswered = (id: string) => harness.as(ada).post(`/tasks/${id}/completion`);
const stateFor = async (id: string, by?: Person) => (await harness.read(`/tasks/${id}`, by)).state;

const awardedTask = () => awarded({ others: [ben] });
async function deliveredTask(): Promise<string> {
  const id = await awardedTask();
  await deliver(id);
  return id;
}

describe("from an award to its completion", () => {
  test("When work is delivered, sent back, delivered again and accepted, then each step is dated and kept", async () => {
    const id = await awardedTask();
    const { body } = await deliver(id);
    expect(body).toEqual({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });
    await askForChanges(id).expect(200);
    await deliver(id, { note: "With the logo.", links: [] });
    await move(id, "completed");
    const { entries, mayCompleteFrom } = await timeline(id, ada);
    expect(mayCompleteFrom).toBeUndefined();
    expect(entries.map(({ _id, at, ...entry }) => entry)).toEqual([
      { kind: "posted" },
      { kind: "awarded", by: "client" },
      { kind: "delivered", by: "freelancer", ...WORK },
      { kind: "changes-requested", by: "client", reason: "The logo is missing." },
      { kind: "delivered", by: "freelancer", note: "With the logo.", links: [] },
      { kind: "completed", by: "client" },
    ]);
    const times = entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
    expect(await timeline(id, client)).toEqual(await timeline(id, ada));
    expect(await harness.taskInStore(id)).not.toHaveProperty("delivery");
  });

  test("When others have saved a task or wrote about it, then they see there that it was awarded, and not that work was delivered", async () => {
    const id = await deliveredTask();
    await harness.ok(ben).put(`/me/saved/${id}`);
    const [saved] = await harness.read("/me/saved", ben);
    expect(saved.task.state).toBe("awarded");
    const asked = aConversationDoc({
      taskId: new ObjectId(id),
      clientId: client.uid,
      freelancerId: ben.uid,
    });
    await harness.database.conversations.insertOne(asked);
    const conversation = await harness.ok(ben).get(`/me/conversations/${asked._id}`);
    expect(conversation.body.task.state).toBe("awarded");
  });

  test("When a later step has an earlier time, then the timeline still lists it last", async () => {
    const id = await harness.postTask(client);
    await move(id, "cancelled");
    harness.advance(-1_000);
    await move(id, "open");
    expect(await steps(id)).toEqual(["posted", "cancelled", "reopened"]);
  });

  test("When a side proposes changes again and again, then the timeline still has what was delivered", async () => {
    const id = await awarded();
    await deliver(id);
    const [step] = await harness.database.timeline
      .find({ kind: "delivered" }, { sort: { _id: -1 } })
      .toArray();
    if (!step) throw new Error("Nothing was delivered.");
    const proposals = Array.from({ length: 201 }, (_, at) => ({
      ...step,
      ...{ _id: new ObjectId(), kind: "change-proposed" as const, at: new Date(step.at.getTime() + 1 + at) },
    }));
    await harness.database.timeline.insertMany(proposals);
    const kinds = await steps(id, client);
    expect(kinds.slice(0, 4)).toEqual(["posted", "awarded", "delivered", "change-proposed"]);
  });

  test("When a cancelled task is deleted, then its timeline is deleted too", async () => {
    const id = await harness.postTask(client);
    await move(id, "cancelled");
    await harness.ok(client).delete(`/tasks/${id}`);
    expect(await harness.database.timeline.countDocuments({ taskId: new ObjectId(id) })).toBe(0);
  });
});

test("When the freelancer delivers while the client cancels, then one succeeds and the other's refusal says what happened", async () => {
  for (let round = 0; round < 3; round++) {
    const id = await awardedTask();
    const [work, cancelled] = await Promise.all([
      harness.as(ada).post(`/tasks/${id}/deliveries`, WORK),
      harness.as(client).patch(`/tasks/${id}/state`, { state: "cancelled", reason: "No." }),
    ]);
    const state = await stateFor(id, client);
    if (work.status === 200) {
      expect(state).toBe("delivered");
      expect(expectProblem(cancelled, "wrong-state").detail).toMatch(/has delivered the work/);
    } else {
      expect([cancelled.status, state]).toEqual([200, "cancelled"]);
      expect(expectProblem(work, "wrong-state").detail).toMatch(/client has cancelled/);
    }
    expect(await steps(id, ada)).toEqual(["posted", "awarded", state]);
  }
});

test("When a client has not reacted for fourteen days, and not a moment earlier, then the freelancer may complete the task", async () => {
  const id = await deliveredTask();
  await harness.ok(ben).put(`/me/saved/${id}`);
  const { mayCompleteFrom = "" } = await timeline(id, ada);
  expect(mayCompleteFrom).toBe(harness.later(14 * 86_400_000).toISOString());
  harness.clock.now = new Date(Date.parse(mayCompleteFrom) - 1);
  expect(expectProblem(await completeUnanswered(id), "wrong-state").detail).toMatch(/The client has until/);
  harness.clock.now = new Date(mayCompleteFrom);
  await completeUnanswered(id).expect(200);
  expect(await isCounted(ada)).toBe(true);
  // He saved the task.
  expect(await lastNotice(id, ben)).toBe("task-completed");
});
