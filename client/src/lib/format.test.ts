import { expect, it } from "vitest";
import { formatDate, formatTimeLeft, formatUsd, plural } from "./format.ts";

it("When a date is shown, then it is the same calendar day in every time zone", () => {
  // The test runs in whatever zone the machine has; the far ends are what a local-time bug would show.
  expect(formatDate("2027-03-01")).toBe("Mar 1, 2027");
  expect(formatDate("2026-12-31")).toBe("Dec 31, 2026");
});

it("When a budget has cents, then they are shown, and only then", () => {
  expect(formatUsd(1200)).toBe("$1,200");
  expect(formatUsd(19.5)).toBe("$19.50");
});

it("When there is one, then the noun is singular", () => {
  expect([plural(1, "bid"), plural(0, "bid"), plural(1200, "bid")]).toEqual([
    "1 bid",
    "0 bids",
    "1,200 bids",
  ]);
});

it("When a deadline is ahead, then it says how long in the unit that counts, and after its UTC day nothing", () => {
  const now = new Date("2026-11-20T23:30:00Z");
  const left = ["2026-11-19", "2026-11-20", "2026-11-21", "2026-11-24", "2027-04-01", "2099-06-30"].map(
    (deadline) => formatTimeLeft(deadline, now),
  );
  expect(left).toEqual([null, "Last day", "1 day left", "4 days left", "4 months left", "72 years left"]);
});
