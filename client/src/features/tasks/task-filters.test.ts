import { expect, it } from "vitest";
import { optionsOf } from "../../lib/filters.ts";
import { browseFilters, feedUrl, isFiltered, savedFilters, toTaskQuery } from "./task-filters.ts";

const { none: NO_FILTERS, countActive } = browseFilters;
const read = (query: string) => browseFilters.read(new URLSearchParams(query));

it.each([
  ["category=Cooking&sort=sideways&state=secret&shown=-3", { ...NO_FILTERS, shown: 24 }],
  [
    "minBudget=500&maxBudget=100&sort=oldest",
    { minBudget: "500", maxBudget: "100", sort: "oldest", error: "The lowest budget is above the highest." },
  ],
  ["minBudget=cheap", { minBudget: "cheap", error: expect.stringContaining("in US dollars") }],
  ["minBudget=$1,200%20", { minBudget: "1200" }],
  [`minBudget=${"x".repeat(200)}`, { minBudget: "x".repeat(20) }],
  ["shown=999999999", { shown: 1200 }],
  // The API rejects these characters, and titles are no longer than 120.
  [`search=${encodeURIComponent(" a\u0000b\n c\u202E ")}`, { search: "ab c" }],
  [`search=${"x".repeat(200)}`, { search: "x".repeat(120) }],
])(
  "When the URL's query is %s, then an invalid option counts as no filter, and texts are cleaned",
  (query, state) => {
    expect(read(query)).toMatchObject(state);
  },
);

it("When an option is chosen, then it is kept in the URL, sent to the API, and counted unless it is the default", () => {
  for (const { name, choice } of browseFilters.choices)
    for (const [value, text] of choice.options) {
      const filters = { ...NO_FILTERS, [name]: value };
      expect(text).not.toBe("");
      expect(browseFilters.read(browseFilters.write(filters))).toMatchObject(filters);
      expect(countActive(filters)).toBe(value === "" ? 0 : 1);
      if (value) expect(toTaskQuery(filters)).not.toEqual(toTaskQuery(NO_FILTERS));
    }
});

it("When a state is written to the URL and read back, then nothing is lost; defaults are left out", () => {
  const choices = Object.fromEntries(
    browseFilters.choices.map(({ name, choice }) => [name, choice.options.at(-1)?.[0]]),
  );
  const state = { ...NO_FILTERS, ...choices, search: "a&b", minBudget: "99.50", maxBudget: "1000000" };
  expect(Object.values(state)).not.toContain("");
  expect(browseFilters.read(browseFilters.write(state, 48))).toEqual({ ...state, shown: 48 });
  expect(browseFilters.write(NO_FILTERS, 24).toString()).toBe("");
});

it.each([
  ["$1,200", " 2 500 ", {}],
  ["", "0.5", {}],
  ["500", "100", { minBudget: "The lowest budget is above the highest." }],
  ["-5", "", { minBudget: expect.stringContaining("in US dollars") }],
  ["", "much", { maxBudget: expect.stringContaining("in US dollars") }],
  ["", "1000001", { maxBudget: "The highest budget can be at most $1,000,000." }],
])("When budgets from %j to %j are typed, then errors are reported by field", (lowest, highest, errors) => {
  expect(browseFilters.errors({ ...NO_FILTERS, minBudget: lowest, maxBudget: highest })).toEqual(errors);
});

it("When the filters are shown, then the default option of each comes first", () => {
  for (const { choice } of browseFilters.choices) expect(choice.options[0]?.[0]).toBe("");
  const defaults = browseFilters.choices.map(({ name, choice }) => [name, choice.options[0]?.[1]]);
  expect(Object.fromEntries(defaults)).toMatchObject({ state: "Open tasks", sort: "Newest posted" });
});

it("When a text is searched for, then the best matches come first, unless the newest are chosen", () => {
  const sort = browseFilters.choices.find(({ name }) => name === "sort")?.choice;
  if (!sort) throw new Error("no sort");
  const labels = (search: string) => optionsOf(sort, search).map(([value, text]) => `${value}: ${text}`);
  expect(labels("logo")).toEqual([": Best match", "newest: Newest posted", ...labels("").slice(1)]);
  const sortOf = (query: string) => read(query).sort;
  expect(["search=logo&sort=newest", "sort=newest", "search=logo&sort=asc"].map(sortOf)).toEqual([
    "newest",
    "",
    "asc",
  ]);
});

it("When nothing is chosen, then the API, its feed and a saved search have open tasks; all tasks only if that is chosen", () => {
  const chosen = { ...NO_FILTERS, search: "a&b", minBudget: "5", sort: "oldest" };
  expect(toTaskQuery(NO_FILTERS)).toEqual({ ...NO_FILTERS, state: "open" });
  expect(toTaskQuery({ ...NO_FILTERS, state: "all" })).toEqual(NO_FILTERS);
  expect(feedUrl({ ...NO_FILTERS, category: "Design", sort: "asc" })).toBe(
    "/tasks.atom?category=Design&state=open",
  );
  expect(feedUrl({ ...chosen, state: "all" })).toBe("/tasks.atom?search=a%26b&minBudget=5");
  // Without the sort order, and what every new task meets.
  expect(savedFilters({ ...chosen, posted: "7", maxBids: "0" })).toEqual({
    search: "a&b",
    minBudget: "5",
    state: "open",
  });
  expect(savedFilters({ ...chosen, state: "all" })).toEqual({ search: "a&b", minBudget: "5" });
});

it.each([
  [{}, false, 0],
  [{ search: "x" }, true, 0],
  [{ category: "Design" }, true, 1],
  [{ minBudget: "1" }, true, 1],
  [{ maxBudget: "9" }, true, 1],
  [{ minBudget: "1", maxBudget: "9" }, true, 1],
  [{ state: "all", sort: "asc" }, false, 2],
  [{ search: "x", maxBudget: "9", category: "Design" }, true, 2],
])(
  "When the filters are %j, then whether they narrow the list is %s, and %d are counted",
  (filters, narrows, count) => {
    const all = { ...NO_FILTERS, ...filters };
    expect([isFiltered(all), countActive(all)]).toEqual([narrows, count]);
  },
);
