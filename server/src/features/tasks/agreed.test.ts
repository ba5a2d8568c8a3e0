import { beforeEach, expect, test } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import type { Person } from "../../../test/people.ts";
import { taskScenes } from "../../../test/task-scenes.ts";
import type { Waiting } from "../../contract/index.ts";

const harness = useHarness();
const { client, ada, ben, awarded, deliver, task } = taskScenes(harness);
beforeEach(() => harness.clear("tasks", "bids"));

const waitingFor = async (by: Person): Promise<Waiting[]> => (await harness.read("/me/overview", by)).waiting;

test("When work is due sooner or later than the original deadline, then the agreed date decides what waits, in its order", async () => {
  const hired = (days: number, deadline: string) => awarded({ draft: { deadline }, offer: { days } });
  const soon = await hired(2, "2027-03-10");
  const first = await hired(1, "2026-09-10");
  const late = await hired(100, "2026-03-11");
  const listed = async (by: Person) => (await waitingFor(by)).map(({ taskId }) => taskId);
  expect(await listed(client)).toEqual([first, soon]);
  expect(await listed(ada)).toEqual([first, soon, late]);
});

test("When the client asks for changes, then both sides see that they are wanted, until the next delivery", async () => {
  const id = await awarded();
  const wanted = async () => [
    (await task(id)).agreed.sentBack,
    (await harness.read(`/tasks?email=${client.email}`, client))[0].agreed.sentBack,
    (await task(id, ada)).agreed.sentBack,
    (await waitingFor(ada))[0]?.sentBack,
  ];
  const never = Array(4).fill(undefined);
  await deliver(id).expect(200);
  expect(await wanted()).toEqual(never);
  await harness.as(client).post(`/tasks/${id}/changes`, { reason: "The logo is missing." }).expect(200);
  expect(await wanted()).toEqual(Array(4).fill(true));
  expect(await task(id, ben)).not.toHaveProperty("agreed");
  await deliver(id).expect(200);
  expect(await wanted()).toEqual(never);
});
