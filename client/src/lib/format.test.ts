import { isMainThread } from "node:worker_threads";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  firstCharacters,
  formatDaysAgo,
  formatMonth,
  formatRelativeDay,
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
  "When the reader is in %s, then a date is the same as everywhere, and an instant is shown in the reader's time zone",
  async (zone, day) => {
    vi.stubEnv("TZ", zone);
    onTestFinished(() => void vi.unstubAllEnvs());
    // Formatters are bound to the time zone in which they were created, so import a new copy of the module.
    const inZone: typeof import("./format.ts") = await import(/* @vite-ignore */ `./format.ts?in=${zone}`);
    expect(inZone.formatRelativeDay("2027-03-01T10:30:00Z", new Date("2027-06-01"))).toBe(day);
    expect(["2027-03-01", "2026-12-31"].map(inZone.formatDate)).toEqual(["Mar 1, 2027", "Dec 31, 2026"]);
  },
);

it.runIf(isMainThread)("When a day has 25 hours, then its start is still hours ago at its end", () => {
  vi.stubEnv("TZ", "America/New_York");
  onTestFinished(() => void vi.unstubAllEnvs());
  // Clocks were turned back at 2 a.m.
  const [begin, end] = [new Date(2026, 10, 1, 0, 10), new Date(2026, 10, 1, 23, 50)];
  expect(formatWhen(begin.toISOString(), end)).toBe("24 hours ago");
});

it("When an amount has cents, then they are shown; otherwise they are omitted", () => {
  expect(formatUsd(1200)).toBe("$1,200");
  expect(formatUsd(19.5)).toBe("$19.50");
});

it("When the count is one, then the noun is singular", () => {
  expect([plural(1, "bid"), plural(0, "bid"), plural(1200, "bid")]).toEqual([
    "1 bid",
    "0 bids",
    "1,200 bids",
  ]);
});

it("When a deadline is ahead, then the time left is in a fitting unit, and after its UTC day it is null", () => {
  const now = new Date("2026-11-20T23:30:00Z");
  const left = ["2026-11-19", "2026-11-20", "2026-11-21", "2026-11-24", "2027-04-01", "2099-06-30"].map(
    (deadline) => formatTimeLeft(deadline, now),
  );
  expect(left).toEqual([null, "Last day", "1 day left", "4 days left", "4 months left", "73 years left"]);
});

it("When a deadline is months or years ahead, then it is rounded to the nearest month or year", () => {
  const now = new Date("2026-01-01T12:00:00Z");
  const left = ["2026-04-01", "2026-04-02", "2027-12-01", "2027-12-31", "2028-05-31", "2028-07-31"].map(
    (deadline) => formatTimeLeft(deadline, now),
  );
  expect(left).toEqual([
    "90 days left",
    "3 months left",
    "23 months left",
    "2 years left",
    "2 years left",
    "3 years left",
  ]);
});

it.each([
  [-1, "just now"],
  [59.9, "just now"],
  [60, "1 minute ago"],
  [3_599, "59 minutes ago"],
  [3_600, "1 hour ago"],
  [86_399, "23 hours ago"],
  [86_400, "yesterday"],
  [36 * 3_600, "yesterday"],
  [36 * 3_600 + 1, "2 days ago"],
  [6.5 * 86_400, "6 days ago"],
  [6.5 * 86_400 + 1, "Jun 8, 2026"],
])("When something happened %d seconds ago, then it was %s", (seconds, text) => {
  const now = new Date(2026, 5, 15, 12);
  expect(formatWhen(new Date(now.getTime() - seconds * 1_000).toISOString(), now)).toBe(text);
});

it("When a UTC day is over a month ago, then it is shown as a date, and a future day is shown as today", () => {
  const now = new Date("2026-06-15T23:59:00Z");
  const ago = ["2026-06-16", "2026-06-15", "2026-06-14", "2026-06-10", "2026-05-16", "2026-05-15"];
  expect(ago.map((date) => formatDaysAgo(date, now))).toEqual([
    "today",
    "today",
    "yesterday",
    "5 days ago",
    "30 days ago",
    "May 15, 2026",
  ]);
});

it("When the reader's day is shown, then today and yesterday have names, even across months", () => {
  const now = new Date(2026, 6, 1, 0, 30);
  const at = (...when: [number, number, number, number]) =>
    formatRelativeDay(new Date(...when).toISOString(), now);
  expect([
    at(2026, 6, 1, 23),
    at(2026, 6, 1, 0),
    at(2026, 5, 30, 23),
    at(2026, 5, 29, 23),
    at(2025, 6, 1, 0),
  ]).toEqual(["Today", "Today", "Yesterday", "Jun 29, 2026", "Jul 1, 2025"]);
});

it("When an instant is shown, then it is in the reader's time zone", () => {
  const instant = new Date(2026, 2, 31, 15, 4).toISOString();
  expect(formatTime(instant).replace(/\s/u, " ")).toBe("3:04 PM");
  expect(formatMonth(instant)).toBe("March 2026");
});

it("When a noun has an irregular plural, then it is used", () => {
  expect([plural(2, "reply", "replies"), plural(1, "reply", "replies")]).toEqual(["2 replies", "1 reply"]);
});

it("When an amount is large, then it has thousands separators, and cents only if it is not whole", () => {
  expect([formatUsd(0), formatUsd(1_000_000), formatUsd(999_999.99)]).toEqual([
    "$0",
    "$1,000,000",
    "$999,999.99",
  ]);
});

it.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "abc"],
  ["ab😀d", 3, "ab😀"],
])("When %j is cut to %i characters, then it is %j", (text, max, expected) => {
  expect(firstCharacters(text, max)).toBe(expected);
});
