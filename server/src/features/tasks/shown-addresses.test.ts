import { ObjectId } from "mongodb";
import { beforeEach, expect, test } from "vitest";
import {
  aBidDoc,
  anAwardOf,
  bidHelpers,
  type Person,
  signUp,
  useHarness,
  usePeople,
  verifyEmail,
} from "../../../test/index.ts";
import { ADDRESSES_PER_DAY, calendarDate, type Task } from "../../contract/index.ts";
import { viewsId } from "./shown-addresses.ts";

const harness = useHarness();
const { bid, award, move } = bidHelpers(harness);
const DAY_MS = 86_400_000;
const { posters, rehired } = ADDRESSES_PER_DAY;

const [client, ada, ben] = usePeople("Clara Client", "Ada", "Ben");
beforeEach(async () => {
  harness.clock.now = new Date();
  await harness.clear("addressViews");
});

const read = async (person: Person, id: string, instance = harness.as(person)): Promise<Task> =>
  (await instance.get(`/tasks/${id}`).expect(200)).body;

/** Inserts tasks of this many different posters. */
async function tasksOfOthers(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const ownerId = `poster-${number}`;
    const task = await harness.insertTask({ ownerId, email: `${ownerId}@people.example` });
    ids.push(task._id.toHexString());
  }
  return ids;
}

/** Stores that the person has already seen this many addresses today. */
async function hasSeen(person: Person, kind: keyof typeof ADDRESSES_PER_DAY, count: number): Promise<void> {
  const today = calendarDate(harness.clock.now);
  const seen = Array.from({ length: count }, (_, number) => `before-${number}`);
  const expireAt = new Date(Date.now() + DAY_MS);
  await harness.database.addressViews.insertOne({ _id: viewsId(today, kind, person.uid), seen, expireAt });
}

test("When somebody looks up addresses on several instances at the same time, then at most 200 different posters a day are shown", async () => {
  await hasSeen(ada, "posters", posters - 3);
  const ids = await tasksOfOthers(6);
  const instances = [harness.as(ada), harness.instance().as(ada)];
  // Each one twice, because looking again does not count.
  const both = [...ids, ...ids];
  const found = await Promise.all(both.map((id, at) => read(ada, id, instances[at % 2])));
  expect(new Set(found.flatMap(({ email }) => email ?? [])).size).toBe(3);
  for (const { email, viewer } of found) expect(viewer?.addressLimitReached).toBe(email ? undefined : true);
  const shown = both[found.findIndex(({ email }) => email)] ?? "";
  expect(await read(ada, shown)).toHaveProperty("email");

  // Other people have their own limit, and one's own address does not count.
  expect(await read(ben, ids[0] ?? "")).toHaveProperty("email");
  const own = await harness.postTask(ada);
  expect(await read(ada, own)).toMatchObject({ email: ada.email });
  harness.advance(DAY_MS);
  for (const id of ids) expect(await read(ada, id)).toHaveProperty("email");
});

test("When somebody is hired, then the client's address is shown to them even beyond the limit", async () => {
  await hasSeen(ada, "posters", posters);
  const id = await harness.postTask(client, { showEmail: false });
  await bid(id, ada);
  expect(await read(ada, id)).not.toHaveProperty("email");
  expect((await read(ada, id)).viewer).not.toHaveProperty("addressLimitReached");
  await award(id, client, ada);
  expect(await read(ada, id)).toMatchObject({
    email: client.email,
    viewer: { contact: { email: client.email } },
  });
});

test("When a client awards, cancels and reopens repeatedly, then after the first award ten more addresses a day are shown", async () => {
  await hasSeen(client, "rehired", rehired - 1);
  await hasSeen(client, "posters", posters);
  const id = await harness.postTask(client);
  const bidders = [ada, ben, await signUp()];
  for (const person of bidders) await bid(id, person);
  const contacts: (string | undefined)[] = [];
  for (const person of bidders) {
    await award(id, client, person);
    const { viewer } = await read(client, id);
    contacts.push(viewer?.contact?.email);
    expect(viewer?.addressLimitReached).toBe(viewer?.contact ? undefined : true);
    // The freelancer always sees the address of their client.
    expect((await read(person, id)).viewer?.contact?.email).toBe(client.email);
    await move(id, client, "cancelled", { reason: "Other plans." });
    await move(id, client, "open");
  }
  expect(contacts).toEqual([ada.email, ben.email, undefined]);
  // Another task is not affected.
  const other = await harness.postTask(client);
  await bid(other, ada);
  await award(other, client, ada);
  expect((await read(client, other)).viewer?.contact?.email).toBe(ada.email);
});

test("When an address is verified, then others see that; when it was changed, then the current one is shown", async () => {
  // Their own, because a verified account stays so.
  const [owner, hired] = [await signUp(), await signUp()];
  const id = await harness.postTask(owner);
  await bid(id, hired);
  await award(id, owner, hired);
  const open = await harness.postTask(owner);
  const marks = async () => {
    const [seen, ofOwner, ofHired] = [await read(ben, open), await read(hired, id), await read(owner, id)];
    const contacts = [ofOwner.viewer?.contact, ofHired.viewer?.contact];
    return [seen.emailVerified, ...contacts.map((contact) => contact?.emailVerified)];
  };
  expect(await marks()).toEqual([false, false, false]);
  for (const person of [owner, hired]) await harness.read("/me", await verifyEmail(person));
  expect(await marks()).toEqual([true, true, true]);
  const old = "old@people.example";
  await harness.database.tasks.updateMany({ ownerId: owner.uid }, { $set: { email: old } });
  await harness.database.tasks.updateOne({ _id: new ObjectId(id) }, { $set: { "award.email": old } });
  expect(await marks()).toEqual([true, true, true]);
  for (const task of [await read(ben, open), await read(hired, id), await read(owner, id)])
    expect(task.email).toBe(owner.email);
  expect((await read(owner, id)).viewer?.contact?.email).toBe(hired.email);
});

test("When the hired freelancer deleted their account, then neither an address nor a limit is shown", async () => {
  const award = anAwardOf(aBidDoc({ bidderEmail: "" }));
  const task = await harness.insertTask({ ownerId: client.uid, state: "awarded", award });
  const { viewer } = await read(client, task._id.toHexString());
  expect(viewer).not.toHaveProperty("contact");
  expect(viewer).not.toHaveProperty("addressLimitReached");
});
