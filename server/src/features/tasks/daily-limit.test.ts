import { beforeAll, beforeEach, expect, test } from "vitest";
import {
  aTaskDraft,
  expectProblem,
  type Instance,
  inDays,
  type Person,
  signUp,
  testSettings,
  testStart,
  useHarness,
} from "../../../test/index.ts";

const LIMIT = 8;
const harness = useHarness();
const settings = testSettings({ tasksPerDay: LIMIT });
let ada: Person;
let limited: Instance;

beforeAll(() => {
  limited = harness.instance({ settings });
});
beforeEach(async () => {
  harness.clock.now = testStart.at;
  ada = await signUp();
});

const post = (by: Instance = limited) => by.as(ada).post("/tasks", aTaskDraft({}));
const countTasks = () => harness.database.tasks.countDocuments({ ownerId: ada.uid });
/** Makes the account this many days old. */
async function age(days: number): Promise<void> {
  await limited.ok(ada).get("/me");
  const memberSince = new Date(harness.clock.now.getTime() - days * 86_400_000);
  await harness.database.people.updateOne({ _id: ada.uid }, { $set: { memberSince } });
}

test("When a client has posted as many tasks as a day allows, then the next is refused until midnight in UTC, and deleting one changes nothing", async () => {
  await age(8);
  harness.clock.now = new Date(`${inDays(0)}T23:59:59.999Z`);
  const posted = [];
  for (let task = 0; task < LIMIT; task++) posted.push((await post().expect(201)).body.insertedId);
  const { detail } = expectProblem(await post(), "task-limit-reached");
  expect(detail).toContain(`You have posted ${LIMIT} tasks today`);
  expect(detail).toContain(`from ${inDays(1)}, 00:00 UTC`);
  await limited.ok(ada).delete(`/tasks/${posted[0]}`);
  expectProblem(await post(), "task-limit-reached");
  expect(await countTasks()).toBe(LIMIT - 1);
  harness.advance(1);
  await post().expect(201);
});

test("When an account is in its first week, then it can post a quarter of the tasks that others can", async () => {
  await age(6);
  for (let task = 0; task < LIMIT / 4; task++) await post().expect(201);
  expectProblem(await post(), "task-limit-reached");
  await age(8);
  await post().expect(201);
});
