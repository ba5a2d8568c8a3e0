import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aBidDoc,
  anAwardOf,
  aPersonDoc,
  aProfileDraft,
  aReviewDoc,
  aSuspensionDoc,
} from "../../../test/builders.ts";
import { expectProblem, useHarness, usePeople } from "../../../test/harness.ts";
import { rename, signUp } from "../../../test/people.ts";
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
      profile: { ...profile, headline: "Foxes", skills: ["Ink", "Logo design"], languages: ["de", "sw"] },
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
    languages: ["de", "sw"],
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

test("When somebody changes their profile or is renamed, then searches find what it says now, until the account is deleted", async () => {
  const found = (text: string) => ids(`search=${encodeURIComponent(text)}`);
  const leaver = await signUp({ name: "Zoë Xanthippe" });
  const save = (skills: string[]) =>
    harness
      .as(leaver)
      .put("/me/profile", aProfileDraft({ headline: "🦊 Foxglove", skills }))
      .expect(200);
  await save(["Quilting"]);
  for (const text of ["xanthippe", "ZOË X", "🦊", "quilt"]) expect(await found(text)).toEqual([leaver.uid]);
  await save(["Heraldry"]);
  expect(await found("quilt")).toEqual([]);
  const renamed = await rename(leaver, { name: "Yolanda" });
  await harness.as(renamed).get("/me").expect(200);
  for (const text of ["yolanda", "heraldry"]) expect(await found(text)).toEqual([leaver.uid]);
  expect(await found("xanthippe")).toEqual([]);
  await harness.as(renamed).delete("/me").expect(200);
  expect(await found("yolanda")).toEqual([]);
});

test.each([
  ["a NUL", "%00"],
  ["more characters than a headline has", "x".repeat(121)],
  ["two texts", "a&search=b"],
])("When people are searched for %s, then it is refused", async (_, search) => {
  expectProblem(await harness.as().get(`/profiles?search=${search}`), 422, "invalid");
});

test.each([
  ["f", ["p1"]],
  ["  ", ["p1"]],
  ["y (", ["p1"]],
  ["%5C(lance%5C)", []],
  ["$where", []],
  ["x".repeat(120), []],
])("When people are searched for %j, then those whose texts contain it are found", async (search, found) => {
  expect(await ids(`language=sw&search=${search}`)).toEqual(found);
});

describe("among many people", () => {
  beforeAll(async () => {
    const many = Array.from({ length: 300 }, (_, at) =>
      aPersonDoc({
        ...{ _id: `many-${at}`, name: at === 7 ? "Hedda Logo" : "Otto Hedge", lastActiveOn: "2025-01-01" },
        profile: { ...profile, headline: "Foxes", skills: ["Lace"], languages: [at === 8 ? "cy" : "de"] },
      }),
    );
    await harness.database.people.insertMany(many);
  });
  afterAll(() => harness.database.people.deleteMany({ lastActiveOn: "2025-01-01" }));

  type Listing = Partial<Parameters<typeof directoryPlan>[0]>;
  const everybody = { search: "", language: undefined, after: undefined, limit: 21 };
  test.each<[string, Listing]>([
    ["everybody", {}],
    ["a frequent skill", { search: "lace" }],
    ["a rare name", { search: "hedda" }],
    ["a name that nobody has", { search: "hedda hedge" }],
    ["a rare language", { language: "cy" }],
    ["a rare name in a frequent language", { search: "hedda", language: "de" }],
    ["the second page of a skill", { search: "lace", after: ["2025-01-01", "many-1"] }],
  ])(
    "When %s is listed, then no more people are read than are shown, in the index's order",
    async (_, listing) => {
      const plan = directoryPlan({ ...everybody, ...listing });
      const explained = await harness.database.people.aggregate(plan).explain("executionStats");
      const { executionStats, queryPlanner } = explained["stages"]?.[0].$cursor ?? explained;
      expect(executionStats.totalDocsExamined).toBeLessThan(80);
      expect(JSON.stringify(queryPlanner.winningPlan)).not.toMatch(/COLLSCAN|"SORT"/);
    },
  );

  test("When a search has several pages, then together they are what it finds, once each", async () => {
    const found = await ids("search=hed&limit=100");
    expect(found).toHaveLength(300);
    expect(new Set(found).size).toBe(300);
    expect(found).toEqual(found.toSorted());
  });
});
