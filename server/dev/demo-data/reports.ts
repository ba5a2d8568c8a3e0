import type { ReportReason } from "../../src/contract/index.ts";
import type { DemoName } from "./people.ts";

/** What people reported of tasks, for the operator to look at. */
export const demoReports: {
  key: string;
  by: DemoName;
  daysAgo: number;
  reason: ReportReason;
  text?: string;
  settled: boolean;
}[] = [
  {
    key: "etsy-listing-audit",
    by: "kofi",
    daysAgo: 1,
    reason: "spam",
    text: "After I had bid, the same text came to me by email, with a link to a shop.",
    settled: false,
  },
  {
    key: "paid-search-cleanup",
    by: "linh",
    daysAgo: 2,
    reason: "personal-data",
    text: "The account that they give access to shows names and phone numbers of their customers.",
    settled: false,
  },
  { key: "loyalty-card", by: "hana", daysAgo: 9, reason: "other", settled: true },
];
