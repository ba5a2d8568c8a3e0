import type { ReportReason } from "../../../src/contract/index.ts";
import type { BidDoc } from "../../../src/db/documents/bids.ts";
import type { QueueItemDoc, ReportDoc } from "../../../src/db/documents/operators.ts";
import type { TaskDoc } from "../../../src/db/documents/tasks.ts";
import { contactNote } from "../../../src/db/operators.ts";
import { daysBefore, idOf } from "./ids-and-dates.ts";
import { type DemoName, demoAccount } from "./people.ts";

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

export function reportDocs(tasks: readonly TaskDoc[], today: Date): ReportDoc[] {
  return demoReports.flatMap(({ key, by, daysAgo, ...report }) => {
    const task = tasks.find(({ _id }) => _id.equals(idOf(`task:${key}`)));
    if (!task) return [];
    const { uid: reporterId, displayName: reporterName } = demoAccount(by);
    return {
      _id: idOf(`report:${key}:${by}`),
      subject: `task:${task._id.toHexString()}`,
      taskId: task._id,
      taskTitle: task.title,
      personId: task.ownerId,
      reporterId,
      reporterName,
      ...report,
      createdAt: daysBefore(today, daysAgo),
    };
  });
}

/** Operator queue entries for bids with contact data, as placing them would have made. */
export function queueDocs(bids: readonly BidDoc[]): QueueItemDoc[] {
  return bids.flatMap(({ _id: bidId, taskId, bidderId: personId, message, answer, createdAt }) => {
    const note = contactNote({ message, answer });
    if (!note) return [];
    const key = `contact-data bid:${bidId.toHexString()}`;
    return {
      _id: idOf(key),
      key,
      kind: "contact-data",
      note,
      taskId,
      bidId,
      personId,
      settled: false,
      createdAt,
    };
  });
}
