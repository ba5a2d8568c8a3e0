import { expect, it } from "vitest";
import {
  budgetErrors,
  CHOICES,
  countChoices,
  feedAddress,
  isFiltered,
  NO_FILTERS,
  readBrowseState,
  savedFilters,
  toTaskQuery,
  typedAmount,
  writeBrowseState,
} from "./task-filters.ts";

const read = (query: string) => readBrowseState(new URLSearchParams(query));

it("When the address holds nonsense, then it counts as no filter", () => {
  const nonsense = "category=Cooking&sort=sideways&state=secret&shown=-3&minBudget=cheap&maxBudget=-5";
  expect(read(nonsense)).toEqual({ ...NO_FILTERS, shown: 24 });
  expect(read("minBudget=500&maxBudget=100&sort=oldest")).toMatchObject({ minBudget: "", sort: "oldest" });
  expect(read("shown=999999999").shown).toBe(1200);
});

it("When a filter is chosen, then the address keeps it, the API is asked for it, and clearing takes it back", () => {
  const other = "no value";
  expect(read(CHOICES.map(({ name }) => `${name}=${other}`).join("&"))).toMatchObject(NO_FILTERS);
  for (const { name, options } of CHOICES) {
    for (const [value] of options) {
      const filters = { ...NO_FILTERS, [name]: value };
      expect(readBrowseState(writeBrowseState(filters))).toMatchObject(filters);
      expect(countChoices(filters)).toBe(value === "" ? 0 : 1);
      if (value) expect(toTaskQuery(filters)).not.toEqual(toTaskQuery(NO_FILTERS));
    }
  }
});

it("When a state is written and read again, then nothing is lost", () => {
  const choices = { category: "Design", sort: "budget-asc", state: "all" };
  const state = { ...choices, search: "a&b", minBudget: "99.50", maxBudget: "1000000", shown: 48 };
  expect(Object.keys(state)).toEqual(expect.arrayContaining(Object.keys(NO_FILTERS)));
  expect(readBrowseState(writeBrowseState(state))).toEqual(state);
  expect(toTaskQuery(state)).toMatchObject({ minBudget: "99.50", maxBudget: "1000000" });
  expect(countChoices(state)).toBe(4);
});

it.each([
  ["$1,200", " 2 500 ", {}],
  ["", "0.5", {}],
  ["500", "100", { minBudget: "The lowest budget is above the highest." }],
  ["-5", "", { minBudget: expect.stringContaining("in US dollars") }],
  ["", "much", { maxBudget: expect.stringContaining("in US dollars") }],
  ["", "1000001", { maxBudget: "The highest budget can be at most $1,000,000." }],
])("When budgets from %j to %j are typed, then what is wrong is said by field", (lowest, highest, errors) => {
  expect(budgetErrors({ minBudget: typedAmount(lowest), maxBudget: typedAmount(highest) })).toEqual(errors);
});

it("When everything is at its default, then the address is clean", () => {
  expect(writeBrowseState({ ...NO_FILTERS, shown: 24 }).toString()).toBe("");
});

it("When a choice is shown, then it has a name, and its first option is the default", () => {
  expect(CHOICES.map(({ name, label, options }) => [name, label, ...(options[0] ?? [])])).toEqual([
    ["category", "Category", "", "All categories"],
    ["state", "Show", "", "Open tasks"],
    ["sort", "Sort by date or budget", "", "Newest posted"],
  ]);
  const sorts = CHOICES.find(({ name }) => name === "sort")?.options ?? [];
  expect(Object.fromEntries(sorts)).toEqual({
    "": "Newest posted",
    oldest: "Oldest posted",
    asc: "Deadline: soonest",
    desc: "Deadline: latest",
    "budget-desc": "Budget: highest",
    "budget-asc": "Budget: lowest",
  });
  for (const { options } of CHOICES) for (const [, text] of options) expect(text).not.toBe("");
});

it("When the address holds a search, then it is kept without what the API would refuse, and not longer than a title; a budget is not mended", () => {
  expect(read(`search=${encodeURIComponent(" a\u0000b\n c\u202E ")}`).search).toBe("ab c");
  expect(read("minBudget=%205").minBudget).toBe("");
  expect(read(`search=${"x".repeat(200)}`).search).toHaveLength(120);
});

it("When nothing is chosen, then the API is asked for open tasks; all of them only when that is chosen", () => {
  expect(toTaskQuery(NO_FILTERS)).toEqual({ ...NO_FILTERS, state: "open" });
  expect(toTaskQuery({ ...NO_FILTERS, state: "all" })).toEqual(NO_FILTERS);
});

it("When a search is saved, then with what narrows it and its state, without an order", () => {
  const chosen = { ...NO_FILTERS, search: "logo", minBudget: "5", sort: "oldest" };
  expect(savedFilters(chosen)).toEqual({ search: "logo", minBudget: "5", state: "open" });
  expect(savedFilters({ ...chosen, state: "all" })).toEqual({ search: "logo", minBudget: "5" });
});

it("When tasks are subscribed to, then the feed is asked for the same ones in the same order", () => {
  expect(feedAddress({ ...NO_FILTERS, category: "Design", sort: "asc" })).toBe(
    "/tasks.atom?category=Design&state=open&sort=asc",
  );
  expect(feedAddress({ ...NO_FILTERS, state: "all", search: "a&b" })).toBe("/tasks.atom?search=a%26b");
});

it("When words, a category or a budget are chosen, then the list is filtered; sorting and past tasks do not filter it", () => {
  const isNarrowed = (filters: object) => isFiltered({ ...NO_FILTERS, ...filters });
  for (const name of ["search", "category", "minBudget", "maxBudget"])
    expect(isNarrowed({ [name]: "x" })).toBe(true);
  expect([isNarrowed({}), isNarrowed({ state: "all", sort: "asc" })]).toEqual([false, false]);
});

it("When filters are counted, then a range of budgets is one, one end of it too, and the search is none", () => {
  const count = (filters: object) => countChoices({ ...NO_FILTERS, ...filters });
  expect(count({ search: "logo" })).toBe(0);
  expect([
    count({ minBudget: "1" }),
    count({ maxBudget: "9" }),
    count({ minBudget: "1", maxBudget: "9" }),
  ]).toEqual([1, 1, 1]);
  expect(count({ search: "logo", maxBudget: "9", category: "Design" })).toBe(2);
});
