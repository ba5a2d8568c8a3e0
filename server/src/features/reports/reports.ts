import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { InsertResponse, Report, ReportDraft, ReportQuery } from "../../contract/index.ts";
import type { ReportDoc } from "../../db/documents/operators.ts";
import { FORMER_MEMBER } from "../../domain/notify.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { canSee, requireClient } from "../../domain/task-conditions.ts";
import { type PageCall, readPage, unmarkedFirstBy } from "../../http/pagination.ts";
import { presentSubjects, type Subject } from "./present-subject.ts";
import type { ReportedConversation, ReportedQuestion, ReportedTask, ReportStore } from "./store.ts";

/**
 * Reports a task, a question on it, a bid on the caller's own task or one of their conversations to the operators. If
 * the same person reports the same subject again, the response has the first report's id: a settled report is reopened,
 * an open one does not change.
 * @throws {ProblemError} `task-not-found`, `bid-not-found`, `question-not-found`, `conversation-not-found`, or
 *   `not-your-task` for a bid on somebody else's task.
 */
export async function report(
  store: ReportStore,
  draft: ReportDraft,
  reporter: User,
  now: Date,
): Promise<{ inserted: InsertResponse; isNew: boolean }> {
  const { taskId, reason, text } = draft;
  const findSubject = draft.conversationId === undefined ? findOnTask : findConversation;
  const subject = await findSubject(store, draft, reporter);
  const { id, isNew } = await store.save({
    ...subject,
    taskId: new ObjectId(taskId),
    reporterId: reporter.uid,
    reporterName: reporter.name,
    reason,
    text: text || undefined,
    settled: false,
    createdAt: now,
  });
  return { inserted: { acknowledged: true, insertedId: id }, isNew };
}

type NewReport = Pick<
  ReportDoc,
  "subject" | "taskTitle" | "personId" | "bidId" | "questionId" | "conversationId" | "messages"
>;

/** Finds the task itself, or a bid or question on it. */
async function findOnTask(
  store: ReportStore,
  { taskId, bidId, questionId }: ReportDraft,
  reporter: User,
): Promise<NewReport> {
  const [task] = await store.findTasks([new ObjectId(taskId)]);
  if (!task) throw new ProblemError("task-not-found");
  // Everybody who sees a task may report it; only its client sees the bids.
  if (bidId !== undefined) requireClient(task, reporter);
  else if (!canSee(task, reporter)) throw new ProblemError("task-not-found");
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

/** Finds a conversation, even about a deleted task. Operators will see the messages written until now. */
async function findConversation(
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

/** Everybody sees answered questions; only the client sees unanswered ones. */
function seesQuestion({ answered, hidden }: ReportedQuestion, task: ReportedTask, caller: User): boolean {
  return !hidden && (answered || task.ownerId === caller.uid);
}

/**
 * Lists reports with their subjects for operators: unsettled ones first, then newest first.
 * @throws {ProblemError} `invalid-cursor`.
 */
export async function listReports(store: ReportStore, call: PageCall<ReportQuery>): Promise<Report[]> {
  const { state, reason } = call.query;
  const page = await readPage(call, {
    list: `reports ${state} ${reason}`,
    order: unmarkedFirstBy("settled"),
    read: (start) => store.list({ state, reason }, start),
  });
  const [subjectOf, conversations] = await Promise.all([
    presentSubjects(store, page),
    Promise.all(page.map(store.readConversation)),
  ]);
  return page.map((each, at) => ({
    ...presentReport(each, subjectOf(each)),
    conversation: presentConversation(conversations[at]),
  }));
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
    text,
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
      text,
      createdAt: createdAt.toISOString(),
    })),
  };
}
