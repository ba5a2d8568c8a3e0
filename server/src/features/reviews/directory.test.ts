import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aPersonDoc,
  aProfileDraft,
  aSuspensionDoc,
  bidHelpers,
  expectProblem,
  inDays,
  nextPage,
  rename,
  signUp,
  useHarness,
  usePeople,
} from "../../../test/index.ts";
import { type Category, type DirectoryEntry, EMPTY_PROFILE } from "../../contract/index.ts";
import type { PersonDoc } from "../../db/documents/people.ts";
import { directoryPlan } from "./directory.ts";

const harness = useHarness();
const [client, ada] = usePeople("Clara Client", "Ada Writes");
const { bid, award, move } = bidHelpers(harness);

const profile = { ...EMPTY_PROFILE, version: 1 };

beforeAll(async () => {
  const done = {
    count: 2,
    categories: ["Design", "Writing"],
    from: 40.5,
    to: 90,
  } satisfies PersonDoc["jobs"];
  await harness.database.people.insertMany([
    aPersonDoc({
      _id: "p1",
      name: "Fay (Lance)",
      lastActiveOn: "2026-01-03",
      profile: { ...profile, headline: "Foxes", skills: ["Ink", "Logo design"], languages: ["de", "sw"] },
      rating: { average: 4.5, count: 2 },
      jobs: done,
    }),
    aPersonDoc({
      _id: "p2",
      lastActiveOn: "2026-01-05",
      profile: { ...profile, headline: "Sites" },
      rating: { average: 3.9, count: 9 },
      jobs: { ...done, categories: ["Design"], from: 500, to: 500 },
    }),
    aPersonDoc({ _id: "p3", lastActiveOn: "2026-01-05", profile: { ...profile, skills: ["logos"] } }),
    aPersonDoc({ _id: "empty", profile, jobs: done }),
    aPersonDoc({ _id: "none", jobs: done }),
    aPersonDoc({
      ...{ _id: "out", notInDirectory: true, jobs: done, rating: { average: 5, count: 1 } },
      profile: { ...profile, headline: "Foxes" },
    }),
    aPersonDoc({
      ...{ _id: "bad", lastActiveOn: "2026-01-04", jobs: done, rating: { average: 5, count: 1 } },
      profile: { ...profile, headline: "Foxes" },
    }),
  ]);
  await harness.database.suspensions.insertOne(aSuspensionDoc("bad"));
});

const list = async (query = "") => (await harness.pages<DirectoryEntry>(`/profiles?${query}`)).flat();
const ids = async (query?: string) => (await list(query)).map(({ id }) => id);

test("When people are listed, then those with a written profile are, the most recently active first, and nobody who opted out or is suspended", async () => {
  expect(await ids()).toEqual(["p2", "p3", "p1"]);
  expect(await ids("limit=1")).toEqual(["p2", "p3", "p1"]);
});

test.each([
  ["search=LOGO", ["p3", "p1"]],
  ["search=%28lance", ["p1"]],
  ["search=fox", ["p1"]],
  ["search=s", ["p2", "p3", "p1"]],
  ["search=.*", []],
  ["language=sw&search=f", ["p1"]],
  ["language=sw&search=  ", ["p1"]],
  ["language=sw&search=y (", ["p1"]],
  ["search=%5C(lance%5C)", []],
  ["search=$where", []],
  [`search=${"x".repeat(120)}`, []],
  ["language=de", ["p1"]],
  ["language=de&search=sites", []],
  ["category=Design", ["p2", "p1"]],
  ["category=Writing", ["p1"]],
  ["category=Marketing", []],
  ["minRating=3", ["p2", "p1"]],
  ["minRating=4", ["p1"]],
  ["minRating=4.5", ["p1"]],
  ["minPrice=90", ["p2", "p1"]],
  ["minPrice=90.01", ["p2"]],
  ["maxPrice=40.5", ["p1"]],
  ["maxPrice=40", []],
  ["minPrice=50&maxPrice=60", ["p1"]],
  ["minPrice=91&maxPrice=499.99", []],
  ["minPrice=&maxPrice=&minRating=&category=", ["p2", "p3", "p1"]],
  ["category=Design&minRating=3&minPrice=91", ["p2"]],
  ["search=logo&language=de&category=Writing&minRating=4.5&minPrice=10&maxPrice=100", ["p1"]],
  ["search=logo&category=Design&minPrice=91", []],
])(
  "When people are searched with %s, then those are listed who match all of it, also page by page",
  async (query, found) => {
    expect(await ids(query)).toEqual(found);
    expect(await ids(`limit=1&${query}`)).toEqual(found);
  },
);

test("When a cursor is used with other filters than its own, then it is refused", async () => {
  const next = nextPage(await harness.ok().get("/profiles?category=Design&limit=1")) ?? "";
  await harness.read(next);
  const other = next.replace("category=Design", "category=Design&minRating=3");
  expectProblem(await harness.as().get(other), "invalid-cursor");
});

test("When somebody completes jobs and is reviewed, then their entry has their number, categories, prices and rating, and no address", async () => {
  await harness.ok(ada).put("/me/profile", aProfileDraft());
  const hire = async (category: Category, amount: number) => {
    const id = await harness.postTask(client, { category });
    await bid(id, ada, { amount });
    await award(id, client, ada);
    return id;
  };
  const jobs = [await hire("Writing", 90), await hire("Design", 40.5), await hire("Writing", 60)];
  await hire("Marketing", 700);
  await Promise.all(jobs.map((id) => move(id, client, "completed")));
  const entry = async (query: string) => (await list(query)).find((one) => one.id === ada.uid);
  expect((await entry(""))?.jobsCompleted).toBe(3);
  const path = `/tasks/${jobs[0]}/reviews`;
  const review = { stars: 4, text: "Clear." };
  for (const by of [client, ada]) await harness.ok(by).post(path, review);
  const { headline, skills, languages } = aProfileDraft();
  expect(await entry("minRating=4&category=Writing&maxPrice=41")).toEqual({
    ...{ id: ada.uid, name: ada.name, headline, skills, languages },
    rating: { average: 4, count: 1 },
    jobsCompleted: 3,
    categories: expect.toSatisfy((found: Category[]) => String(found.toSorted()) === "Design,Writing"),
    prices: { from: 40.5, to: 90 },
    lastActiveOn: inDays(0),
  });
  const edit = { ...review, stars: 2 };
  await harness.ok(client).put(path, edit);
  expect(await entry("minRating=3")).toBeUndefined();
  expect((await entry(""))?.rating).toEqual({ average: 2, count: 1 });
});

test("When somebody opts out of the directory, then they are listed no more, until they opt in again", async () => {
  await harness.ok(ada).put("/me/profile", aProfileDraft());
  expect(await ids()).toContain(ada.uid);
  const { body } = await harness.ok(ada).patch("/me", { inDirectory: false });
  expect(body).toMatchObject({ inDirectory: false, emailNotices: false });
  expect(await ids()).not.toContain(ada.uid);
  await harness.ok(ada).patch("/me", { inDirectory: true });
  expect(await ids()).toContain(ada.uid);
});

test("When somebody changes their profile or is renamed, then searches find what it says now, until the account is deleted", async () => {
  const found = (text: string) => ids(`search=${encodeURIComponent(text)}`);
  const leaver = await signUp({ name: "Zoë Xanthippe" });
  const save = (skills: string[]) =>
    harness.ok(leaver).put("/me/profile", aProfileDraft({ headline: "🦊 Foxglove", skills }));
  await save(["Quilting"]);
  for (const text of ["xanthippe", "ZOË X", "🦊", "quilt"]) expect(await found(text)).toEqual([leaver.uid]);
  await save(["Heraldry"]);
  expect(await found("quilt")).toEqual([]);
  const renamed = await rename(leaver, { name: "Yolanda" });
  await harness.read("/me", renamed);
  for (const text of ["yolanda", "heraldry"]) expect(await found(text)).toEqual([leaver.uid]);
  expect(await found("xanthippe")).toEqual([]);
  await harness.ok(renamed).delete("/me");
  expect(await found("yolanda")).toEqual([]);
});

test.each([
  ["a NUL", "search=%00"],
  ["more characters than a headline has", `search=${"x".repeat(121)}`],
  ["two texts", "search=a&search=b"],
  ["a category that is none", "category=Cooking"],
  ["a rating that is no choice", "minRating=5"],
  ["a price that is no amount", "minPrice=cheap"],
  ["a price above all budgets", "maxPrice=1000001"],
  ["a lowest price above the highest", "minPrice=90&maxPrice=40"],
])("When people are searched for %s, then it is refused", async (_, query) => {
  expectProblem(await harness.as().get(`/profiles?${query}`), "invalid");
});

describe("among many people", () => {
  beforeAll(async () => {
    const many = Array.from({ length: 300 }, (_, at) =>
      aPersonDoc({
        ...{ _id: `many-${at}`, name: at === 7 ? "Hedda Logo" : "Otto Hedge", lastActiveOn: "2025-01-01" },
        profile: { ...profile, headline: "Foxes", skills: ["Lace"], languages: [at === 8 ? "cy" : "de"] },
        rating: { average: at % 50 === 1 ? 4.75 : 3.5, count: 4 },
        jobs: {
          ...{ count: 2, categories: [at === 9 ? "Writing" : "Design"] },
          ...{ from: 50, to: at % 50 === 1 ? 900 : 70 },
        },
      }),
    );
    await harness.database.people.insertMany(many);
  });
  afterAll(() => harness.database.people.deleteMany({ lastActiveOn: "2025-01-01" }));

  type Filters = Parameters<typeof directoryPlan>[0];
  type After = Parameters<typeof directoryPlan>[2];
  test.each<[string, Filters, After?]>([
    ["everybody", {}],
    ["a frequent skill", { search: "lace" }],
    ["a rare name", { search: "hedda" }],
    ["a name that nobody has", { search: "hedda hedge" }],
    ["a rare language", { language: "cy" }],
    ["a rare name in a frequent language", { search: "hedda", language: "de" }],
    ["the second page of a skill", { search: "lace" }, ["2025-01-01", "many-1"]],
    ["a category", { category: "Writing" }],
    ["a rare rating", { minRating: "4.5" }],
    ["a rare price in a frequent category", { category: "Design", minPrice: "900" }],
    ["a price that nobody has", { minPrice: "1000", maxPrice: "2000" }],
    ["a rare rating in a frequent language", { language: "de", minRating: "4.5" }],
    ["the second page of a rating", { minRating: "3" }, ["2025-01-01", "many-100"]],
  ])(
    "When %s is listed, then no more people are read than are shown, in the index's order",
    async (_, filters, after) => {
      const plan = directoryPlan(filters, 21, after);
      const explained = await harness.database.people.aggregate(plan).explain("executionStats");
      const { executionStats, queryPlanner } = explained["stages"]?.[0].$cursor ?? explained;
      expect(executionStats.totalDocsExamined).toBeLessThan(80);
      expect(JSON.stringify(queryPlanner.winningPlan)).not.toMatch(/COLLSCAN|"SORT"/);
    },
  );
});
