import { expect, it } from "vitest";
import {
  CHOICES,
  hasChoice,
  NO_FILTERS,
  readBrowseState,
  toTaskQuery,
  writeBrowseState,
} from "./task-filters.ts";

const read = (query: string) => readBrowseState(new URLSearchParams(query));

it("When the address holds nonsense, then it counts as no filter", () => {
  expect(read("category=Cooking&sort=sideways&state=secret&shown=-3")).toEqual({
    search: "",
    category: "",
    sort: "",
    state: "",
    shown: 24,
  });
  expect(read("shown=999999999").shown).toBe(1200);
});

it("When a filter is chosen, then the address keeps it, the API is asked for it, and clearing takes it back", () => {
  const other = "no value";
  expect(read(CHOICES.map(({ name }) => `${name}=${other}`).join("&"))).toMatchObject(NO_FILTERS);
  for (const { name, options } of CHOICES) {
    for (const [value] of options) {
      const filters = { ...NO_FILTERS, [name]: value };
      expect(readBrowseState(writeBrowseState(filters))).toMatchObject(filters);
      expect(hasChoice(filters)).toBe(value !== "");
      if (value) expect(toTaskQuery(filters)).not.toEqual(toTaskQuery(NO_FILTERS));
    }
  }
});

it("When a state is written and read again, then nothing is lost", () => {
  const state = { search: "a&b", category: "Design", sort: "asc", state: "all", shown: 48 };
  expect(readBrowseState(writeBrowseState(state))).toEqual(state);
});

it("When everything is at its default, then the address is clean", () => {
  expect(writeBrowseState({ search: "", category: "", sort: "", state: "", shown: 24 }).toString()).toBe("");
});
