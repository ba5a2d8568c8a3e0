import { expect, it } from "vitest";
import { formatDate, formatUsd, plural } from "./format.ts";

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
