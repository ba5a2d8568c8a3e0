import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { type BidDraft, calendarDate, isOpen } from "../../contract/index.ts";
import { type Database, isDuplicateKey } from "../../db/client.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import { type TaskDoc, WITHOUT_KEYS } from "../../db/documents/tasks.ts";
import type { DailyLimit } from "../../domain/daily-limit.ts";
import { attachFiles } from "../../domain/files.ts";
import { notifySide } from "../../domain/notify.ts";
import { markContactData } from "../../domain/operators.ts";
import { changedMeanwhile, invalid, ProblemError } from "../../domain/problem-error.ts";
import { canSee, takingBids, VISIBLE } from "../../domain/task-conditions.ts";
import { messagePrint, type SentMessage, withPrint } from "./similar-messages.ts";

/** When a bid is placed, and the versions of the task that it is for (undefined: any). */
type BidConditions = { now: Date; versions?: readonly number[] | undefined };

const SENT = { taskId: 1, print: 1 } as const;
/** How many of a bidder's messages that share a key with a new one are compared with it. */
const MAX_COMPARED = 200;

/** A first bid would be refused, but the bidder may already have one: read it and try again. */
class ExistingBidPossible extends Error {}

/**
 * Places and changes bids, and keeps the `bidsCount` of their tasks exact.
 *
 * A bid, its task's count and the client's notification are written in one transaction. Because it also writes the
 * task, a concurrent change of the task, or a bid on it from another instance, collides, and one of the two is tried
 * again. Bids on one task wait for each other, those on others do not.
 * @returns a function that places a bid or changes the existing one. The amount defaults to the task's budget. A bid
 *   identical to the existing one is never refused.
 */
export function bidPlacer(database: Database, dailyLimit: DailyLimit) {
  const { tasks, bids, transactionOn } = database;

  return async (
    taskId: ObjectId,
    bidder: User,
    draft: BidDraft,
    { now, versions }: BidConditions,
  ): Promise<boolean> => {
    const today = calendarDate(now);
    const print = draft.message ? messagePrint(draft.message) : undefined;

    /** The bid with its fingerprint, compared with messages that the bidder sent before. */
    async function compared(bid: BidDoc): Promise<BidDoc> {
      const alike = { bidderId: bidder.uid, "print.keys": { $in: print?.keys ?? [] } };
      const sent: SentMessage[] = print
        ? await bids.find(alike, { projection: SENT, limit: MAX_COMPARED }).toArray()
        : [];
      return withPrint(bid, print, sent);
    }

    async function place(readExisting: boolean): Promise<boolean> {
      const takesBids = { _id: taskId, ...takingBids(today), ...VISIBLE };
      const raised = (by: 0 | 1) => ({ $inc: { bidsCount: by, bidsRevision: 1 } });
      // Keeps the planner from weighing other indexes.
      const byId = { hint: { _id: 1 } };
      const read = { ...byId, projection: WITHOUT_KEYS };
      const task: TaskDoc | null = readExisting
        ? await tasks.findOne({ _id: taskId }, read)
        : await tasks.findOneAndUpdate(takesBids, raised(1), read);
      if (!task) throw readExisting ? new ProblemError("task-not-found") : new ExistingBidPossible();
      const own = { taskId, bidderId: bidder.uid };
      const before = readExisting ? await bids.findOne(own) : null;
      const attach = async (on: ObjectId) => {
        if (!draft.files) return false;
        const place = { kind: "bid" as const, on, taskId, by: "freelancer" as const };
        const readers = [bidder.uid, task.ownerId];
        return attachFiles(database, bidder.uid, draft.files, { ...place, readers }, now);
      };
      const drafted = before
        ? changedBid(task, before, bidder, { ...draft, hasOtherFiles: await attach(before._id) }, now)
        : newBid(task, bidder, draft, now);
      if (!drafted) return false;
      const refusal =
        whyNoBid(task, drafted, draft, { now, versions }) ??
        (readExisting && !before ? await dailyLimit.refusal(bidder.uid, now) : undefined);
      if (refusal && !readExisting) throw new ExistingBidPossible();
      if (refusal) throw refusal;
      const bid = drafted.message === before?.message ? drafted : await compared(drafted);
      if (!before) await dailyLimit.add(bidder.uid, today);
      if (readExisting) {
        const { matchedCount } = await tasks.updateOne(takesBids, raised(before ? 0 : 1), byId);
        if (matchedCount === 0) throw new Error("a task takes no bids, against what was just read");
      }
      if (before) await bids.replaceOne({ _id: bid._id, taskId }, bid);
      else await bids.insertOne(bid);
      if (!before) await attach(bid._id);
      const kind = before ? "bid-changed" : "new-bid";
      await notifySide(database, "client", task, { kind, actor: bidder, amount: bid.amount }, now);
      const { _id: bidId, message, answer } = bid;
      if (message !== before?.message || answer !== before?.answer)
        await markContactData(database, { message, answer }, { taskId, bidId, personId: bidder.uid }, now);
      return true;
    }

    const placing = (readExisting: boolean) => transactionOn(taskId, () => place(readExisting));
    // A bid without terms is nearly always a valid first one; if not, a unique index or a refusal shows that. A bid
    // with terms may be a change.
    if (Object.values(draft).some((value) => value !== undefined)) return placing(true);
    return placing(false).catch((error: unknown) => {
      if (isDuplicateKey(error) || error instanceof ExistingBidPossible) return placing(true);
      throw error;
    });
  };
}

/** A first bid made from a draft. The amount defaults to the task's budget. */
function newBid(task: TaskDoc, bidder: User, draft: BidDraft, now: Date): BidDoc {
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
function changedBid(
  task: TaskDoc,
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
function answerOf({ screeningQuestion }: TaskDoc, { answer }: BidDraft): Pick<BidDoc, "question" | "answer"> {
  return screeningQuestion === undefined || answer === undefined
    ? {}
    : { question: screeningQuestion, answer };
}

/** Why this bidder cannot bid on the task now; undefined if they can. */
function whyNoBid(
  task: TaskDoc,
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
  { screeningQuestion }: TaskDoc,
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
