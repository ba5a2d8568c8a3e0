import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { aBidDoc, anAwardOf, aProfileDraft, aReviewDoc } from "../../../test/builders.ts";
import { useHarness } from "../../../test/harness.ts";
import { type Person, rename, signUp } from "../../../test/people.ts";

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

const get = async (path: string, person?: Person, at: Pick<typeof harness, "as"> = harness) =>
  (await at.as(person).get(path).expect(200)).body;

/** The names and images of the two in every response that contains them. */
async function namesShown(id: string, at: Pick<typeof harness, "as"> = harness) {
  const [listed, all, one, seenByHired, seenByClient, received, placed, reviews, overview] =
    await Promise.all([
      get("/tasks?limit=1", undefined, at),
      get("/tasks", undefined, at),
      get(`/tasks/${id}`, undefined, at),
      get(`/tasks/${id}`, hired, at),
      get(`/tasks/${id}`, client, at),
      get(`/tasks/${id}/bids`, client, at),
      get("/me/bids", hired, at),
      get(`/profiles/${hired.uid}/reviews`, undefined, at),
      get("/me/overview", hired, at),
    ]);
  return {
    client: [
      listed[0].name,
      all[0].name,
      one.name,
      seenByHired.viewer.contact.name,
      placed[0].task.name,
      reviews[0].author.name,
      overview.waiting[0].name,
    ],
    clientImage: [listed[0].clientImage, one.clientImage, reviews[0].author.image],
    hired: [seenByClient.viewer.contact.name, received[0].name],
    hiredImage: [received[0].image],
  };
}

test("When people change name and photo, then every response shows the new ones, on other instances a little later", async () => {
  const other = harness.instance();
  await vi.waitUntil(other.changes.isLive, { timeout: 5_000 });
  const id = await insertWork();
  // Both instances have cached the old names.
  for (const at of [harness, other])
    expect(await namesShown(id, at)).toMatchObject({
      client: Array(7).fill("Clara Client"),
      hiredImage: [OLD],
    });

  client = await rename(client, { name: "Clara Married", photoUrl: NEW });
  hired = await rename(hired, { name: "Fred Fields" });
  for (const person of [client, hired])
    await harness.as(person).put("/me/profile", aProfileDraft()).expect(200);
  const expected = {
    client: Array(7).fill("Clara Married"),
    clientImage: Array(3).fill(NEW),
    hired: Array(2).fill("Fred Fields"),
    hiredImage: [undefined],
  };
  expect(await namesShown(id)).toEqual(expected);
  const file = async (path: string, person: Person) =>
    (await harness.as(person).get(path).buffer(true).expect(200)).text;
  expect(await file("/me/tasks.csv", client)).toContain(",Fred Fields,");
  expect(await file("/me/bids.csv", hired)).toContain(",Clara Married,");
  await expect.poll(() => namesShown(id, other)).toEqual(expected);
  // The stored task does not change, so a rename never conflicts with a bid on it.
  expect(await harness.taskInStore(id)).toMatchObject({ name: "Clara Client", revision: 0, bidsRevision: 0 });
});
