import { expect, it } from "vitest";
import {
  budgetErrors,
  CHOICES,
  countChoices,
  NO_FILTERS,
  readBrowseState,
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
