import { describe, expect, it } from "vitest";
import { aTask } from "../../../testing/builders.ts";
import { mergeTask } from "./merge.ts";
import { taskValues } from "./task-form-values.ts";

const before = aTask({ title: "A fox", budget: 100, deadline: "2099-01-01" });
const base = taskValues(before);

describe("merging two versions", () => {
  it("When only the other side changed a field, then their value is taken, and reported as a difference", () => {
    const { values, differences } = mergeTask(base, base, { ...before, budget: 200 });
    expect(values).toEqual({ ...base, budget: "200" });
    expect(differences).toEqual([{ field: "budget", mine: "100", theirs: "200", fixed: false }]);
  });

  it("When only this side changed a field, then it stays, and there is nothing to choose", () => {
    const typed = { ...base, title: "A hare" };
    expect(mergeTask(base, typed, before)).toEqual({ values: typed, differences: [] });
  });

  it("When both changed a field to the same value, then there is nothing to choose", () => {
    const typed = { ...base, title: "A hare" };
    expect(mergeTask(base, typed, { ...before, title: "A hare" }).differences).toEqual([]);
  });

  it("When both changed a field, then the form keeps what was typed and the person chooses", () => {
    const typed = { ...base, title: "A hare", showEmail: "" };
    const { values, differences } = mergeTask(base, typed, { ...before, title: "A wolf" });
    expect(values).toEqual(typed);
    expect(differences).toEqual([{ field: "title", mine: "A hare", theirs: "A wolf", fixed: false }]);
  });

  it("When the task was awarded, then its terms take the saved values, and the deadline stays as typed", () => {
    const typed = { ...base, title: "A hare", deadline: "2099-02-02" };
    const { values, differences } = mergeTask(base, typed, { ...before, state: "awarded" });
    expect(values).toEqual({ ...base, deadline: "2099-02-02" });
    expect(differences).toEqual([{ field: "title", mine: "A hare", theirs: "A fox", fixed: true }]);
  });
});
