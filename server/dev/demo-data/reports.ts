import type { ReportReason } from "../../src/contract/index.ts";
import type { ReportDoc } from "../../src/db/documents/operators.ts";
import { daysBefore } from "./dates.ts";
import { idOf } from "./id-of.ts";
import { type DemoName, demoAccount } from "./people.ts";

/** What people reported of tasks, for the operator to look at. */
const demoReports: {
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

/** Those as they are stored. */
export function reportDocs(today: Date): ReportDoc[] {
  return demoReports.map((demo) => reportDoc(demo, today));
}

function reportDoc({ key, by, daysAgo, ...report }: (typeof demoReports)[number], today: Date): ReportDoc {
  const { uid: reporterId, displayName: reporterName } = demoAccount(by);
  const taskId = idOf(`task:${key}`);
  const subject = `task:${taskId.toHexString()}`;
  const createdAt = daysBefore(today, daysAgo);
  return {
    _id: idOf(`report:${key}:${by}`),
    subject,
    taskId,
    reporterId,
    reporterName,
    ...report,
    createdAt,
  };
}
