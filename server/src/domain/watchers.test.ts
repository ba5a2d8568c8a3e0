import { beforeEach, expect, test } from "vitest";
import {
  aTaskDraft,
  bidHelpers,
  inDays,
  NO_JOBS,
  type Person,
  runJobs,
  useHarness,
  useOperator,
  usePeople,
} from "../../test/index.ts";

// Announcements are delivered only when a test says so.
const harness = useHarness({ jobs: NO_JOBS });
const { bid, award, move } = bidHelpers(harness);
const [client, ada, ben, cleo] = usePeople("Clara Client", "Ada", "Ben", "Cleo");
const operator = useOperator(harness);

beforeEach(() => harness.clear("tasks", "bids", "savedTasks", "notifications", "jobs"));

const deliverAll = () => runJobs(harness);
const save = (person: Person, id: string) => harness.ok(person).put(`/me/saved/${id}`);
const change = (id: string, draft: object) => harness.ok(client).put(`/tasks/${id}`, aTaskDraft(draft));

/** A person's notifications, and whether they got them as a watcher. */
async function noticesOf({ uid }: Person): Promise<string[]> {
  const found = await harness.database.notifications.find({ recipientId: uid }).sort({ _id: 1 }).toArray();
  return found.map(({ kind, saved, taskTitle }) => `${kind}${saved ? " (saved)" : ""}: ${taskTitle}`);
}

test("When somebody both bid and saved, then they are notified once, as a bidder; the hired freelancer only of the award", async () => {
  const id = await harness.postTask(client, { title: "Logo" });
  for (const person of [ada, ben, cleo]) await save(person, id);
  for (const person of [ada, ben]) await bid(id, person);
  await change(id, { title: "Logo", budget: 9 });
  await award(id, client, ada);
  await deliverAll();
  expect(await noticesOf(ada)).toEqual(["task-changed: Logo", "awarded: Logo"]);
  expect(await noticesOf(ben)).toEqual(["task-changed: Logo", "declined: Logo"]);
  expect(await noticesOf(cleo)).toEqual(["task-changed (saved): Logo", "task-awarded (saved): Logo"]);
});

test("When somebody is hired, then watchers are still notified of a new deadline, cancellation and completion, the hired freelancer once, other bidders not at all", async () => {
  for (const end of ["cancelled", "completed"] as const) {
    const id = await harness.postTask(client, { title: "Logo" });
    for (const person of [ada, cleo]) await save(person, id);
    for (const person of [ada, ben]) await bid(id, person);
    await award(id, client, ada);
    await deliverAll();
    await harness.clear("notifications");
    await change(id, { title: "Logo", deadline: inDays(20) });
    await move(id, client, end, { reason: "No more money." });
    await deliverAll();
    const kinds = ["task-changed", `task-${end}`];
    expect(await noticesOf(cleo)).toEqual(kinds.map((kind) => `${kind} (saved): Logo`));
    expect(await noticesOf(ada)).toEqual(kinds.map((kind) => `${kind}: Logo`));
    expect(await noticesOf(ben)).toEqual([]);
  }
});

test("When a task is hidden and restored, then watchers are notified, without its title while it is hidden", async () => {
  const id = await harness.postTask(client, { title: "Offensive" });
  await save(ada, id);
  for (const hidden of [true, true, false])
    await harness.ok(operator).patch(`/tasks/${id}/visibility`, { hidden, reason: "spam" });
  await deliverAll();
  expect(await noticesOf(ada)).toEqual([
    "task-hidden (saved): Hidden task",
    "task-restored (saved): Offensive",
  ]);
});
