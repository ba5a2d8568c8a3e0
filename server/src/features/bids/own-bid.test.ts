import { expect, test } from "vitest";
import { bidHelpers, type Person, signUp, useHarness, usePeople } from "../../../test/index.ts";
import type { MyBid } from "../../contract/index.ts";

const harness = useHarness();
const { bid, bidOf, award, bidCounts, notificationKinds } = bidHelpers(harness);

const [client, ada, ben] = usePeople("Clara Client", "Ada", "Ben");

const patch = async (id: string, person: Person, draft?: object) =>
  (await harness.as(person).patch(`/tasks/${id}/bid`, draft)).body.modifiedCount;

test("When a freelancer bids with one click and adds terms later, then each change counts once and the client is notified", async () => {
  const id = await harness.postTask(client, { budget: 300 });
  expect(await patch(id, ada)).toBe(1);
  expect(await bidOf(id, ada)).toMatchObject({ amount: 300, bidderName: ada.name });
  const draft = { amount: 250.5, days: 9, message: "  I can start today.  " };
  expect(await patch(id, ada, draft)).toBe(1);
  expect(await patch(id, ada, draft)).toBe(0);
  expect(await patch(id, ada)).toBe(0);
  expect(await bidOf(id, ada)).toMatchObject({ amount: 250.5, days: 9, message: "I can start today." });
  expect(await patch(id, ada, { days: null, message: "" })).toBe(1);
  const stored = await bidOf(id, ada);
  expect(stored).not.toHaveProperty("days");
  expect(stored).not.toHaveProperty("message");
  expect(stored.amount).toBe(250.5);
  expect(await notificationKinds(client, id)).toEqual(["new-bid", "bid-changed", "bid-changed"]);
  expect(await bidCounts(id)).toEqual({ onTask: 1, bids: 1 });
});

test("When a freelancer lists their bids, then only theirs are returned, in pages, newest first, each with its task", async () => {
  const hugo = await signUp();
  const ids: string[] = [];
  for (let number = 0; number < 5; number++) {
    const id = await harness.postTask(client, { title: `task ${number}`, budget: 10 + number });
    harness.advance(1);
    await bid(id, hugo);
    await bid(id, ben);
    ids.unshift(id);
  }
  await award(ids[0] as string, client, ben);
  const readAll = async (path: string) => {
    return (await harness.pages<MyBid>(path, hugo)).flat().map(({ task }) => task._id);
  };
  expect(await readAll("/me/bids?limit=2")).toEqual(ids);
  // Declined by the award to another freelancer, which is stored only in the task.
  expect(await readAll("/me/bids?limit=2&state=declined")).toEqual(ids.slice(0, 1));
  expect(await readAll("/me/bids?limit=2&state=placed")).toEqual(ids.slice(1));
  // A text in the task's title or the client's name.
  expect(await readAll("/me/bids?limit=2&search=%20TASK%203")).toEqual(ids.slice(1, 2));
  expect(await readAll("/me/bids?limit=2&search=client&state=placed")).toEqual(ids.slice(1));
  expect(await readAll("/me/bids?search=nothing")).toEqual([]);
  const { body, headers } = await harness.ok(hugo).get("/me/bids");
  expect(headers["x-total-count"]).toBe("5");
  const [lost, other] = body;
  expect(lost).toMatchObject({ state: "declined", task: { state: "awarded", title: "task 4" } });
  expect(other).toMatchObject({ state: "placed", amount: 13, task: { state: "open", clientId: client.uid } });
});
