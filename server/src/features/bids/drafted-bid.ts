import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { BidDraft } from "../../contract/index.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import type { Outcome } from "../../db/transaction.ts";

type Target = Pick<TaskDoc, "_id" | "budget" | "screeningQuestion">;

/** A first bid as the draft has it: at the task's budget unless it names another amount. */
export function newBid(task: Target, bidder: User, draft: BidDraft, now: Date): BidDoc {
  return {
    _id: new ObjectId(),
    taskId: task._id,
    ...bidderFields(bidder),
    amount: draft.amount ?? task.budget,
    ...(draft.days != null && { days: draft.days }),
    ...(draft.message && { message: draft.message }),
    ...answerOf(task, draft),
    state: "placed",
    createdAt: now,
    updatedAt: now,
  };
}

/** The bid with what the draft names; undefined if that is nothing new. `days: null` and an empty message take them back. */
export function changedBid(
  task: Target,
  bid: BidDoc,
  bidder: User,
  draft: BidDraft,
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
    answer === bid.answer;
  if (isSame) return undefined;
  const { days: _days, message: _message, ...kept } = bid;
  return {
    ...kept,
    ...bidderFields(bidder),
    amount,
    ...(days !== undefined && { days }),
    ...(message !== undefined && { message }),
    ...(question !== undefined && answer !== undefined && { question, answer }),
    // Each change has its own: an award names the one that the client read.
    updatedAt: new Date(Math.max(now.getTime(), bid.updatedAt.getTime() + 1)),
  };
}

function bidderFields({ uid, name, email, picture }: User) {
  return {
    bidderId: uid,
    bidderName: name,
    bidderEmail: email,
    ...(picture !== undefined && { bidderImage: picture }),
  };
}

/** The draft's answer with the question that it is for; a task that asks nothing takes none. */
function answerOf({ screeningQuestion }: Target, { answer }: BidDraft): Pick<BidDoc, "question" | "answer"> {
  return screeningQuestion === undefined || answer === undefined
    ? {}
    : { question: screeningQuestion, answer };
}

/**
 * Why the bid does not do for the task's screening question; undefined if it does. A bid that was placed before the
 * question stands, and answers it with its next change.
 */
export function whyNotAnswered(
  { screeningQuestion }: Target,
  bid: BidDoc,
  draft: BidDraft,
): Outcome | undefined {
  if (screeningQuestion === undefined) return undefined;
  const isOther = draft.question !== undefined && draft.question !== screeningQuestion;
  if (!isOther && bid.question === screeningQuestion) return undefined;
  const detail = isOther
    ? `The client asks another question now: “${screeningQuestion}”`
    : `The client asks every bidder: “${screeningQuestion}”`;
  return { refused: "invalid", detail, errors: [{ pointer: "#/answer", detail }] };
}
