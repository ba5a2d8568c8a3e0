import { describe, expect, test } from "vitest";
import { exampleTask } from "../../tools/lib/example-task.ts";
import {
  concernsFreelancers,
  draftSchemaOn,
  isTerm,
  pastDeadlineText,
  stateChangeSchema,
  TASK_FIELD_NAMES,
  taskDraftSchema,
  taskFeedQuerySchema,
  taskQuerySchema,
  termsInWords,
} from "./index.ts";

const DRAFT = exampleTask({ deadline: "2026-11-21" });
const NO_LOWEST = "Enter the lowest budget in US dollars, like 250 or 99.50.";
const NO_CATEGORY = "Choose a category: Web Development, Design, Writing, Marketing.";
const NO_DEADLINE = "Enter the deadline as a date, like 2027-03-31.";

type Schema = {
  safeParse(value: unknown): { error?: { issues: { path: PropertyKey[]; message: string }[] } };
};
/** The error message of each invalid field; there must be only one per field. */
function errorsByField(schema: Schema, value: unknown): Record<string, string> {
  const issues = schema.safeParse(value).error?.issues ?? [];
  const errors = Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message]));
  expect(issues).toHaveLength(Object.keys(errors).length);
  return errors;
}

describe("posting a task", () => {
  test("When all fields are valid, then they are kept, and fields the poster cannot set are dropped", () => {
    expect(taskDraftSchema.parse({ ...DRAFT, email: "x@people.example", state: "awarded" })).toEqual(DRAFT);
    const chosen = { ...DRAFT, deliverBy: DRAFT.deadline, screeningQuestion: "When?", showEmail: false };
    expect(taskDraftSchema.parse(chosen)).toEqual(chosen);
  });

  test.each<[string, unknown, string]>([
    ["title", undefined, "Title is required."],
    ["title", "x".repeat(121), "Title can have at most 120 characters."],
    ["category", "Cooking", NO_CATEGORY],
    ["description", "", "Description is required."],
    ["description", "x".repeat(5_001), "Description can have at most 5,000 characters."],
    ["deadline", undefined, "Deadline is required."],
    ["deadline", "", NO_DEADLINE],
    ["deadline", "21.11.2026", NO_DEADLINE],
    ["deadline", "2100-01-01", "Choose a deadline before 2100."],
    ["deliverBy", "soon", "Enter the delivery date as a date, like 2027-03-31."],
    ["deliverBy", "2026-01-01", "Choose the deadline or a later day: until then people bid."],
    ["budget", 0, "Budget must be more than $0."],
    ["screeningQuestion", "x".repeat(201), "Screening question can have at most 200 characters."],
    ["screeningQuestion", 7, "Screening question must be text."],
    ["showEmail", "yes", "Say true or false."],
  ])("When its %s is %j, then only that field has an error", (field, value, message) => {
    expect(errorsByField(taskDraftSchema, { ...DRAFT, [field]: value })).toEqual({ [field]: message });
  });

  test("When its deadline is today or later, then it is valid; when it has passed, then the error says what is possible", () => {
    const schema = draftSchemaOn("2026-11-21");
    expect(errorsByField(schema, DRAFT)).toEqual({});
    expect(errorsByField(schema, { ...DRAFT, deadline: "2026-11-20", title: "" })).toEqual({
      title: "Title is required.",
      deadline: "This deadline has passed: choose today (Nov 21, 2026 UTC) or a later day.",
    });
    expect(pastDeadlineText("2026-11-21")).toContain("(Nov 21, 2026 UTC)");
    // On the next day that deadline has passed.
    expect(errorsByField(draftSchemaOn("2026-11-22"), DRAFT)).toHaveProperty("deadline");
    expect(draftSchemaOn("2026-11-22")).toBe(draftSchemaOn("2026-11-22"));
  });

  test.each([
    ["is the one that the task has", "2026-11-20", "2026-11-20", true],
    ["is another one", "2026-11-19", "2026-11-20", false],
    ["is empty, even if the task had none", "", "", false],
  ])("When its passed deadline %s, then %s with %s kept is valid: %s", (_, deadline, kept, isValid) => {
    const errors = errorsByField(draftSchemaOn("2026-11-21", kept), { ...DRAFT, deadline });
    expect(Object.keys(errors)).toEqual(isValid ? [] : ["deadline"]);
  });

  test("When the terms are listed, then they are all fields but the dates and settings, which concern no freelancer", () => {
    const settings = ["unlisted", "showEmail"];
    expect(TASK_FIELD_NAMES.filter((field) => !isTerm(field))).toEqual([
      "deadline",
      "deliverBy",
      ...settings,
    ]);
    expect(TASK_FIELD_NAMES.filter((field) => !concernsFreelancers(field))).toEqual(settings);
    expect(termsInWords()).toMatch(
      /^title, category, description, budget( and |, .+ and )screening question/,
    );
  });
});

describe("the query of a list of tasks", () => {
  test("When all parameters are given, then they are kept; empty ones count as absent", () => {
    const query = {
      search: "logo",
      category: "Design",
      minBudget: "99.50",
      maxBudget: "1000000",
      state: "open",
      email: "clara@people.example",
      sort: "budget-asc",
      limit: "24",
      cursor: "abc",
    };
    expect(taskQuerySchema.parse(query)).toEqual(query);
    const empty = Object.fromEntries(Object.keys(query).map((name) => [name, ""]));
    expect(Object.values(taskQuerySchema.parse(empty)).filter((value) => value !== undefined)).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ["search", "x".repeat(121), "Search for at most 120 characters."],
    ["search", "a\nb", "Remove the control characters from the search text."],
    ["search", ["a", "b"], "Give one search text."],
    ["category", "Cooking", NO_CATEGORY],
    ["minBudget", "much", NO_LOWEST],
    ["minBudget", "-5", NO_LOWEST],
    ["minBudget", "1.234", NO_LOWEST],
    ["minBudget", "5 ", NO_LOWEST],
    ["maxBudget", ".5", "Enter the highest budget in US dollars, like 250 or 99.50."],
    ["maxBudget", "1000000.01", "The highest budget can be at most $1,000,000."],
    ["maxBudget", ["1", "2"], "Give one highest budget."],
    ["state", "awarded", "The state can be open, or left out."],
    ["email", "x".repeat(321), "This email address is too long."],
    ["email", ["a", "b"], "Give one email address."],
    ["sort", "sideways", "Sort by one of asc, desc, newest, oldest, budget-asc, budget-desc."],
  ])("When %s is %j, then it has an error", (name, value, message) => {
    expect(errorsByField(taskQuerySchema, { [name]: value })).toEqual({ [name]: message });
  });

  test.each([
    [{ minBudget: "500", maxBudget: "100" }, false],
    [{ minBudget: "100", maxBudget: "100" }, true],
    [{ minBudget: "99", maxBudget: "100" }, true],
    [{ minBudget: "500" }, true],
    [{ maxBudget: "1" }, true],
    [{}, true],
  ])("When budgets are %j, then whether they form a range is %s", (range, isRange) => {
    const message = "The lowest budget is above the highest.";
    for (const schema of [taskQuerySchema, taskFeedQuerySchema])
      expect(errorsByField(schema, range)).toEqual(isRange ? {} : { minBudget: message });
  });

  test("When a feed is requested, then the email filter is ignored", () => {
    const query = { email: "clara@people.example", search: "logo" };
    expect(taskFeedQuerySchema.parse(query)).toEqual({ search: "logo" });
  });
});

test("When a deadline or a reason is given with a new state, then the usual rules for these fields apply", () => {
  const change = { state: "open", deadline: "2026-11-21", reason: "Other plans.\nSorry." };
  expect(stateChangeSchema.parse(change)).toEqual(change);
  expect(
    errorsByField(stateChangeSchema, { state: "cancelled", deadline: "soon", reason: "x".repeat(1_001) }),
  ).toEqual({
    deadline: NO_DEADLINE,
    reason: "Reason can have at most 1,000 characters.",
  });
  for (const state of ["open", "completed", "cancelled"])
    expect(errorsByField(stateChangeSchema, { state })).toEqual({});
  for (const state of ["awarded", "expired", undefined])
    expect(errorsByField(stateChangeSchema, { state })).toEqual({
      state: "Choose a state: open, completed, cancelled.",
    });
});
