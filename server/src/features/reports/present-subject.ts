import type { ObjectId } from "mongodb";
import type { Report } from "../../contract/index.ts";
import { FORMER_MEMBER, isFormerMember } from "../../domain/notify.ts";
import type { ReportedQuestion, ReportedTask, ReportStore } from "./store.ts";

/** What a report or queue item is about, as operators see it: a task, perhaps a bid or question on it, its author. */
export type Subject = Pick<Report, "about" | "task" | "bid" | "question" | "person">;

type About = {
  taskId: ObjectId;
  bidId?: ObjectId | undefined;
  questionId?: ObjectId | undefined;
  conversationId?: ObjectId | undefined;
  personId: string;
};
type Suspended = ReadonlySet<string>;

/** Reads the subjects of a whole page. @returns a function that finds the subject of one entry. */
export async function presentSubjects(
  store: Pick<ReportStore, "findTasks" | "findBids" | "findQuestions" | "findPeople" | "suspendedOf">,
  page: readonly About[],
): Promise<(about: About) => Subject> {
  const [tasks, bids, questions, authors] = await Promise.all([
    store.findTasks(page.map(({ taskId }) => taskId)),
    store.findBids(page.flatMap(({ bidId }) => bidId ?? [])),
    store.findQuestions(page.flatMap(({ questionId }) => questionId ?? [])),
    store.findPeople(page.map(({ personId }) => personId)),
  ]);
  const people = [
    ...tasks.map(({ ownerId }) => ownerId),
    ...questions.map(({ askerId }) => askerId),
    ...authors.map(({ _id }) => _id),
  ];
  const suspended = await store.suspendedOf(people);
  return ({ taskId, bidId, questionId, conversationId, personId }) => {
    const author = authors.find(({ _id }) => _id === personId);
    const task = tasks.find((each) => each._id.equals(taskId));
    // A deleted task's bids are deleted a little later, so they may still exist here.
    const bid = task && bidId && bids.find((each) => each._id.equals(bidId));
    const question = questionId && questions.find((each) => each._id.equals(questionId));
    return {
      about: bidId ? "bid" : questionId ? "question" : conversationId ? "conversation" : "task",
      task: task && presentTask(task, suspended),
      bid: bid && { message: bid.message, answer: bid.answer },
      question: question && presentQuestion(question, suspended),
      person: author
        ? { id: personId, name: author.name, suspended: suspended.has(personId) || undefined }
        : { name: FORMER_MEMBER },
    };
  };
}

function presentTask(task: ReportedTask, suspended: Suspended): Subject["task"] {
  const { title, description, screeningQuestion, name, ownerId, hidden } = task;
  return {
    title,
    description,
    screeningQuestion,
    name,
    clientId: isFormerMember(ownerId) ? undefined : ownerId,
    clientSuspended: suspended.has(ownerId) || undefined,
    hidden,
  };
}

function presentQuestion(question: ReportedQuestion, suspended: Suspended): Subject["question"] {
  const { _id, text, answer, hidden, asker } = question;
  return {
    _id: _id.toHexString(),
    text,
    answer: answer?.text,
    hidden,
    asker: asker ? { ...asker, suspended: suspended.has(asker.id) || undefined } : { name: FORMER_MEMBER },
  };
}
