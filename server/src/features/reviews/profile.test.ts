import type { Document } from "mongodb";
import { beforeEach, describe, expect, test } from "vitest";
import {
  aBidDoc,
  anAwardOf,
  aPersonDoc,
  aReviewDoc,
  aTaskDoc,
  expectProblem,
  inDays,
  manyTasks,
  type Person,
  useHarness,
  usePeople,
} from "../../../test/index.ts";
import type { ReviewDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { ratingsPlan } from "../../domain/people.ts";
import { countTasksPlan } from "./profile-store.ts";

const harness = useHarness();
const [ada, fay] = usePeople("Ada", "Fay");
const CLARA = "clara-uid";
const MEMBER_SINCE = new Date("2025-03-01T09:30:00.000Z");

beforeEach(async () => {
  await harness.clear("tasks", "people", "reviews");
  const clara = { _id: CLARA, name: "Clara Client", image: "https://pictures.example/clara.png" };
  const settings = { emailNotices: true, unsubscribeKey: "secret" };
  await harness.database.people.insertOne(
    aPersonDoc({ ...clara, ...settings, memberSince: MEMBER_SINCE, publicSince: MEMBER_SINCE }),
  );
});

const aReview = (fields: Partial<ReviewDoc> = {}) => aReviewDoc({ subjectId: CLARA, ...fields });

const award = () => anAwardOf(aBidDoc({ bidderId: "fred-uid" }));

describe("GET /profiles/:id", () => {
  test("When somebody posted, hired and was reviewed, then the figures show it, without their email address", async () => {
    const own = (fields: Partial<TaskDoc>) => harness.insertTask({ ownerId: CLARA, ...fields });
    await own({});
    await own({ state: "open" });
    await own({ state: "open", deadline: inDays(-1) });
    await own({ state: "awarded", award: award() });
    await own({ state: "completed", award: award() });
    await own({ state: "cancelled" });
    await own({ state: "cancelled", award: award() });
    for (const state of ["completed", "awarded"] as const)
      await harness.insertTask({ ownerId: "dan-uid", state, award: { ...award(), freelancerId: CLARA } });
    await harness.database.reviews.insertMany([aReview({ stars: 5 }), aReview({ stars: 2 })]);
    await harness.database.reviews.insertOne(aReview({ stars: 1, subjectId: "dan-uid" }));
    expect(await harness.read(`/profiles/${CLARA}`)).toMatchObject({
      id: CLARA,
      name: "Clara Client",
      image: "https://pictures.example/clara.png",
      memberSince: MEMBER_SINCE.toISOString(),
      lastActiveOn: inDays(0),
      tasksPosted: 7,
      tasksCompleted: 1,
      jobsCompleted: 1,
      // Hired: awarded, completed, cancelled after an award. Not hired: expired, cancelled.
      hireRate: 3 / 5,
      rating: { average: 3.5, count: 2 },
    });
  });

  test("When the id is unknown or the person has deleted their account, then 404", async () => {
    await harness.insertTask({ ownerId: "former-1", name: "Former member" });
    for (const id of ["nobody", "former-1", "x".repeat(2_000), "%24ne"])
      expectProblem(await harness.as().get(`/profiles/${id}`), "person-not-found");
  });
});

describe("the record of a task's client", () => {
  test("When a signed-in person reads a task, then they see its client's figures; the client and visitors do not", async () => {
    await harness.database.people.insertOne(aPersonDoc({ _id: ada.uid, memberSince: MEMBER_SINCE }));
    const task = await harness.insertTask({ ownerId: ada.uid });
    await harness.insertTask({ ownerId: ada.uid, hidden: true });
    const read = async (reader?: Person) => (await harness.read(`/tasks/${task._id}`, reader)).client;
    const since = { memberSince: MEMBER_SINCE.toISOString(), lastActiveOn: inDays(0) };
    const newcomer = { ...since, tasksPosted: 1, tasksCompleted: 0, hireRate: null };
    expect(await read(fay)).toEqual({ ...newcomer, rating: { average: null, count: 0 } });
    expect(await read(ada)).toBeUndefined();
    expect(await read()).toBeUndefined();

    await harness.insertTask({ ownerId: ada.uid, state: "completed", award: award() });
    await harness.insertTask({ ownerId: ada.uid, deadline: inDays(-1) });
    await harness.database.reviews.insertOne(aReview({ subjectId: ada.uid, stars: 4 }));
    const instance = harness.instance();
    const { body } = await instance.ok(fay).get(`/tasks/${task._id}`);
    const figures = { tasksPosted: 3, tasksCompleted: 1, hireRate: 1 / 2, rating: { average: 4, count: 1 } };
    expect(body.client).toEqual({ ...newcomer, ...figures });
  });

  test("When the client has deleted their account, then there is no record", async () => {
    const task = await harness.insertTask({ ownerId: "former-1", state: "completed", award: award() });
    const body = await harness.read(`/tasks/${task._id}`, fay);
    expect(body).not.toHaveProperty("client");
  });
});

test("When a profile is read, then its figures come from indexes alone", async () => {
  const { tasks, reviews } = harness.database;
  await tasks.insertMany(manyTasks(1_000));
  await tasks.insertMany(Array.from({ length: 20 }, () => aTaskDoc({ ownerId: CLARA, state: "completed" })));
  const subjects = Array.from({ length: 300 }, (_, index) => aReview({ subjectId: `person-${index % 6}` }));
  await reviews.insertMany(subjects);

  const own = await tasks
    .aggregate(countTasksPlan({ ownerId: CLARA, hidden: false }, inDays(0)), { hint: "owner-states" })
    .explain("executionStats");
  // One key more than there are tasks: the end of those that are not hidden.
  expect(figures(own)).toEqual({ scanned: ["IXSCAN"], docs: 0, keys: 21 });
  const bounded = await tasks
    .aggregate(countTasksPlan({ ownerId: CLARA, hidden: false }, inDays(0), 15), { hint: "owner-states" })
    .explain("executionStats");
  expect(figures(bounded).keys).toBeLessThan(20);
  const rating = await reviews
    .aggregate(ratingsPlan(["person-1", "person-3"]), { hint: "subject-stars" })
    .explain("executionStats");
  expect(figures(rating)).toEqual({ scanned: ["IXSCAN"], docs: 0, keys: 100 });
});

/** The stages, documents and keys of an explained find or aggregate. */
function figures(plan: Document) {
  const text = JSON.stringify(plan);
  const stats = /"totalKeysExamined":(\d+),"totalDocsExamined":(\d+)/.exec(text);
  const scanned = [
    ...new Set([...text.matchAll(/"stage":"(IXSCAN|COLLSCAN|FETCH)"/g)].map(([, stage]) => stage)),
  ];
  return { scanned, docs: Number(stats?.[2]), keys: Number(stats?.[1]) };
}
