import { type Collection, type Filter, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { Report, ReportDraft } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { ReportDoc } from "../../db/documents/operators.ts";
import { FORMER_MEMBER, isFormerMember } from "../../domain/notify.ts";
import { namesOf, suspendedOf } from "../../domain/people.ts";
import type { Presented } from "../../domain/present.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { requireClient, requireVisible } from "../../domain/task-conditions.ts";

/** What a report or queue item is about, as operators see it: a task, perhaps a bid or question on it, its author. */
type Subject = Presented<Pick<Report, "about" | "task" | "bid" | "question" | "person">>;
type About = Pick<ReportDoc, "taskId" | "bidId" | "questionId" | "conversationId" | "personId">;

/** Reads the subjects of a whole page. @returns a function that finds the subject of one entry. */
export async function presentSubjects(
  database: Database,
  page: readonly About[],
): Promise<(about: About) => Subject> {
  const [tasks, bids, questions] = await Promise.all([
    findAll(
      database.tasks,
      page.map(({ taskId }) => taskId),
    ),
    findAll(
      database.bids,
      page.flatMap(({ bidId }) => bidId ?? []),
    ),
    findAll(
      database.questions,
      page.flatMap(({ questionId }) => questionId ?? []),
    ),
  ]);
  const people = [
    ...page.map(({ personId }) => personId),
    ...questions.map(({ askerId }) => askerId),
    ...tasks.map(({ ownerId }) => ownerId),
  ];
  const [known, suspended] = await Promise.all([namesOf(database, people), suspendedOf(database, people)]);
  const isSuspended = (uid: string) => suspended.has(uid) || undefined;
  const presentPerson = (id: string): Report["person"] => {
    const name = known.get(id)?.name;
    return name === undefined ? { name: FORMER_MEMBER } : { id, name, suspended: isSuspended(id) };
  };
  return ({ taskId, bidId, questionId, conversationId, personId }) => {
    const task = tasks.find(({ _id }) => _id.equals(taskId));
    // A deleted task's bids are deleted a little later, so they may still exist here.
    const bid = task && bidId && bids.find(({ _id }) => _id.equals(bidId));
    const question = questionId && questions.find(({ _id }) => _id.equals(questionId));
    return {
      about: bidId ? "bid" : questionId ? "question" : conversationId ? "conversation" : "task",
      task: task && {
        title: task.title,
        description: task.description,
        screeningQuestion: task.screeningQuestion,
        name: known.get(task.ownerId)?.name ?? task.name,
        clientId: isFormerMember(task.ownerId) ? undefined : task.ownerId,
        clientSuspended: isSuspended(task.ownerId),
        hidden: task.hidden,
      },
      bid: bid && { message: bid.message, answer: bid.answer },
      question: question && {
        _id: question._id,
        text: question.text,
        answer: question.answer?.text,
        hidden: question.hidden,
        asker: presentPerson(question.askerId),
      },
      person: presentPerson(personId),
    };
  };
}

/** The documents with these ids that still exist. */
async function findAll<T extends { _id: ObjectId }>(
  collection: Collection<T>,
  ids: readonly ObjectId[],
): Promise<T[]> {
  if (ids.length === 0) return [];
  const found = collection.find({ _id: { $in: [...ids] } } as Filter<T>);
  return (await found.toArray()) as T[];
}

/** Messages of a reported conversation that operators see: the last ones before the report. */
export const SHOWN_MESSAGES = 10;

/** Whether operators see this message on this task, because its conversation was reported. */
export async function isReported({ messages, reports }: Database, _id: ObjectId, taskId: ObjectId) {
  const message = await messages.findOne({ _id });
  if (!message) return false;
  const { conversationId, number } = message;
  const showing = { taskId, conversationId, messages: { $gte: number, $lt: number + SHOWN_MESSAGES } };
  return (await reports.findOne(showing, { projection: { _id: 1 } })) !== null;
}

/** What a report stores of its subject. */
type Reported = Pick<
  ReportDoc,
  "subject" | "taskTitle" | "personId" | "bidId" | "questionId" | "conversationId" | "messages"
>;

/**
 * Finds what somebody reports: a task or a question on it that they see, a bid on their own task, or a conversation of
 * theirs, even about a deleted task.
 * @throws {ProblemError} `task-not-found`, `bid-not-found`, `question-not-found`, `conversation-not-found`, or
 *   `not-your-task` for a bid on somebody else's task.
 */
export async function findReported(
  database: Database,
  draft: ReportDraft,
  reporter: User,
): Promise<Reported> {
  const { taskId, bidId, questionId, conversationId } = draft;
  if (conversationId !== undefined) {
    const own = { _id: new ObjectId(conversationId), memberIds: reporter.uid };
    const found = await database.conversations.findOne(own);
    if (found?.taskId.toHexString() !== taskId) throw new ProblemError("conversation-not-found");
    // Operators will see the messages written until now.
    const { _id, taskTitle, clientId, freelancerId, count: messages } = found;
    const personId = reporter.uid === clientId ? freelancerId : clientId;
    const subject = `conversation:${conversationId}`;
    return { subject, taskTitle, personId, conversationId: _id, messages };
  }
  const task = await database.tasks.findOne({ _id: new ObjectId(taskId) });
  // Everybody who sees a task may report it; only its client sees the bids.
  if (bidId !== undefined) requireClient(task, reporter);
  else requireVisible(task, reporter);
  const { _id, title: taskTitle, ownerId } = task;
  if (questionId !== undefined) {
    const filter = { _id: new ObjectId(questionId), taskId: _id, hidden: false };
    // Everybody sees answered questions; only the client sees unanswered ones.
    const shown = ownerId === reporter.uid ? filter : { ...filter, answered: true };
    const question = await database.questions.findOne(shown);
    if (!question) throw new ProblemError("question-not-found");
    const subject = `question:${questionId}`;
    return { subject, taskTitle, personId: question.askerId, questionId: question._id };
  }
  if (bidId === undefined) return { subject: `task:${taskId}`, taskTitle, personId: ownerId };
  const bid = await database.bids.findOne({ _id: new ObjectId(bidId), taskId: _id });
  if (!bid) throw new ProblemError("bid-not-found");
  return { subject: `bid:${bidId}`, taskTitle, personId: bid.bidderId, bidId: bid._id };
}
