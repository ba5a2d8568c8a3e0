import { ObjectId } from "mongodb";
import * as z from "zod/mini";
import type { User } from "../../auth/token-verifier.ts";
import type { ErrorCode, InsertResponse, Report, ReportDraft, ReportQuery } from "../../contract/index.ts";
import type { ReportDoc } from "../../db/documents/operators.ts";
import { FORMER_MEMBER } from "../../db/notices.ts";
import { canSee, whyNotClient } from "../../db/task-conditions.ts";
import {
  cutPage,
  idKey,
  instantKey,
  newestFirstKeyOf,
  pageLimit,
  readCursor,
  writeCursor,
} from "../../http/pagination.ts";
import { ProblemError } from "../../http/problem.ts";
import { type IsSuspended, presentSubjects, type Subject } from "./present-subject.ts";
import type { ReportedConversation, ReportedQuestion, ReportedTask, ReportStore } from "./report-store.ts";

/**
 * Keeps a report of a task, of a question on it, of a bid on the caller's own task, or of a conversation of theirs, for the
 * operators. The same person's second report of the same thing gets the first one's id: it opens that one again where it was
 * settled, and changes nothing while it waits.
 * @throws {ProblemError} `task-not-found`, `bid-not-found`, `question-not-found`, `conversation-not-found`, or
 *   `not-your-task` for a bid on somebody else's.
 */
export async function report(
  store: ReportStore,
  draft: ReportDraft,
  reporter: User,
  now: Date,
): Promise<{ inserted: InsertResponse; isNew: boolean }> {
  const { taskId, reason, text } = draft;
  const subject = await (draft.conversationId === undefined ? onTask : conversation)(store, draft, reporter);
  const { id, isNew } = await store.keep({
    ...subject,
    taskId: new ObjectId(taskId),
    reporterId: reporter.uid,
    reporterName: reporter.name,
    reason,
    ...(text && { text }),
    settled: false,
    createdAt: now,
  });
  return { inserted: { acknowledged: true, insertedId: id }, isNew };
}

type NewReport = Pick<
  ReportDoc,
  "subject" | "taskTitle" | "personId" | "bidId" | "questionId" | "conversationId" | "messages"
>;

/** The task itself, a bid or a question on it. */
async function onTask(
  store: ReportStore,
  { taskId, bidId, questionId }: ReportDraft,
  reporter: User,
): Promise<NewReport> {
  const [task] = await store.findTasks([new ObjectId(taskId)]);
  if (!task) throw new ProblemError("task-not-found");
  const refusal = (bidId === undefined ? whyNoTaskReport : whyNoBidReport)(task, reporter);
  if (refusal) throw new ProblemError(refusal);
  const { title: taskTitle } = task;
  if (questionId !== undefined) {
    const [question] = await store.findQuestions([new ObjectId(questionId)]);
    if (!question?.taskId.equals(task._id) || !seesQuestion(question, task, reporter))
      throw new ProblemError("question-not-found");
    const { _id, askerId: personId } = question;
    return { subject: `question:${questionId}`, taskTitle, personId, questionId: _id };
  }
  if (bidId === undefined) return { subject: `task:${taskId}`, taskTitle, personId: task.ownerId };
  const [bid] = await store.findBids([new ObjectId(bidId)]);
  if (!bid?.taskId.equals(task._id)) throw new ProblemError("bid-not-found");
  return { subject: `bid:${bidId}`, taskTitle, personId: bid.bidderId, bidId: bid._id };
}

/** Also of a task that was deleted since. Operators see what was written until now. */
async function conversation(
  store: ReportStore,
  { taskId, conversationId = "" }: ReportDraft,
  { uid }: User,
): Promise<NewReport> {
  const found = await store.findConversation(new ObjectId(conversationId), uid);
  if (found?.taskId.toHexString() !== taskId) throw new ProblemError("conversation-not-found");
  const { _id, taskTitle, clientId, freelancerId, count: messages } = found;
  const personId = uid === clientId ? freelancerId : clientId;
  return { subject: `conversation:${conversationId}`, taskTitle, personId, conversationId: _id, messages };
}

/** Everybody sees what is answered, the client what waits for an answer. */
function seesQuestion({ answered, hidden }: ReportedQuestion, task: ReportedTask, caller: User): boolean {
  return !hidden && (answered || task.ownerId === caller.uid);
}

/** Why may this person not report the task? Undefined if they may: whoever can see it can report it. */
function whyNoTaskReport(task: ReportedTask, caller: User): ErrorCode | undefined {
  return canSee(task, caller) ? undefined : "task-not-found";
}

/** Why may this person not report a bid on the task? Undefined if they may: only its client ever sees the bids. */
function whyNoBidReport(task: ReportedTask, caller: User): ErrorCode | undefined {
  return whyNotClient(task, caller);
}

/** One page of reports; `unsettled` counts those that wait, on all pages. */
export type ReportPage = { reports: Report[]; next: string | undefined; unsettled: number };

const placeSchema = z.tuple([z.enum(["unsettled", "settled"]), instantKey, idKey]);

/**
 * Lists reports for operators with what they are about: unsettled ones first, then newest first.
 * @throws {ProblemError} `invalid-cursor`.
 */
export async function listReports(
  store: ReportStore,
  query: ReportQuery,
  isSuspended: IsSuspended,
): Promise<ReportPage> {
  const { state, reason } = query;
  const limit = pageLimit(query);
  const list = `reports ${state} ${reason}`;
  const place = readCursor(list, query.cursor, placeSchema);
  const after = place && { settled: place[0] === "settled", place: [place[1], place[2]] as const };
  const [found, unsettled] = await Promise.all([
    store.list({ state, reason, after, limit: limit + 1 }),
    store.countUnsettled(),
  ]);
  const { page, last } = cutPage(found, limit);
  const [subjectOf, conversations] = await Promise.all([
    presentSubjects(store, page, isSuspended),
    Promise.all(page.map(store.readConversation)),
  ]);
  return {
    reports: page.map((each, at) => ({
      ...presentReport(each, subjectOf(each)),
      conversation: presentConversation(conversations[at]),
    })),
    next: last && writeCursor(list, placeOf(last)),
    unsettled,
  };
}

function placeOf(each: ReportDoc) {
  return [each.settled ? "settled" : "unsettled", ...newestFirstKeyOf(each)];
}

function presentReport(
  { _id, taskId, taskTitle, reason, text, reporterName, settled, createdAt }: ReportDoc,
  subject: Subject,
): Report {
  return {
    _id: _id.toHexString(),
    taskId: taskId.toHexString(),
    title: taskTitle,
    ...subject,
    reason,
    ...(text && { text }),
    reporter: reporterName,
    settled,
    createdAt: createdAt.toISOString(),
  };
}

function presentConversation(reported: ReportedConversation | null | undefined): Report["conversation"] {
  if (!reported) return undefined;
  const { clientId, freelancerId, last, people } = reported;
  const nameOf = (id: string) => people.find(({ _id }) => _id === id)?.name ?? FORMER_MEMBER;
  return {
    messages: last.map(({ by, text, createdAt }) => ({
      name: nameOf(by === "client" ? clientId : freelancerId),
      ...(text !== undefined && { text }),
      createdAt: createdAt.toISOString(),
    })),
  };
}
