import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { InsertResponse, ReportDraft } from "../../contract/index.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { whyNoBidReport, whyNoTaskReport } from "./report-policy.ts";
import type { ReportStore } from "./report-store.ts";

/**
 * Keeps a report of a task, or of a bid on the caller's own task, for the operators. The same person's second report of
 * the same thing changes nothing and answers the first one's id, settled or not.
 * @throws {ProblemError} `task-not-found`, `bid-not-found`, or `not-your-task` for a bid on somebody else's.
 */
export async function reportSomething(
  store: ReportStore,
  { taskId, bidId, reason, text }: ReportDraft,
  reporter: User,
  now: Date,
): Promise<{ answer: InsertResponse; isNew: boolean }> {
  const [task] = await store.findTasks([new ObjectId(taskId)]);
  if (!task) throw new ProblemError("task-not-found");
  const refusal = (bidId === undefined ? whyNoTaskReport : whyNoBidReport)(task, reporter);
  if (refusal) throw new ProblemError(refusal);
  if (bidId !== undefined) {
    const [bid] = await store.findBids([new ObjectId(bidId)]);
    if (!bid?.taskId.equals(task._id)) throw new ProblemError("bid-not-found");
  }
  const { id, isNew } = await store.keep({
    subject: bidId === undefined ? `task:${taskId}` : `bid:${bidId}`,
    taskId: task._id,
    ...(bidId !== undefined && { bidId: new ObjectId(bidId) }),
    reporterId: reporter.uid,
    reporterName: reporter.name,
    reason,
    ...(text && { text }),
    settled: false,
    createdAt: now,
  });
  return { answer: { acknowledged: true, insertedId: id }, isNew };
}
