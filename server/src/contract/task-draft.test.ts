import { describe, expect, test } from "vitest";
import {
  draftSchemaOn,
  isBudgetRange,
  isTerm,
  pastDeadlineText,
  publicTaskSchema,
  stateChangeSchema,
  TASK_FIELD_KINDS,
  taskDraftSchema,
  taskFeedQuerySchema,
  taskQuerySchema,
  taskSchema,
  termsInWords,
} from "./task.ts";

const DRAFT = {
  title: "A logo",
  category: "Design",
  description: "Three variants.\nIn colour.",
  deadline: "2026-11-21",
  budget: 450.5,
};
type Schema = {
  safeParse(value: unknown): { error?: { issues: { path: PropertyKey[]; message: string }[] } };
};
/** What is said of a value, field by field, and once of each. */
function complaints(schema: Schema, value: unknown): Record<string, string> {
  const issues = schema.safeParse(value).error?.issues ?? [];
  const said = Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message]));
  expect(issues).toHaveLength(Object.keys(said).length);
  return said;
}

describe("a task that is posted", () => {
  test("When all is right, then it is taken as it is, and what the poster does not decide is left out", () => {
    expect(taskDraftSchema.parse({ ...DRAFT, email: "x@people.example", state: "awarded" })).toEqual(DRAFT);
    const chosen = { ...DRAFT, screeningQuestion: "When?", showEmail: false };
    expect(taskDraftSchema.parse(chosen)).toEqual(chosen);
  });

  test.each<[string, unknown, string]>([
    ["title", undefined, "Title is required."],
    ["title", "x".repeat(121), "Title can have at most 120 characters."],
    ["category", "Cooking", "Choose a category: Web Development, Design, Writing, Marketing."],
    ["description", "", "Description is required."],
    ["description", "x".repeat(5_001), "Description can have at most 5000 characters."],
    ["deadline", undefined, "Deadline is required."],
    ["deadline", "", "Enter the deadline as a date, like 2027-03-31."],
    ["deadline", "21.11.2026", "Enter the deadline as a date, like 2027-03-31."],
    ["deadline", "2026-02-30", "Enter the deadline as a date, like 2027-03-31."],
    ["deadline", "2026-11-211", "Enter the deadline as a date, like 2027-03-31."],
    ["deadline", "2100-01-01", "Choose a deadline before the year 2100."],
    ["budget", 0, "Budget must be more than $0."],
    ["screeningQuestion", "x".repeat(201), "Screening question can have at most 200 characters."],
    ["screeningQuestion", 7, "Screening question must be a text."],
    ["showEmail", "yes", "Say true or false."],
  ])("When its %s is %j, then it says so at that field, and only there", (field, value, message) => {
    expect(complaints(taskDraftSchema, { ...DRAFT, [field]: value })).toEqual({ [field]: message });
  });

  test("When a bound is met, then it is fine", () => {
    const widest = {
      ...DRAFT,
      title: "x".repeat(120),
      description: "x".repeat(5_000),
      deadline: "2099-12-31",
    };
    expect(complaints(taskDraftSchema, widest)).toEqual({});
  });

  test("When its deadline is today or later, then it is possible; when it has passed, then it says from when on", () => {
    const schema = draftSchemaOn("2026-11-21");
    expect(complaints(schema, DRAFT)).toEqual({});
    expect(complaints(schema, { ...DRAFT, deadline: "2026-11-20", title: "" })).toEqual({
      title: "Title is required.",
      deadline: "This deadline has passed: choose today (2026-11-21 UTC) or a later day.",
    });
    expect(pastDeadlineText("2026-11-21")).toContain("(2026-11-21 UTC)");
    // The day goes on.
    expect(complaints(draftSchemaOn("2026-11-22"), DRAFT)).toHaveProperty("deadline");
    expect(draftSchemaOn("2026-11-22")).toBe(draftSchemaOn("2026-11-22"));
  });

  test("When a task is bid on, then its terms are what a freelancer agrees to, and can be named", () => {
    const fields = Object.keys(TASK_FIELD_KINDS) as (keyof typeof TASK_FIELD_KINDS)[];
    expect(fields.filter((field) => !isTerm(field))).toEqual(["deadline", "showEmail"]);
    expect(termsInWords()).toBe("title, category, description, budget and screening question");
  });
});

describe("what a list of tasks is asked for", () => {
  test("When everything is given, then it is taken; what is empty counts as absent", () => {
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
    ["category", "Cooking", "Choose a category: Web Development, Design, Writing, Marketing."],
    ["minBudget", "much", "Enter the lowest budget in US dollars, like 250 or 99.50."],
    ["minBudget", "-5", "Enter the lowest budget in US dollars, like 250 or 99.50."],
    ["minBudget", "1.234", "Enter the lowest budget in US dollars, like 250 or 99.50."],
    ["minBudget", "5 ", "Enter the lowest budget in US dollars, like 250 or 99.50."],
    ["maxBudget", ".5", "Enter the highest budget in US dollars, like 250 or 99.50."],
    ["maxBudget", "1000000.01", "The highest budget can be at most $1,000,000."],
    ["maxBudget", ["1", "2"], "Give one highest budget."],
    ["state", "awarded", "The state can be open, or left out."],
    ["email", "x".repeat(321), "This email address is too long."],
    ["email", ["a", "b"], "Give one email address."],
    ["sort", "sideways", "Sort with one of: asc, desc, newest, oldest, budget-asc, budget-desc."],
  ])("When %s is %j, then it says so", (name, value, message) => {
    expect(complaints(taskQuerySchema, { [name]: value })).toEqual({ [name]: message });
  });

  test.each([
    [{ minBudget: "500", maxBudget: "100" }, false],
    [{ minBudget: "100", maxBudget: "100" }, true],
    [{ minBudget: "99", maxBudget: "100" }, true],
    [{ minBudget: "500" }, true],
    [{ maxBudget: "1" }, true],
    [{}, true],
  ])("When budgets are %j, then that they are a range is %s", (range, isRange) => {
    expect(isBudgetRange(range)).toBe(isRange);
    const message = "The lowest budget is above the highest.";
    for (const schema of [taskQuerySchema, taskFeedQuerySchema])
      expect(complaints(schema, range)).toEqual(isRange ? {} : { minBudget: message });
  });

  test("When a feed is asked for, then it is everybody's: whose tasks they are cannot be said", () => {
    const asked = { email: "clara@people.example", search: "logo" };
    expect(taskFeedQuerySchema.parse(asked)).toEqual({ search: "logo" });
  });
});

describe("a task that is read", () => {
  const shown = { ...DRAFT, name: "Clara", clientImage: "https://pictures.example/c.png", bidsCount: 2 };

  test("When everybody reads it, then the client's own settings are not in it", () => {
    expect(publicTaskSchema.parse({ ...shown, showEmail: true })).toEqual(shown);
  });

  test("When somebody signed in reads it, then it says how they stand to it", () => {
    const task = {
      ...shown,
      _id: "a".repeat(24),
      email: "clara@people.example",
      emailVerified: true,
      createdAt: "2026-11-01T00:00:00.000Z",
      state: "open",
      clientId: "clara",
      version: 3,
    };
    const viewer = {
      isOwner: false,
      hasBid: true,
      bidsLeft: 2,
      contact: { id: "fay", name: "Fay", email: "fay@people.example", emailVerified: false },
      addressLimitReached: true,
      hasReviewed: false,
      showEmail: true,
    };
    for (const role of ["client", "hired", "freelancer"]) {
      const read = { ...task, viewer: { ...viewer, role } };
      expect(taskSchema.parse(read)).toEqual(read);
    }
    expect(taskSchema.safeParse({ ...task, viewer: { ...viewer, role: "owner" } }).success).toBe(false);
    expect(taskSchema.safeParse({ ...task, viewer: { ...viewer, contact: { name: "Fay" } } }).success).toBe(
      false,
    );
  });
});

describe("a task that is opened, completed or cancelled", () => {
  test("When a deadline or a reason is given with it, then they are as in any task", () => {
    const change = { state: "open", deadline: "2026-11-21", reason: "Other plans.\nSorry." };
    expect(stateChangeSchema.parse(change)).toEqual(change);
    expect(
      complaints(stateChangeSchema, { state: "cancelled", deadline: "soon", reason: "x".repeat(1_001) }),
    ).toEqual({
      deadline: "Enter the deadline as a date, like 2027-03-31.",
      reason: "Reason can have at most 1000 characters.",
    });
    for (const state of ["open", "completed", "cancelled"])
      expect(complaints(stateChangeSchema, { state })).toEqual({});
    for (const state of ["awarded", "expired", undefined])
      expect(complaints(stateChangeSchema, { state })).toEqual({
        state: "Choose a state: open, completed, cancelled.",
      });
  });
});
