import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  aBidDoc,
  anAwardOf,
  aProfileDraft,
  aReviewDoc,
  type Person,
  rename,
  signUp,
  useHarness,
} from "../../../test/index.ts";

const harness = useHarness();
let client: Person;
let hired: Person;

const OLD = "https://pictures.example/old.png";
const NEW = "https://pictures.example/new.png";

beforeAll(async () => {
  client = await signUp({ name: "Clara Client", photoUrl: OLD });
  hired = await signUp({ name: "Fred Freelancer", photoUrl: OLD });
  // Records both people.
  for (const person of [client, hired]) await harness.read("/me", person);
});
beforeEach(() => harness.clear("tasks", "bids", "reviews"));

/** Stores an awarded task between the two and a review, all with their old names. */
async function insertWork() {
  const bid = aBidDoc({ bidderId: hired.uid, bidderName: "Fred Freelancer", bidderImage: OLD });
  const task = await harness.insertTask({
    _id: bid.taskId,
    ownerId: client.uid,
    name: "Clara Client",
    clientImage: OLD,
    state: "awarded",
    award: anAwardOf(bid),
    bidsCount: 1,
  });
  await harness.database.bids.insertOne(bid);
  const review = { authorId: client.uid, authorName: "Clara Client", authorImage: OLD, subjectId: hired.uid };
  await harness.database.reviews.insertOne(aReviewDoc(review));
  return task._id.toHexString();
}

/** All responses that name or show the two. */
function texts(id: string, { ok }: Pick<typeof harness, "ok"> = harness): Promise<string[]> {
  const reads: [path: string, by?: Person][] = [
    ["/tasks?limit=1"],
    ["/tasks"],
    [`/tasks/${id}`],
    [`/profiles/${hired.uid}/reviews`],
    ...["/me/tasks.csv", `/tasks/${id}`, `/tasks/${id}/bids`].map((path): [string, Person] => [path, client]),
    ...["/me/bids.csv", `/tasks/${id}`, "/me/bids", "/me/overview"].map((path): [string, Person] => [
      path,
      hired,
    ]),
  ];
  return Promise.all(reads.map(async ([path, by]) => (await ok(by).get(path).buffer(true)).text));
}
const countOf = (all: string[], text: RegExp) => all.filter((each) => text.test(each)).length;

test("When people change name and photo, then every response shows the new ones, on other instances a little later", async () => {
  const other = harness.instance();
  await vi.waitUntil(other.changes.isLive, { timeout: 5_000 });
  const id = await insertWork();
  // Both instances have cached the old names.
  for (const at of [harness, other])
    expect(countOf(await texts(id, at), /Clara Client|Fred Freelancer/)).toBe(11);

  client = await rename(client, { name: "Clara Married", photoUrl: NEW });
  hired = await rename(hired, { name: "Fred Fields" });
  for (const person of [client, hired]) await harness.ok(person).put("/me/profile", aProfileDraft());
  const counts = (all: string[]) =>
    [/Clara Client|Fred Freelancer|old\.png/, /Clara Married|Fred Fields/, /new\.png/].map((text) =>
      countOf(all, text),
    );
  const expected = [0, 11, 6];
  expect(counts(await texts(id))).toEqual(expected);
  await expect.poll(async () => counts(await texts(id, other))).toEqual(expected);
  // The stored task does not change, so a rename never conflicts with a bid on it.
  expect(await harness.taskInStore(id)).toMatchObject({ name: "Clara Client", revision: 0, bidsRevision: 0 });
});
