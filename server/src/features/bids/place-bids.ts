import { type AnyBulkWriteOperation, type ClientSession, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { type BidDraft, calendarDate, type ErrorCode, isOpen } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { BidDoc, TaskDoc } from "../../db/documents.ts";
import { isDuplicateKey, READ_LIMITS } from "../../db/mongo.ts";
import { type Notice, notify } from "../../db/notices.ts";
import { isSideOf, takingBids, VISIBLE } from "../../db/task-conditions.ts";
import type { Outcome } from "../../db/transaction.ts";
import { currentRequest, type RequestContext, RequestExpired } from "../../db/transaction.ts";
import { createBatcher } from "./batcher.ts";

/** A first bid, or a change of one, by the request that it came with. */
type Placing = {
  taskId: ObjectId;
  bidder: User;
  draft: BidDraft;
  now: Date;
  /** Whose deadline and `Idempotency-Key` hold for it, whatever batch it goes with. */
  request: RequestContext | undefined;
};
type Target = Pick<
  TaskDoc,
  "_id" | "title" | "budget" | "ownerId" | "award" | "state" | "deadline" | "hidden"
>;

const TARGET = {
  title: 1,
  budget: 1,
  ownerId: 1,
  "award.freelancerId": 1,
  state: 1,
  deadline: 1,
  hidden: 1,
} as const;
const BATCH = { maxSize: 32, maxDelayMs: 3 };

const late = () => new RequestExpired("the request's deadline has passed");

/**
 * Places bids and changes them, and keeps `bidsCount` of their tasks exact.
 *
 * A bid is written, counted and told of in one transaction. What it reads holds until it commits, because it writes the
 * tasks too: whoever changes one of them meanwhile, or bids on it elsewhere, collides, and one of the two starts over.
 * Each call of the database costs as much for thirty bids as for one, so bids that arrive together share a transaction,
 * which also keeps bids on one task from colliding.
 * @returns places a bid or changes the one that is there: at the task's budget unless the draft says otherwise.
 */
export function bidPlacer({
  tasks,
  bids,
  notifications,
  sharedTransactionOn,
}: Pick<Database, "tasks" | "bids" | "notifications" | "sharedTransactionOn">) {
  async function write(batch: readonly Placing[], lookFirst: boolean, session: ClientSession) {
    const found = await tasks
      .find<Target>(
        { _id: { $in: batch.map(({ taskId }) => taskId) } },
        { session, projection: TARGET, ...READ_LIMITS },
      )
      .toArray();
    const taskOf = new Map(found.map((task) => [task._id.toHexString(), task]));
    const pairs = batch.map(({ taskId, bidder }) => ({ taskId, bidderId: bidder.uid }));
    const placed = lookFirst ? await bids.find({ $or: pairs }, { session, ...READ_LIMITS }).toArray() : [];
    const bidOf = new Map(placed.map((bid) => [pairKey(bid), bid]));
    const writes: AnyBulkWriteOperation<BidDoc>[] = [];
    const notices: Notice[] = [];
    const counts = new Map<string, { bids: number; changes: number }>();

    const outcomes = batch.map(({ taskId, bidder, draft, now }): Outcome => {
      const task = taskOf.get(taskId.toHexString());
      if (!task) return { refused: "task-not-found" };
      const key = pairKey({ taskId, bidderId: bidder.uid });
      const before = bidOf.get(key);
      const bid = before ? changed(before, bidder, draft, now) : newBid(task, bidder, draft, now);
      if (!bid) return { changed: false };
      const refused = whyNoBid(task, bidder, now);
      if (refused) return { refused };
      bidOf.set(key, bid);
      writes.push(
        before
          ? { replaceOne: { filter: { _id: bid._id }, replacement: bid } }
          : { insertOne: { document: bid } },
      );
      const count = counts.get(taskId.toHexString()) ?? { bids: 0, changes: 0 };
      counts.set(taskId.toHexString(), { bids: count.bids + (before ? 0 : 1), changes: count.changes + 1 });
      notices.push({
        recipientId: task.ownerId,
        kind: before ? "bid-changed" : "new-bid",
        task,
        asClient: true,
        actor: bidder,
        amount: bid.amount,
      });
      return { changed: true };
    });
    if (writes.length === 0) return outcomes;

    const [{ now }] = batch as [Placing];
    const { matchedCount } = await tasks.bulkWrite(
      increments(counts).map(({ ids, count }) => ({
        updateMany: {
          filter: { _id: { $in: ids }, ...takingBids(calendarDate(now)), ...VISIBLE },
          update: { $inc: { bidsCount: count.bids, bidsRevision: count.changes } },
          // Keeps the planner from weighing other indexes.
          hint: "_id_",
        },
      })),
      { session },
    );
    if (matchedCount < counts.size) throw new Error("a task takes no bids, against what was just read");
    await bids.bulkWrite(writes, { session });
    await notify(notifications, notices, { session, now });
    return outcomes;
  }

  async function placeAll(batch: readonly Placing[]): Promise<(Outcome | Error)[]> {
    // A click without terms is nearly always a first bid: the unique index tells if it is not. Terms may be a change.
    let lookFirst = batch.some(({ draft }) => Object.values(draft).some((value) => value !== undefined));
    for (;;) {
      const live = batch.filter(({ request }) => !request?.signal.aborted);
      if (live.length === 0) return batch.map(late);
      try {
        const outcomes = await sharedTransactionOn(
          live.map(({ taskId }) => taskId),
          live.map(({ request }) => request),
          (session) => write(live, lookFirst, session),
        );
        return batch.map((placing) => outcomes[live.indexOf(placing)] ?? late());
      } catch (error) {
        if (isDuplicateKey(error) && !lookFirst) lookFirst = true;
        // The others of the batch have time left.
        else if (!(error instanceof RequestExpired)) throw error;
      }
    }
  }

  const place = createBatcher(placeAll, BATCH);

  return async (id: string, bidder: User, draft: BidDraft, now: Date): Promise<Outcome> => {
    const request = currentRequest();
    const earlier = request?.record?.takeOutcome();
    if (earlier) return earlier.value as Outcome;
    return place({ taskId: new ObjectId(id), bidder, draft, now, request });
  };
}

/** Why may this person not place or change a bid on the task now? Undefined if they may. */
function whyNoBid(task: Target, bidder: User, now: Date): ErrorCode | undefined {
  if (task.ownerId === bidder.uid) return "own-task";
  if (task.hidden && !isSideOf(task, bidder.uid)) return "task-not-found";
  if (task.state !== "open") return "task-not-open";
  if (!isOpen(task.deadline, now)) return "task-expired";
  return undefined;
}

function newBid({ _id: taskId, budget }: Target, bidder: User, draft: BidDraft, now: Date): BidDoc {
  return {
    _id: new ObjectId(),
    taskId,
    ...bidderFields(bidder),
    amount: draft.amount ?? budget,
    ...(draft.days != null && { days: draft.days }),
    ...(draft.message && { message: draft.message }),
    state: "placed",
    createdAt: now,
    updatedAt: now,
  };
}

/** The bid with what the draft names; undefined if that is nothing new. `days: null` and an empty message take them back. */
function changed(bid: BidDoc, bidder: User, draft: BidDraft, now: Date): BidDoc | undefined {
  const { amount = bid.amount } = draft;
  const days = draft.days === undefined ? bid.days : (draft.days ?? undefined);
  const message = draft.message === undefined ? bid.message : draft.message || undefined;
  if (amount === bid.amount && days === bid.days && message === bid.message) return undefined;
  const { days: _days, message: _message, ...kept } = bid;
  return {
    ...kept,
    ...bidderFields(bidder),
    amount,
    ...(days !== undefined && { days }),
    ...(message !== undefined && { message }),
    updatedAt: now,
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

const pairKey = ({ taskId, bidderId }: Pick<BidDoc, "taskId" | "bidderId">) =>
  `${taskId.toHexString()} ${bidderId}`;

/** One update for all tasks that get as many bids costs half of one for each. */
function increments(counts: ReadonlyMap<string, { bids: number; changes: number }>) {
  const groups = new Map<string, { count: { bids: number; changes: number }; ids: ObjectId[] }>();
  for (const [id, count] of counts) {
    const key = `${count.bids} ${count.changes}`;
    const group = groups.get(key) ?? { count, ids: [] };
    group.ids.push(new ObjectId(id));
    groups.set(key, group);
  }
  return [...groups.values()];
}
