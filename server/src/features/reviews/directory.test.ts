import { beforeAll, expect, test } from "vitest";
import {
  aBidDoc,
  anAwardOf,
  aPersonDoc,
  aProfileDraft,
  aReviewDoc,
  aSuspensionDoc,
} from "../../../test/builders.ts";
import { expectProblem, useHarness, usePeople } from "../../../test/harness.ts";
import { directorySchema, EMPTY_PROFILE } from "../../contract/index.ts";
import { directoryPlan } from "./directory.ts";

const harness = useHarness();
const [ada] = usePeople("Ada Writes");

const profile = { ...EMPTY_PROFILE, version: 1 };

beforeAll(async () => {
  await harness.database.people.insertMany([
    aPersonDoc({
      _id: "p1",
      name: "Fay (Lance)",
      lastActiveOn: "2026-01-03",
      profile: { ...profile, headline: "Foxes", skills: ["Ink", "Logo design"], languages: ["de"] },
    }),
    aPersonDoc({ _id: "p2", lastActiveOn: "2026-01-05", profile: { ...profile, headline: "Sites" } }),
    aPersonDoc({ _id: "p3", lastActiveOn: "2026-01-05", profile: { ...profile, skills: ["logos"] } }),
    aPersonDoc({ _id: "empty", profile }),
    aPersonDoc({ _id: "none" }),
    aPersonDoc({ _id: "out", notInDirectory: true, profile: { ...profile, headline: "Foxes" } }),
    aPersonDoc({ _id: "bad", lastActiveOn: "2026-01-04", profile: { ...profile, headline: "Foxes" } }),
  ]);
  await harness.database.suspensions.insertOne(aSuspensionDoc("bad"));
});

async function list(query = "") {
  const pages = await harness.pages(`/profiles?${query}`);
  return directorySchema.parse(pages.flat());
}
const ids = async (query?: string) => (await list(query)).map(({ id }) => id);

test("When people are listed, then those with a written profile are, the most recently active first, and nobody who opted out or is suspended", async () => {
  expect(await ids()).toEqual(["p2", "p3", "p1"]);
  expect(await ids("limit=1")).toEqual(["p2", "p3", "p1"]);
  expectProblem(await harness.as().get("/profiles?cursor=x"), 400, "invalid-cursor");
});

test.each([
  ["search=LOGO", ["p3", "p1"]],
  ["search=%28lance", ["p1"]],
  ["search=fox", ["p1"]],
  ["search=.*", []],
  ["language=de", ["p1"]],
  ["language=de&search=sites", []],
])(
  "When people are searched with %s, then names, headlines, skills and languages count",
  async (query, found) => {
    expect(await ids(query)).toEqual(found);
  },
);

test("When somebody has done jobs, then their entry has their number, prices and rating, and no address", async () => {
  for (const amount of [90, 40.5, 700])
    await harness.insertTask({
      state: amount === 700 ? "awarded" : "completed",
      award: anAwardOf(aBidDoc({ bidderId: "p1", amount })),
    });
  await harness.database.reviews.insertOne(aReviewDoc({ subjectId: "p1", stars: 4 }));
  const entry = (await list()).find(({ id }) => id === "p1");
  expect(entry).toEqual({
    id: "p1",
    name: "Fay (Lance)",
    headline: "Foxes",
    skills: ["Ink", "Logo design"],
    languages: ["de"],
    rating: { average: 4, count: 1 },
    jobsCompleted: 2,
    prices: { from: 40.5, to: 90 },
    lastActiveOn: "2026-01-03",
  });
});

test("When somebody opts out of the directory, then they are listed no more, until they opt in again", async () => {
  await harness.as(ada).put("/me/profile", aProfileDraft()).expect(200);
  expect(await ids()).toContain(ada.uid);
  const { body } = await harness.as(ada).patch("/me", { inDirectory: false }).expect(200);
  expect(body).toMatchObject({ inDirectory: false, emailNotices: false });
  expect(await ids()).not.toContain(ada.uid);
  await harness.as(ada).patch("/me", { inDirectory: true }).expect(200);
  expect(await ids()).toContain(ada.uid);
});

test("When a page of the directory is read, then no more people are read than it shows", async () => {
  const { people } = harness.database;
  const more = Array.from({ length: 300 }, (_, at) =>
    aPersonDoc({ _id: `many-${at}`, lastActiveOn: "2025-01-01", profile: { ...profile, headline: "Foxes" } }),
  );
  await people.insertMany(more);
  const plan = directoryPlan({ search: "", language: undefined, after: undefined, limit: 21 });
  const { executionStats, stages } = await people
    .aggregate(plan, { hint: "directory" })
    .explain("executionStats");
  const { totalDocsExamined } = executionStats ?? stages[0].$cursor.executionStats;
  expect(totalDocsExamined).toBeLessThan(50);
  await people.deleteMany({ lastActiveOn: "2025-01-01" });
});

test("When a page of the directory is read, then its index gives the order", async () => {
  const plan = directoryPlan({ search: "fox", language: "de", after: ["2026-01-04", "p1"], limit: 21 });
  const { stages } = await harness.database.people.aggregate(plan, { hint: "directory" }).explain();
  expect(stages.flatMap(Object.keys)).not.toContain("$sort");
  expect(JSON.stringify(stages[0].$cursor.queryPlanner.winningPlan)).not.toMatch(/COLLSCAN|SORT/);
});
