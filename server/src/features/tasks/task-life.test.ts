import { ObjectId } from "mongodb";
import { beforeEach, describe, expect, test } from "vitest";
import { bidHelpers } from "../../../test/bid-helpers.ts";
import { aTaskDraft, inDays, testStart } from "../../../test/builders.ts";
import { expectProblem, useHarness, usePeople } from "../../../test/harness.ts";
import type { Person } from "../../../test/people.ts";
import type { User } from "../../auth/token-verifier.ts";
import type { MyBid, Task } from "../../contract/index.ts";
import type { TaskRow } from "../../db/documents/tasks.ts";
import { formerMemberId } from "../../domain/notify.ts";
import type { TaskCommands } from "./commands.ts";
import { changeState, updateTask } from "./write-tasks.ts";

const harness = useHarness();
const { bid, award, notificationKinds, bidCounts } = bidHelpers(harness);
const [client, ada, ben] = usePeople("Clara Client", "Ada", "Ben");
beforeEach(() => {
  harness.clock.now = testStart.at;
});

const REASON = "The café closes.";
const move = (id: string, state: string, deadline?: string, by = client) =>
  harness.as(by).patch(`/tasks/${id}/state`, { state, deadline, reason: REASON });
const stateOf = async (id: string) => (await harness.read(`/tasks/${id}`, client)).state;
const later = (days: number) => {
  harness.clock.now = new Date(`${inDays(days)}T12:00:00Z`);
};

async function awarded(draft = {}): Promise<string> {
  const id = await harness.postTask(client, draft);
  for (const person of [ada, ben]) await bid(id, person);
  await award(id, client, ada);
  return id;
}

describe("PATCH /tasks/:id/state", () => {
  test("When a task is cancelled and reopened, then its bids remain, the previous award is void, and bidders are notified", async () => {
    const id = await awarded();
    const { revision = 0 } = (await harness.taskInStore(id)) ?? {};
    await move(id, "cancelled").expect(200);
    expect([await notificationKinds(ada, id), await notificationKinds(ben, id)]).toEqual([
      ["awarded", "task-cancelled"],
      ["declined"],
    ]);
    expect(await harness.taskInStore(id)).toMatchObject({ endedAt: harness.clock.now });
    await move(id, "open").expect(200);
    const task = await harness.taskInStore(id);
    expect(task).not.toHaveProperty("endedAt");
    expect(task).toMatchObject({ state: "open", revision: revision + 2, bidsCount: 2 });
    expect(task).not.toHaveProperty("award");
    expect((await notificationKinds(ada, id)).at(-1)).toBe("task-reopened");
    expect((await notificationKinds(ben, id)).at(-1)).toBe("task-reopened");
    await award(id, client, ben);
    expect(await harness.taskInStore(id)).toMatchObject({ award: { freelancerId: ben.uid } });
  });

  test("When an awarded task is cancelled, then a reason is required, which the freelancer is shown", async () => {
    const id = await awarded();
    for (const reason of [undefined, "", " \u200b "]) {
      const response = await harness.as(client).patch(`/tasks/${id}/state`, { state: "cancelled", reason });
      expect(expectProblem(response, 422, "invalid").errors?.[0]?.pointer).toBe("#/reason");
    }
    expect(await stateOf(id)).toBe("awarded");
    await move(id, "cancelled").expect(200);
    const body = await harness.read("/me/notifications", ada);
    expect(body[0]).toMatchObject({ kind: "task-cancelled", taskId: id, text: REASON });
  });

  test("When an expired task is reopened, then it needs a future deadline, and takes bids again", async () => {
    const id = await harness.postTask(client, { deadline: inDays(1) });
    expectProblem(await move(id, "open"), 409, "wrong-state");
    later(3);
    expect(await stateOf(id)).toBe("expired");
    for (const deadline of [undefined, inDays(2)]) {
      const problem = expectProblem(await move(id, "open", deadline), 422, "invalid");
      expect(problem.errors?.[0]?.pointer).toBe("#/deadline");
    }
    await move(id, "open", inDays(9)).expect(200);
    expect(await stateOf(id)).toBe("open");
    await bid(id, ada);
    expect(await bidCounts(id)).toEqual({ onTask: 1, bids: 1 });
  });

  test.each([
    ["awarded", { state: "cancelled", reason: REASON }, "changed-meanwhile"],
    ["awarded", { state: "cancelled" }, "invalid"],
    ["awarded", { state: "completed" }, "changed-meanwhile"],
    ["cancelled", { state: "open", deadline: inDays(9) }, "changed-meanwhile"],
    ["cancelled", { state: "open" }, "changed-meanwhile"],
  ] as const)(
    "When a task is %s only after the change to %o was refused, then the problem is %s",
    async (now, change, code) => {
      const id = await awarded();
      if (now === "cancelled") await move(id, "cancelled").expect(200);
      const task = (await harness.taskInStore(id)) as TaskRow;
      const refused = async () => false;
      const commands = { cancel: refused, complete: refused, reopen: refused } as unknown as TaskCommands;
      const queries = { find: async () => task };
      const caller = { uid: client.uid } as User;
      const conditions = { now: harness.clock.now, versions: undefined };
      await expect(changeState({ queries, commands }, id, change, caller, conditions)).rejects.toMatchObject({
        code,
      });
    },
  );

  test("When a reopening was refused and the task's deadline has passed, then the problem is the deadline", async () => {
    const id = await awarded();
    const task = { ...(await harness.taskInStore(id)), state: "cancelled", deadline: inDays(-1) } as TaskRow;
    const commands = { reopen: async () => false } as unknown as TaskCommands;
    const conditions = { now: harness.clock.now, versions: undefined };
    const caller = { uid: client.uid } as User;
    const stores = { queries: { find: async () => task }, commands };
    await expect(changeState(stores, id, { state: "open" }, caller, conditions)).rejects.toMatchObject({
      code: "invalid",
    });
  });

  test("When a task can be edited only after its update was refused, then that is a conflict, not a passed deadline", async () => {
    const id = await harness.postTask(client);
    const task = (await harness.taskInStore(id)) as TaskRow;
    const commands = { update: async () => false } as unknown as TaskCommands;
    const conditions = { now: harness.clock.now, versions: undefined };
    const stores = { queries: { find: async () => task }, commands };
    const update = updateTask(stores, id, aTaskDraft(), { uid: client.uid } as User, conditions);
    await expect(update).rejects.toMatchObject({ code: "changed-meanwhile" });
  });
});

describe("an awarded task", () => {
  test("When it is deleted, then that is refused with an alternative, even after it was cancelled and reopened", async () => {
    const id = await awarded();
    const refused = async () =>
      expectProblem(await harness.as(client).delete(`/tasks/${id}`), 409, "task-kept").detail;
    expect(await refused()).toContain("Mark it as completed, or cancel it");
    await move(id, "cancelled").expect(200);
    expect(await refused()).toContain("kept for the record");
    await move(id, "open").expect(200);
    expect(await refused()).toContain("Cancel it instead");
    expect(await bidCounts(id)).toEqual({ onTask: 2, bids: 2 });
    const view = (person: Person) => harness.read(`/tasks/${id}`, person);
    expect((await view(client)).wasAwarded).toBe(true);
    expect(await view(ada)).not.toHaveProperty("wasAwarded");
  });
});

/** Whether a review is due from each side, in the client's list and in Ada's bids. */
async function reviewDue(id: string): Promise<(boolean | undefined)[]> {
  const own = await harness.as(client).get(`/tasks?email=${client.email}`).expect(200);
  const bids = await harness.as(ada).get("/me/bids").expect(200);
  return [own, bids].map(
    ({ body }) => body.find((row: Partial<MyBid & Task>) => (row.task?._id ?? row._id) === id)?.reviewDue,
  );
}
const REVIEW = { stars: 5, text: "Good work, on time." };

test("When the other side of a completed task has deleted their account, then no review is due or accepted", async () => {
  for (const [stays, leaver, field] of [
    [client, ada, "award.freelancerId"],
    [ada, client, "ownerId"],
  ] as const) {
    const id = await awarded();
    await move(id, "completed").expect(200);
    const [taskId, alias] = [new ObjectId(id), formerMemberId()];
    await harness.database.tasks.updateOne({ _id: taskId }, { $set: { [field]: alias } });
    const bids = { taskId, bidderId: leaver.uid };
    await harness.database.bids.updateMany(bids, { $set: { bidderId: alias } });
    expect(await reviewDue(id)).toEqual([undefined, undefined]);
    const refused = await harness.as(stays).post(`/tasks/${id}/reviews`, REVIEW);
    expect(expectProblem(refused, 404, "person-not-found").detail).toContain("deleted their account");
  }
});
