import { expect, test } from "vitest";
import {
  addDays,
  CATEGORIES,
  calendarDate,
  profileDraftSchema,
  taskDraftSchema,
} from "../../../src/contract/index.ts";
import { demoAccounts } from "./people.ts";
import { demoProfiles } from "./profiles.ts";
import { demoTasks } from "./tasks.ts";

const today = calendarDate(new Date("2026-11-21T12:00:00Z"));

function repeated(values: string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

test.each(demoTasks)("When $key is posted, then the contract accepts it unchanged", (task) => {
  const { title, category, description, budget } = task;
  const draft = { title, category, description, budget, deadline: addDays(today, task.due) };

  expect(taskDraftSchema.safeParse(draft)).toEqual({ success: true, data: draft });
  expect(title.length).toBeLessThan(80);
});

test("When a demo profile is saved, then the contract accepts it unchanged", () => {
  for (const draft of Object.values(demoProfiles))
    expect(profileDraftSchema.safeParse(draft)).toEqual({ success: true, data: draft });
});

test("When demo accounts are created, then their emails and passwords meet the rules of registration", () => {
  for (const { email, password } of demoAccounts) {
    expect(email).toMatch(/^[a-z]+@tasklane\.example$/);
    expect(password).toMatch(/^(?=.*[a-z])(?=.*[A-Z]).{6,}$/);
  }
});

test("When the data is seeded, then keys, people and titles are unique", () => {
  expect(repeated(demoTasks.map((task) => task.key))).toEqual([]);
  expect(repeated(demoTasks.map((task) => task.title))).toEqual([]);
  expect(repeated(demoAccounts.map((account) => account.uid))).toEqual([]);
  expect(repeated(demoAccounts.map((account) => account.email))).toEqual([]);
});

test("When a task names bidders, then each bids once, and never on their own task", () => {
  for (const { key, by, bids } of demoTasks) {
    expect(key).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(bids, key).not.toContain(by);
    expect(repeated(bids), key).toEqual([]);
  }
});

test("When a deadline has passed, then the task was posted before it", () => {
  for (const { key, due, posted } of demoTasks) {
    expect(posted, key).toBeGreaterThan(Math.max(0, -due));
  }
});

test("When someone explores the demo, then there are enough tasks of every kind", () => {
  expect(demoTasks.length).toBeGreaterThanOrEqual(60);
  for (const category of CATEGORIES) {
    expect(demoTasks.filter((task) => task.category === category).length, category).toBeGreaterThanOrEqual(
      15,
    );
  }
  expect(demoTasks.filter((task) => task.due < 0).length).toBeGreaterThanOrEqual(10);
  expect(demoTasks.filter((task) => task.due > 0).length).toBeGreaterThanOrEqual(40);
  expect(new Set(demoTasks.map((task) => task.by)).size).toBeGreaterThanOrEqual(5);
});
