import * as z from "zod/mini";
import type { Report, UpdateResponse } from "../../contract/index.ts";
import type { ReportDoc } from "../../db/documents.ts";
import { cutPage, idKey, instantKey, readCursor, writeCursor } from "../../http/pagination.ts";
import { ProblemError } from "../../http/problem-error.ts";
import type { ReportedBid, ReportedTask, ReportStore } from "./report-store.ts";

/** One page of reports; `unsettled` counts those that wait, on all pages. */
export type ReportPage = { reports: Report[]; next?: string; unsettled: number };

const LIST = "reports";
const placeSchema = z.tuple([z.enum(["unsettled", "settled"]), instantKey, idKey]);

/**
 * Lists reports for operators with what they are about: unsettled ones first, then newest first.
 * @throws {ProblemError} `invalid-cursor`.
 */
export async function listReports(
  store: ReportStore,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<ReportPage> {
  const place = readCursor(LIST, cursor, placeSchema);
  const after = place && { settled: place[0] === "settled", at: place[1], id: place[2] };
  const [found, unsettled] = await Promise.all([
    store.list({ after, limit: limit + 1 }),
    store.countUnsettled(),
  ]);
  const { page: shown, last } = cutPage(found, limit);
  const [tasks, bids] = await Promise.all([
    store.findTasks(shown.map(({ taskId }) => taskId)),
    store.findBids(shown.flatMap(({ bidId }) => bidId ?? [])),
  ]);
  return {
    reports: shown.map((report) => presentReport(report, tasks, bids)),
    ...(last && { next: writeCursor(LIST, placeOf(last)) }),
    unsettled,
  };
}

/**
 * Puts a report aside as dealt with, or takes that back.
 * @throws {ProblemError} `report-not-found`.
 */
export async function settleReport(
  store: ReportStore,
  id: string,
  settled: boolean,
): Promise<UpdateResponse> {
  const changed = await store.settle(id, settled);
  if (changed === undefined) throw new ProblemError("report-not-found");
  return { acknowledged: true, matchedCount: 1, modifiedCount: changed ? 1 : 0 };
}

function placeOf({ _id, createdAt, settled }: ReportDoc) {
  return [settled ? "settled" : "unsettled", createdAt.toISOString(), _id.toHexString()];
}

function presentReport(
  report: ReportDoc,
  tasks: readonly ReportedTask[],
  bids: readonly ReportedBid[],
): Report {
  const task = tasks.find(({ _id }) => _id.equals(report.taskId));
  // The bids of a deleted task go with it, though not at the same moment.
  const bid = task && report.bidId && bids.find(({ _id }) => _id.equals(report.bidId));
  return {
    _id: report._id.toHexString(),
    taskId: report.taskId.toHexString(),
    ...(task && {
      task: { title: task.title, name: task.name, clientId: task.ownerId, hidden: task.hidden === true },
    }),
    ...(bid && {
      bid: {
        name: bid.bidderName,
        freelancerId: bid.bidderId,
        ...(bid.message && { message: bid.message }),
      },
    }),
    reason: report.reason,
    ...(report.text && { text: report.text }),
    reporter: report.reporterName,
    settled: report.settled,
    createdAt: report.createdAt.toISOString(),
  };
}
