import { beforeAll, beforeEach, expect, test } from "vitest";
import {
  bidHelpers,
  type Instance,
  type Person,
  sendColliding,
  signUp,
  useHarness,
  usePeople,
} from "../../../test/index.ts";

const harness = useHarness();
const { bidOf, insertTasks } = bidHelpers(harness);
let other: Instance;
const [client] = usePeople("Clara Client");
let ada: Person;

const message = (title: string) =>
  `Hello, I have read your task “${title}” and I am the best person to do it. I have more than eight years of experience, I deliver on time, and my clients come back.`;
const OTHER = {
  message:
    "Your brief is clear. Two questions before I start: who hosts it today, and may I have read access to the current database?",
};

beforeAll(() => {
  other = harness.instance();
});
beforeEach(async () => {
  ada = await signUp();
});

const send = async (draft: object, id?: string) => {
  const task = id ?? (await harness.postTask(client));
  await harness.ok(ada).patch(`/tasks/${task}/bid`, draft);
  return task;
};
const sentTo = async (id: string) => (await bidOf(id, ada)).sentTo;

test("When somebody sends nearly the same message on several tasks, then each bid shows its client and sender on how many others it was sent before", async () => {
  const ids = [];
  for (const title of ["Logo", "Flyer", "Menu"]) ids.push(await send({ message: message(title) }));
  expect(await Promise.all(ids.map((id) => sentTo(id)))).toEqual([undefined, 1, 2]);
  const last = String(ids[2]);
  expect(await harness.read(`/tasks/${last}/bids`, client)).toMatchObject([{ sentTo: 2 }]);
  const own = await harness.ok(ada).get(`/tasks/${last}`);
  expect(own.body.viewer.bid).toMatchObject({ sentTo: 2 });
  expect((await harness.ok(ada).get("/me/export")).text).not.toContain("sketch");
});

test("When a message is changed, then it is counted again; when only the amount changes, then it is not", async () => {
  const [first, second] = [
    await send({ message: message("Logo") }),
    await send({ message: message("Flyer") }),
  ];
  await send({ amount: 7 }, second);
  expect(await sentTo(second)).toBe(1);
  await send(OTHER, second);
  expect(await sentTo(second)).toBeUndefined();
  await send({ message: message("Menu") }, second);
  expect(await sentTo(second)).toBe(1);
  await send({ message: "" }, second);
  expect(await bidOf(second, ada)).not.toHaveProperty("print");
  // The earlier text of the same bid does not count.
  await send({ message: `${message("Logo")} Gladly.` }, first);
  expect(await sentTo(first)).toBeUndefined();
});

test("When many nearly equal messages are sent at the same moment through two instances, then each counts all earlier ones", async () => {
  const ids = await insertTasks(8);
  const responses = await Promise.all(
    ids.map((id, at) => {
      const person = (at % 2 === 0 ? harness : other).as(ada);
      return sendColliding(() => person.patch(`/tasks/${id}/bid`, { message: message(`Task ${at}`) }));
    }),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const found = await Promise.all(ids.map((id) => sentTo(id)));
  expect(found.map((count = 0) => count).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});
