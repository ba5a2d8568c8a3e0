import { ObjectId } from "mongodb";
import { beforeEach, expect, test } from "vitest";
import { bidHelpers } from "../../../test/bid-helpers.ts";
import { testStart } from "../../../test/builders.ts";
import { expectProblem, useHarness, usePeople } from "../../../test/harness.ts";
import type { MyBid, Task } from "../../contract/index.ts";
import { formerMemberId } from "../../domain/notify.ts";

const harness = useHarness();
const { bid, award } = bidHelpers(harness);
const [client, ada, ben] = usePeople("Clara Client", "Ada", "Ben");
beforeEach(() => {
  harness.clock.now = testStart.at;
});

const REASON = "The café closes.";
const move = (id: string, state: string, deadline?: string, by = client) =>
  harness.as(by).patch(`/tasks/${id}/state`, { state, deadline, reason: REASON });

async function awarded(draft = {}): Promise<string> {
  const id = await harness.postTask(client, draft);
  for (const person of [ada, ben]) await bid(id, person);
  await award(id, client, ada);
  return id;
}

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
