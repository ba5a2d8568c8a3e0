import { expect, it } from "vitest";
import { readBrowseState, writeBrowseState } from "./task-filters.ts";

const read = (query: string) => readBrowseState(new URLSearchParams(query));

it("When the address holds nonsense, then it counts as no filter", () => {
  expect(read("category=Cooking&sort=sideways&state=secret&shown=-3")).toEqual({
    search: "",
    category: "",
    sort: "",
    state: "",
    shown: 24,
  });
  expect(read("shown=999999999").shown).toBe(4800);
});

it("When a state is written and read again, then nothing is lost", () => {
  const state = { search: "a&b", category: "Design", sort: "asc", state: "all", shown: 48 };
  expect(readBrowseState(writeBrowseState(state))).toEqual(state);
});

it("When everything is at its default, then the address is clean", () => {
  expect(writeBrowseState({ search: "", category: "", sort: "", state: "", shown: 24 }).toString()).toBe("");
});
