import { beforeEach, expect, test } from "vitest";
import { bidHelpers } from "../../../test/bid-helpers.ts";
import { inDays, testStart } from "../../../test/builders.ts";
import { useHarness, usePeople } from "../../../test/harness.ts";
import type { Person } from "../../../test/people.ts";
import type { Task, Waiting } from "../../contract/index.ts";

const harness = useHarness();
const { bid, award } = bidHelpers(harness);

const [client, ada, ben] = usePeople("Clara Client", "Ada", "Ben");
beforeEach(async () => {
  harness.clock.now = testStart.at;
  await harness.clear("tasks", "bids");
});

const BUDGET = 1_600;
/** The description is without commas, so that the CSV export can simply be split. */
const TERMS = { budget: BUDGET, description: "Plain." };
const DEADLINE = inDays(30);
const get = (by: Person | undefined, path: string) => harness.read(path, by);
const read = (by: Person | undefined, id: string): Promise<Task> => get(by, `/tasks/${id}`);
const ownTask = async (): Promise<Task | undefined> => (await get(client, `/tasks?email=${client.email}`))[0];
const waitingFor = async (by: Person): Promise<Waiting[]> => (await get(by, "/me/overview")).waiting;

/** A task that was awarded to Ada. */
async function awarded(offer: { amount?: number; days?: number }, deadline = DEADLINE): Promise<string> {
  const id = await harness.postTask(client, { ...TERMS, deadline });
  await bid(id, ben);
  await bid(id, ada, offer);
  await award(id, client, ada);
  return id;
}

test("When work is due sooner or later than the original deadline, then the agreed date decides what waits, in its order", async () => {
  const soon = await awarded({ days: 2 }, inDays(300));
  const first = await awarded({ days: 1 }, inDays(200));
  const late = await awarded({ days: 100 }, inDays(1));
  const listed = async (by: Person) => (await waitingFor(by)).map(({ taskId }) => taskId);
  expect(await listed(client)).toEqual([first, soon]);
  expect(await listed(ada)).toEqual([first, soon, late]);
});

test("When the client asks for changes, then both sides see that they are wanted, until the next delivery", async () => {
  const id = await awarded({});
  const deliver = () =>
    harness.as(ada).post(`/tasks/${id}/deliveries`, { note: "Done.", links: [] }).expect(200);
  const wanted = async () => [
    (await read(client, id)).agreed?.sentBack,
    (await ownTask())?.agreed?.sentBack,
    (await read(ada, id)).agreed?.sentBack,
    (await waitingFor(ada))[0]?.sentBack,
  ];
  const never = Array(4).fill(undefined);
  await deliver();
  expect(await wanted()).toEqual(never);
  await harness.as(client).post(`/tasks/${id}/changes`, { reason: "The logo is missing." }).expect(200);
  expect(await wanted()).toEqual(Array(4).fill(true));
  expect(await read(ben, id)).not.toHaveProperty("agreed");
  await deliver();
  expect(await wanted()).toEqual(never);
});
