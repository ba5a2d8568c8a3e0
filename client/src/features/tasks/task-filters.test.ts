import { expect, it } from "vitest";
import {
  budgetErrors,
  countActiveFilters,
  FILTER_CHOICES,
  feedUrl,
  isFiltered,
  NO_FILTERS,
  readBrowseState,
  savedFilters,
  toTaskQuery,
  writeBrowseState,
} from "./task-filters.ts";

const read = (query: string) => readBrowseState(new URLSearchParams(query));

it("When the URL holds invalid options, then they count as no filter; an invalid budget range is kept, with its error", () => {
  const nonsense = "category=Cooking&sort=sideways&state=secret&shown=-3";
  expect(read(nonsense)).toEqual({ ...NO_FILTERS, shown: 24 });
  expect(read("minBudget=500&maxBudget=100&sort=oldest")).toMatchObject({
    ...{ minBudget: "500", maxBudget: "100", sort: "oldest" },
    error: "The lowest budget is above the highest.",
  });
  expect(read("minBudget=cheap")).toMatchObject({
    minBudget: "cheap",
    error: expect.stringContaining("in US dollars"),
  });
  expect(read("shown=999999999").shown).toBe(1200);
});

it("When an option is chosen, then it is kept in the URL, sent to the API, and counted unless it is the default", () => {
  const unknown = "no value";
  expect(read(FILTER_CHOICES.map(({ name }) => `${name}=${unknown}`).join("&"))).toMatchObject(NO_FILTERS);
  for (const { name, options } of FILTER_CHOICES) {
    for (const [value] of options) {
      const filters = { ...NO_FILTERS, [name]: value };
      expect(readBrowseState(writeBrowseState(filters))).toMatchObject(filters);
      expect(countActiveFilters(filters)).toBe(value === "" ? 0 : 1);
      if (value) expect(toTaskQuery(filters)).not.toEqual(toTaskQuery(NO_FILTERS));
    }
  }
});

it("When a state is written to the URL and read back, then nothing is lost", () => {
  const choices = { category: "Design", sort: "budget-asc", state: "all" };
  const state = { ...choices, search: "a&b", minBudget: "99.50", maxBudget: "1000000", shown: 48 };
  expect(Object.keys(state)).toEqual(expect.arrayContaining(Object.keys(NO_FILTERS)));
  expect(readBrowseState(writeBrowseState(state))).toEqual(state);
  expect(toTaskQuery(state)).toMatchObject({ minBudget: "99.50", maxBudget: "1000000" });
  expect(countActiveFilters(state)).toBe(4);
});

it.each([
  ["$1,200", " 2 500 ", {}],
  ["", "0.5", {}],
  ["500", "100", { minBudget: "The lowest budget is above the highest." }],
  ["-5", "", { minBudget: expect.stringContaining("in US dollars") }],
  ["", "much", { maxBudget: expect.stringContaining("in US dollars") }],
  ["", "1000001", { maxBudget: "The highest budget can be at most $1,000,000." }],
])("When budgets from %j to %j are typed, then errors are reported by field", (lowest, highest, errors) => {
  expect(budgetErrors({ minBudget: lowest, maxBudget: highest })).toEqual(errors);
});

it("When every filter has its default, then the URL query is empty", () => {
  expect(writeBrowseState({ ...NO_FILTERS, shown: 24 }).toString()).toBe("");
});

it("When the filters are shown, then each has a label and its default option comes first", () => {
  expect(FILTER_CHOICES.map(({ name, label, options }) => [name, label, ...(options[0] ?? [])])).toEqual([
    ["category", "Category", "", "All categories"],
    ["state", "Show", "", "Open tasks"],
    ["sort", "Sort by date or budget", "", "Newest posted"],
  ]);
  const sorts = FILTER_CHOICES.find(({ name }) => name === "sort")?.options ?? [];
  expect(Object.fromEntries(sorts)).toEqual({
    "": "Newest posted",
    oldest: "Oldest posted",
    asc: "Deadline: soonest",
    desc: "Deadline: latest",
    "budget-desc": "Budget: highest",
    "budget-asc": "Budget: lowest",
  });
  for (const { options } of FILTER_CHOICES) for (const [, text] of options) expect(text).not.toBe("");
});

it("When the URL holds a search, then characters the API rejects are removed and it is cut to a title's length; so is an amount", () => {
  expect(read(`search=${encodeURIComponent(" a\u0000b\n c\u202E ")}`).search).toBe("ab c");
  expect(read("minBudget=$1,200%20").minBudget).toBe("1200");
  expect(read(`minBudget=${"x".repeat(200)}`).minBudget).toHaveLength(20);
  expect(read(`search=${"x".repeat(200)}`).search).toHaveLength(120);
});

it("When nothing is chosen, then the API is asked for open tasks; it is asked for all tasks only if that is chosen", () => {
  expect(toTaskQuery(NO_FILTERS)).toEqual({ ...NO_FILTERS, state: "open" });
  expect(toTaskQuery({ ...NO_FILTERS, state: "all" })).toEqual(NO_FILTERS);
});

it("When a search is saved, then its filters and state are stored without the sort order", () => {
  const chosen = { ...NO_FILTERS, search: "logo", minBudget: "5", sort: "oldest" };
  expect(savedFilters(chosen)).toEqual({ search: "logo", minBudget: "5", state: "open" });
  expect(savedFilters({ ...chosen, state: "all" })).toEqual({ search: "logo", minBudget: "5" });
});

it("When the list's feed is subscribed to, then it holds the same tasks in the same order", () => {
  expect(feedUrl({ ...NO_FILTERS, category: "Design", sort: "asc" })).toBe(
    "/tasks.atom?category=Design&state=open&sort=asc",
  );
  expect(feedUrl({ ...NO_FILTERS, state: "all", search: "a&b" })).toBe("/tasks.atom?search=a%26b");
});

it("When a search text, category or budget is set, then the list is filtered; sorting and closed tasks do not filter it", () => {
  const isNarrowed = (filters: object) => isFiltered({ ...NO_FILTERS, ...filters });
  for (const name of ["search", "category", "minBudget", "maxBudget"])
    expect(isNarrowed({ [name]: "x" })).toBe(true);
  expect([isNarrowed({}), isNarrowed({ state: "all", sort: "asc" })]).toEqual([false, false]);
});

it("When filters are counted, then a budget range counts as one even with one end, and the search text does not count", () => {
  const count = (filters: object) => countActiveFilters({ ...NO_FILTERS, ...filters });
  expect(count({ search: "logo" })).toBe(0);
  expect([
    count({ minBudget: "1" }),
    count({ maxBudget: "9" }),
    count({ minBudget: "1", maxBudget: "9" }),
  ]).toEqual([1, 1, 1]);
  expect(count({ search: "logo", maxBudget: "9", category: "Design" })).toBe(2);
});
