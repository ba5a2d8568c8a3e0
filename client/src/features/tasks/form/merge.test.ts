import { describe, expect, it } from "vitest";
import { aTask } from "../../../testing/builders.ts";
import { mergeTask } from "./merge.ts";
import { taskValues } from "./task-form-values.ts";

const before = aTask({ title: "A fox", budget: 100, deadline: "2099-01-01" });
const base = taskValues(before);

describe("bringing two versions together", () => {
  it("When only they changed a field, then it is as they saved it, and shown", () => {
    const { values, differences } = mergeTask(base, base, { ...before, budget: 200 });
    expect(values).toEqual({ ...base, budget: "200" });
    expect(differences).toEqual([{ field: "budget", mine: "100", theirs: "200", fixed: false }]);
  });

  it("When only I changed a field, then it stays, and there is nothing to choose", () => {
    const typed = { ...base, title: "A hare" };
    expect(mergeTask(base, typed, before)).toEqual({ values: typed, differences: [] });
  });

  it("When both changed a field to the same, then there is nothing to choose", () => {
    const typed = { ...base, title: "A hare" };
    expect(mergeTask(base, typed, { ...before, title: "A hare" }).differences).toEqual([]);
  });

  it("When both changed a field, then what was typed stands in the form and the person chooses", () => {
    const typed = { ...base, title: "A hare", showEmail: "" };
    const { values, differences } = mergeTask(base, typed, { ...before, title: "A wolf" });
    expect(values).toEqual(typed);
    expect(differences).toEqual([{ field: "title", mine: "A hare", theirs: "A wolf", fixed: false }]);
  });

  it("When the task was awarded, then its terms are as agreed, whatever was typed; the deadline is still mine", () => {
    const typed = { ...base, title: "A hare", deadline: "2099-02-02" };
    const { values, differences } = mergeTask(base, typed, { ...before, state: "awarded" });
    expect(values).toEqual({ ...base, deadline: "2099-02-02" });
    expect(differences).toEqual([{ field: "title", mine: "A hare", theirs: "A fox", fixed: true }]);
  });
});
