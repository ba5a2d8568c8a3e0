import { isMainThread } from "node:worker_threads";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  firstCharacters,
  formatDaysAgo,
  formatRelativeDay,
  formatStars,
  formatTime,
  formatTimeLeft,
  formatUsd,
  formatWhen,
  plural,
} from "./format.ts";

// In a worker thread, as in mutation tests, the time zone cannot be changed.
it.runIf(isMainThread).each([
  ["Pacific/Kiritimati", "Mar 2, 2027"],
  ["Pacific/Pago_Pago", "Feb 28, 2027"],
])(
  "When the reader is in %s, then a date and a month are the same as everywhere, and an instant is shown in the reader's time zone",
  async (zone, day) => {
    vi.stubEnv("TZ", zone);
    onTestFinished(() => void vi.unstubAllEnvs());
    // Formatters keep the zone in which they were created, so import a copy of the module. Its URL is another one, or
    // the test files that follow in this process would get the copy.
    const copy = `./format.ts?${zone.replace("/", "-")}`;
    const inZone: typeof import("./format.ts") = await import(/* @vite-ignore */ copy);
    expect(inZone.formatRelativeDay("2027-03-01T10:30:00Z", new Date("2027-06-01"))).toBe(day);
    expect(["2027-03-01", "2026-12-31"].map(inZone.formatDate)).toEqual(["Mar 1, 2027", "Dec 31, 2026"]);
    const months = ["2026-11-01", "2026-06-30T23:59:00Z"];
    expect(months.map(inZone.formatMonth)).toEqual(["November 2026", "June 2026"]);
  },
);

it("When an amount is shown, then it has thousands separators, and cents only if it is not whole", () => {
  expect([0, 19.5, 999_999.99, 1_000_000].map(formatUsd)).toEqual([
    "$0",
    "$19.50",
    "$999,999.99",
    "$1,000,000",
  ]);
});

it("When the count is one, then the noun is singular; an irregular plural is used", () => {
  expect([1, 0, 1200].map((count) => plural(count, "bid"))).toEqual(["1 bid", "0 bids", "1,200 bids"]);
  expect([1, 2].map((count) => plural(count, "reply", "replies"))).toEqual(["1 reply", "2 replies"]);
});

it.each([
  ["2025-12-31", null],
  ["2026-01-01", "Last day"],
  ["2026-01-02", "1 day left"],
  ["2026-04-01", "90 days left"],
  ["2026-04-02", "3 months left"],
  ["2027-12-01", "23 months left"],
  ["2027-12-31", "2 years left"],
  ["2028-05-31", "2 years left"],
  ["2028-07-31", "3 years left"],
])("When a deadline is %s, then the time left on New Year's Day 2026 (UTC) is %j", (deadline, left) => {
  expect(formatTimeLeft(deadline, new Date("2026-01-01T23:30:00Z"))).toBe(left);
});

it.each([
  [-1, "just now"],
  [59.9, "just now"],
  [60, "1 minute ago"],
  [3_599, "59 minutes ago"],
  [3_600, "1 hour ago"],
  [86_399, "23 hours ago"],
  [86_400, "1 day ago"],
  [7 * 86_400 - 1, "6 days ago"],
  [7 * 86_400, "Jun 8, 2026"],
])("When something happened %d seconds ago, then it was %s", (seconds, text) => {
  const now = new Date(2026, 5, 15, 12);
  expect(formatWhen(new Date(now.getTime() - seconds * 1_000).toISOString(), now)).toBe(text);
});

it.each([
  ["2026-06-16", "today"],
  ["2026-06-15", "today"],
  ["2026-06-14", "yesterday"],
  ["2026-05-16", "30 days ago"],
  ["2026-05-15", "May 15, 2026"],
])("When a UTC day is %s, then on June 15 it is %s", (day, text) => {
  expect(formatDaysAgo(day, new Date("2026-06-15T23:59:00Z"))).toBe(text);
});

it("When an instant is shown, then it is in the reader's time zone, and today and yesterday have names", () => {
  const now = new Date(2026, 6, 1, 0, 30);
  const days = [new Date(2026, 6, 1, 23), now, new Date(2026, 5, 30, 23), new Date(2026, 5, 29, 23)];
  expect(days.map((day) => formatRelativeDay(day.toISOString(), now))).toEqual([
    "Today",
    "Today",
    "Yesterday",
    "Jun 29, 2026",
  ]);
  expect(formatTime(now.toISOString()).replace(/\s/u, " ")).toBe("12:30 AM");
});

it.each([
  ["abc", "abc"],
  ["abcd", "abc"],
  ["ab😀d", "ab😀"],
])("When %j is cut to three characters, then it is %j", (text, expected) => {
  expect(firstCharacters(text, 3)).toBe(expected);
});

it.each([
  [4.46, "4.4"],
  [4.5, "4.5"],
  [5, "5.0"],
])(
  "When the average of reviews is %s, then it is shown rounded down, as filters count it",
  (average, text) => {
    expect(formatStars(average)).toBe(text);
  },
);
