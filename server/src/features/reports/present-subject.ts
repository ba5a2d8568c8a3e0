import type { ObjectId } from "mongodb";
import type { Report } from "../../contract/index.ts";
import { FORMER_MEMBER } from "../../db/notices.ts";
import type { ReportedBid, ReportedQuestion, ReportedTask, ReportStore } from "./report-store.ts";

/** Is this person's account suspended? Comes from the feature of suspensions. */
export type IsSuspended = (uid: string) => Promise<boolean>;

/** The task, and perhaps the bid or question on it, that something is about, as operators see them. */
type Subject = Pick<Report, "task" | "bid" | "question">;

type About = { taskId: ObjectId; bidId?: ObjectId | undefined; questionId?: ObjectId | undefined };
type Suspended = ReadonlySet<string | undefined>;

/** Reads what these are about, all at once. @returns finds the subject of one of them. */
export async function presentSubjects(
  store: Pick<ReportStore, "findTasks" | "findBids" | "findQuestions">,
  page: readonly About[],
  isSuspended: IsSuspended,
): Promise<(about: About) => Subject> {
  const [tasks, bids, questions] = await Promise.all([
    store.findTasks(page.map(({ taskId }) => taskId)),
    store.findBids(page.flatMap(({ bidId }) => bidId ?? [])),
    store.findQuestions(page.flatMap(({ questionId }) => questionId ?? [])),
  ]);
  const people = [
    ...tasks.map(({ ownerId }) => ownerId),
    ...bids.map(({ bidderId }) => bidderId),
    ...questions.map(({ askerId }) => askerId),
  ];
  const suspended: Suspended = new Set(
    await Promise.all(people.map(async (uid) => ((await isSuspended(uid)) ? uid : undefined))),
  );
  return ({ taskId, bidId, questionId }) => {
    const task = tasks.find((each) => each._id.equals(taskId));
    // The bids of a deleted task go with it, though not at the same moment.
    const bid = task && bidId && bids.find((each) => each._id.equals(bidId));
    const question = questionId && questions.find((each) => each._id.equals(questionId));
    return {
      ...(task && { task: presentTask(task, suspended) }),
      ...(bid && { bid: presentBid(bid, suspended) }),
      ...(question && { question: presentQuestion(question, suspended) }),
    };
  };
}

function presentTask(task: ReportedTask, suspended: Suspended): Subject["task"] {
  const { title, description, screeningQuestion, name, ownerId: clientId, hidden } = task;
  return {
    title,
    description,
    screeningQuestion,
    name,
    clientId,
    clientSuspended: suspended.has(clientId) || undefined,
    hidden,
  };
}

function presentBid(bid: ReportedBid, suspended: Suspended): Subject["bid"] {
  const { bidderName: name, bidderId: freelancerId, message, answer } = bid;
  const freelancerSuspended = suspended.has(freelancerId) || undefined;
  return { name, freelancerId, freelancerSuspended, message, answer };
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
