import { expect, test } from "vitest";
import { addDays, CATEGORIES, calendarDate, taskDraftSchema } from "../../src/contract/index.ts";
import { demoAccounts, demoTasks } from "./index.ts";

const today = calendarDate(new Date("2026-11-21T12:00:00Z"));
const uids = new Set<string>(demoAccounts.map((account) => account.uid));

function repeated(values: string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

test.each(demoTasks)("When $key is posted, then the contract accepts it unchanged", (task) => {
  const { title, category, description, budget } = task;
  const draft = { title, category, description, budget, deadline: addDays(today, task.deadlineInDays) };

  expect(taskDraftSchema.safeParse(draft)).toEqual({ success: true, data: draft });
  expect(title.length).toBeLessThan(80);
});

test("When somebody registers a demo account, then its password meets the rule of SPEC section 5", () => {
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

test("When a task names people, then they exist, bid once, and never on their own task", () => {
  for (const { key, ownerUid, bidderUids } of demoTasks) {
    expect(key).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(uids, key).toContain(ownerUid);
    for (const uid of bidderUids) expect(uids, key).toContain(uid);
    expect(bidderUids, key).not.toContain(ownerUid);
    expect(repeated(bidderUids), key).toEqual([]);
  }
});

test("When a deadline has passed, then the task was posted before it", () => {
  for (const { key, deadlineInDays, postedDaysAgo } of demoTasks) {
    expect(postedDaysAgo, key).toBeGreaterThan(Math.max(0, -deadlineInDays));
  }
});

test("When somebody explores the demo, then there is enough of everything", () => {
  expect(demoTasks.length).toBeGreaterThanOrEqual(60);
  for (const category of CATEGORIES) {
    expect(demoTasks.filter((task) => task.category === category).length, category).toBeGreaterThanOrEqual(
      15,
    );
  }
  expect(demoTasks.filter((task) => task.deadlineInDays < 0).length).toBeGreaterThanOrEqual(10);
  expect(demoTasks.filter((task) => task.deadlineInDays > 0).length).toBeGreaterThanOrEqual(40);
  expect(new Set(demoTasks.map((task) => task.ownerUid)).size).toBeGreaterThanOrEqual(5);
});
