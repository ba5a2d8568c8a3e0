import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { type BidDraft, isOpen } from "../../contract/index.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { changedMeanwhile, invalid, ProblemError } from "../../domain/problem-error.ts";
import { canSee } from "../../domain/task-conditions.ts";

export const BID_TARGET = {
  title: 1,
  budget: 1,
  ownerId: 1,
  award: 1,
  state: 1,
  deadline: 1,
  hidden: 1,
  screeningQuestion: 1,
  revision: 1,
} as const;
/** What bidding needs to know about a task. */
export type BidTarget = Pick<TaskDoc, "_id" | keyof typeof BID_TARGET>;

/** When a bid is placed, and the versions of the task that it is for (undefined: any). */
export type BidConditions = { now: Date; versions?: readonly number[] | undefined };

/** A first bid made from a draft. The amount defaults to the task's budget. */
export function newBid(task: BidTarget, bidder: User, draft: BidDraft, now: Date): BidDoc {
  return {
    _id: new ObjectId(),
    taskId: task._id,
    ...bidderFields(bidder),
    amount: draft.amount ?? task.budget,
    days: draft.days ?? undefined,
    message: draft.message || undefined,
    ...answerOf(task, draft),
    state: "placed",
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * The bid with the draft's changes; undefined if nothing changes. `days: null` and an empty message remove the field.
 */
export function changedBid(
  task: BidTarget,
  bid: BidDoc,
  bidder: User,
  { hasOtherFiles, ...draft }: BidDraft & { hasOtherFiles: boolean },
  now: Date,
): BidDoc | undefined {
  const { amount = bid.amount } = draft;
  const days = draft.days === undefined ? bid.days : (draft.days ?? undefined);
  const message = draft.message === undefined ? bid.message : draft.message || undefined;
  const { question = bid.question, answer = bid.answer } = answerOf(task, draft);
  const isSame =
    amount === bid.amount &&
    days === bid.days &&
    message === bid.message &&
    question === bid.question &&
    answer === bid.answer &&
    !hasOtherFiles;
  if (isSame) return undefined;
  return {
    ...bid,
    ...bidderFields(bidder),
    amount,
    days,
    message,
    question,
    answer,
    // Unique for each change, because an award names the change that the client read.
    updatedAt: new Date(Math.max(now.getTime(), bid.updatedAt.getTime() + 1)),
  };
}

function bidderFields({ uid, name, email, picture }: User) {
  return { bidderId: uid, bidderName: name, bidderEmail: email, bidderImage: picture };
}

/** The draft's answer with the question that it answers; nothing if the task asks no question. */
function answerOf(
  { screeningQuestion }: BidTarget,
  { answer }: BidDraft,
): Pick<BidDoc, "question" | "answer"> {
  return screeningQuestion === undefined || answer === undefined
    ? {}
    : { question: screeningQuestion, answer };
}

/** Why this bidder cannot bid on the task now; undefined if they can. */
export function whyNoBid(
  task: BidTarget,
  bid: BidDoc,
  draft: BidDraft,
  { now, versions }: BidConditions,
): ProblemError | undefined {
  const { bidderId: uid } = bid;
  if (task.ownerId === uid) return new ProblemError("own-task");
  // Operators see hidden tasks too, but nobody bids on them.
  if (!canSee(task, { uid })) return new ProblemError("task-not-found");
  if (task.state !== "open") return new ProblemError("task-not-open");
  if (!isOpen(task.deadline, now)) return new ProblemError("task-expired");
  const unanswered = whyNotAnswered(task, bid, draft);
  if (unanswered) return unanswered;
  if (versions && !versions.includes(task.revision)) return changedMeanwhile(task.revision, CHANGED);
  return undefined;
}

const CHANGED = "The client has changed this task since you read it: look at it again before you bid.";

/** The refusal of a bid that does not answer the task's current screening question; undefined if it does. */
function whyNotAnswered(
  { screeningQuestion }: BidTarget,
  bid: BidDoc,
  draft: BidDraft,
): ProblemError | undefined {
  if (screeningQuestion === undefined) return undefined;
  const isOther = draft.question !== undefined && draft.question !== screeningQuestion;
  if (!isOther && bid.question === screeningQuestion) return undefined;
  const detail = isOther
    ? `The client now asks a different question: “${screeningQuestion}”`
    : `The client asks every bidder: “${screeningQuestion}”`;
  return invalid("answer", detail);
}
