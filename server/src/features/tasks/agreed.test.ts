import { beforeEach, expect, test } from "vitest";
import { bidHelpers } from "../../../test/bid-helpers.ts";
import { aTaskDraft, inDays, testStart } from "../../../test/builders.ts";
import { useHarness, usePeople } from "../../../test/harness.ts";
import type { Person } from "../../../test/people.ts";
import type { MyBid, Task, Waiting } from "../../contract/index.ts";

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
const myBid = async (by: Person): Promise<MyBid | undefined> => (await get(by, "/me/bids"))[0];
const waitingFor = async (by: Person): Promise<Waiting[]> => (await get(by, "/me/overview")).waiting;
/** Each row of a CSV file as an object. */
async function rowsOf(by: Person, path: string) {
  const { text } = await harness.as(by).get(path).buffer(true).expect(200);
  const [header = "", ...lines] = text.slice(1).trim().split("\r\n");
  const names = header.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, at) => [names[at], cell])));
}

/** A task that was awarded to Ada. */
async function awarded(offer: { amount?: number; days?: number }, deadline = DEADLINE): Promise<string> {
  const id = await harness.postTask(client, { ...TERMS, deadline });
  await bid(id, ben);
  await bid(id, ada, offer);
  await award(id, client, ada);
  return id;
}

test("When a bid with days is awarded, then price and due date are what both sides read everywhere, and nobody else", async () => {
  const id = await awarded({ amount: 1_450, days: 5 });
  const agreed = { amount: 1_450, due: inDays(5) };
  expect((await read(ada, id)).agreed).toEqual(agreed);
  // The client also sees with whom, in lists, too.
  const named = { ...agreed, name: ada.name };
  expect((await read(client, id)).agreed).toEqual(named);
  expect(await read(ada, id)).toMatchObject({ budget: BUDGET, deadline: DEADLINE });
  expect((await ownTask())?.agreed).toEqual(named);
  expect(await myBid(ada)).toMatchObject({ amount: 1_450, task: { deadline: agreed.due } });
  for (const other of [ben, undefined]) expect(await read(other, id)).not.toHaveProperty("agreed");
  expect((await myBid(ben))?.task).toHaveProperty("deadline", DEADLINE);
  expect(await waitingFor(client)).toMatchObject([{ kind: "deadline", deadline: inDays(5) }]);
  expect(await waitingFor(ada)).toMatchObject([{ kind: "deliver", deadline: inDays(5) }]);
  const inFile = { "Agreed price (USD)": "1450", "Agreed date": inDays(5) };
  expect(await rowsOf(client, "/me/tasks.csv")).toMatchObject([inFile]);
  expect(await rowsOf(ada, "/me/bids.csv")).toMatchObject([inFile]);
  expect((await rowsOf(ben, "/me/bids.csv"))[0]).toMatchObject({ "Agreed date": "" });
});

test("When the awarded bid names no days, then the task's deadline is the due date, and what was agreed stays if the deadline moves", async () => {
  const undated = await awarded({});
  expect((await read(ada, undated)).agreed).toEqual({ amount: BUDGET, due: DEADLINE });
  const dated = await awarded({ days: 5 });
  const save = (deadline: string) =>
    harness
      .as(client)
      .put(`/tasks/${dated}`, aTaskDraft({ ...TERMS, deadline }))
      .expect(200);
  await save(inDays(8));
  expect((await read(ada, dated)).agreed).toMatchObject({ due: inDays(5) });
});

test("When work is due sooner or later than the original deadline, then the agreed date decides what waits, in its order", async () => {
  const soon = await awarded({ days: 2 }, inDays(300));
  const first = await awarded({ days: 1 }, inDays(200));
  const late = await awarded({ days: 100 }, inDays(1));
  const listed = async (by: Person) => (await waitingFor(by)).map(({ taskId }) => taskId);
  expect(await listed(client)).toEqual([first, soon]);
  expect(await listed(ada)).toEqual([first, soon, late]);
});

test("When an awarded task is cancelled, then nothing is agreed any more", async () => {
  const id = await awarded({ days: 5 });
  await harness.as(client).patch(`/tasks/${id}/state`, { state: "cancelled", reason: "Done." }).expect(200);
  for (const side of [client, ada]) expect(await read(side, id)).not.toHaveProperty("agreed");
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
