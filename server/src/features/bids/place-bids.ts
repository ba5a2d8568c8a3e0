import { type ClientSession, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { type BidDraft, calendarDate } from "../../contract/index.ts";
import { type Database, isDuplicateKey, READ_LIMITS } from "../../db/client.ts";
import type { DailyLimit } from "../../db/daily-limit.ts";
import type { BidDoc, MessagePrint } from "../../db/documents/bids.ts";
import { notify } from "../../db/notices.ts";
import { markContactData } from "../../db/operators.ts";
import { isDatabaseOutage } from "../../db/outage.ts";
import { takingBids, VISIBLE } from "../../db/task-conditions.ts";
import { currentRequest, type Outcome, type RequestContext, RequestExpired } from "../../db/transaction.ts";
import { createBatcher } from "./batcher.ts";
import {
  BID_TARGET,
  type BidConditions,
  type BidTarget,
  changedBid,
  newBid,
  whyNoBid,
} from "./bid-policy.ts";
import { messagePrint, type SentMessage, withPrint } from "./similar-messages.ts";

/** A new bid or a change of one, as a request asks for it. */
type Placing = BidConditions & {
  taskId: ObjectId;
  bidder: User;
  draft: BidDraft;
  /** Fingerprint of the draft's message. */
  print: MessagePrint | undefined;
  /** The request it came with: its deadline and `Idempotency-Key` apply even inside a batch. */
  request: RequestContext | undefined;
};
/** An accepted bid: `before` is the stored one that it replaces. */
type Change = { task: BidTarget; bidder: User; before: BidDoc | undefined; bid: BidDoc };
const BATCH = { maxSize: 32, maxDelayMs: 3 };

const SENT = { bidderId: 1, taskId: 1, print: 1 } as const;
/** How many of a bidder's messages that share a key with a new one are compared with it. */
const MAX_COMPARED = 200;

/** A first bid would be refused, but the bidder may already have one: read existing bids and try again. */
class ExistingBidPossible extends Error {}

const requestExpired = () => new RequestExpired("nothing more is written for this request");

/**
 * Places and changes bids, and keeps the `bidsCount` of their tasks exact.
 *
 * A bid, its task's count and the client's notification are written in one transaction. Because it also writes the
 * task, a concurrent change of the task, or a bid on it from another instance, collides, and one of the two is tried
 * again. A database call costs as much for thirty bids as for one, so bids that arrive together share a transaction,
 * which also keeps bids on one task from colliding.
 * @returns a function that places a bid or changes the existing one. The amount defaults to the task's budget. A bid
 *   identical to the existing one is never refused.
 */
export function bidPlacer(database: Database, dailyLimit: DailyLimit) {
  const { tasks, bids, notifications, sharedTransactionOn } = database;
  /** Decides on each bid of the batch, and stores the accepted ones. */
  async function placeBatch(batch: readonly Placing[], readExisting: boolean, session: ClientSession) {
    // One instant for all, so that around midnight (UTC) a batch counts for one day.
    const now = new Date(Math.max(...batch.map((placing) => placing.now.getTime())));
    const known = await readBatch(batch, readExisting, now, session);
    const firstBids = new Map<string, number>();
    const changes: Change[] = [];
    const outcomes = batch.map(({ taskId, bidder, draft, print, versions, now: sentAt }): Outcome => {
      const task = known.tasks.get(taskId.toHexString());
      if (!task) return { refused: "task-not-found" };
      const key = pairKey({ taskId, bidderId: bidder.uid });
      const before = known.bids.get(key);
      const drafted = before
        ? changedBid(task, before, bidder, draft, sentAt)
        : newBid(task, bidder, draft, sentAt);
      if (!drafted) return { changed: false };
      const count = (firstBids.get(bidder.uid) ?? 0) + 1;
      const isOverLimit = !before && count > (known.left.get(bidder.uid) ?? dailyLimit.perDay);
      const refusal =
        whyNoBid(task, drafted, draft, { now, versions }) ??
        (isOverLimit ? dailyLimit.refusal(now) : undefined);
      if (refusal && !readExisting) throw new ExistingBidPossible();
      if (refusal) return refusal;
      if (!before) firstBids.set(bidder.uid, count);
      const bid =
        drafted.message === before?.message ? drafted : withPrint(drafted, print, known.sent.values());
      known.bids.set(key, bid);
      known.sent.set(key, bid);
      changes.push({ task, bidder, before, bid });
      return { changed: true };
    });
    if (changes.length > 0) await store(changes, firstBids, now, session);
    return outcomes;
  }

  /** Reads what the decisions depend on; bids and daily counts only if `readExisting`. */
  async function readBatch(
    batch: readonly Placing[],
    readExisting: boolean,
    now: Date,
    session: ClientSession,
  ) {
    const options = { session, ...READ_LIMITS };
    const pairs = batch.map(({ taskId, bidder }) => ({ taskId, bidderId: bidder.uid }));
    const ids = { _id: { $in: batch.map(({ taskId }) => taskId) } };
    const found = await tasks.find<BidTarget>(ids, { ...options, projection: BID_TARGET }).toArray();
    const existing = readExisting ? await bids.find({ $or: pairs }, options).toArray() : [];
    const bidders = pairs.map(({ bidderId }) => bidderId);
    const left = readExisting
      ? await dailyLimit.left(bidders, calendarDate(now), { session })
      : new Map<string, number>();
    const sent = await findSimilarMessages(batch, session);
    return {
      tasks: new Map(found.map((task) => [task._id.toHexString(), task])),
      bids: new Map(existing.map((bid) => [pairKey(bid), bid])),
      left,
      sent: new Map(sent.map((message) => [pairKey(message), message])),
    };
  }

  /** Reads messages that the bidders sent before and that may be nearly the same as their new ones. */
  async function findSimilarMessages(batch: readonly Placing[], session: ClientSession) {
    const keysOf = new Map<string, number[]>();
    for (const { bidder, print } of batch)
      if (print) keysOf.set(bidder.uid, [...(keysOf.get(bidder.uid) ?? []), ...print.keys]);
    const found: SentMessage[] = [];
    // One query for each bidder, so that the limit is theirs alone; a session runs one operation at a time.
    for (const [bidderId, keys] of keysOf) {
      const options = { session, projection: SENT, limit: MAX_COMPARED, ...READ_LIMITS };
      found.push(...(await bids.find({ bidderId, "print.keys": { $in: keys } }, options).toArray()));
    }
    return found;
  }

  async function store(
    changes: readonly Change[],
    firstBids: ReadonlyMap<string, number>,
    now: Date,
    session: ClientSession,
  ): Promise<void> {
    const today = calendarDate(now);
    await dailyLimit.add(firstBids, today, session);
    const increments = incrementsOf(changes);
    const { matchedCount } = await tasks.bulkWrite(
      increments.map(({ ids, $inc }) => ({
        updateMany: {
          filter: { _id: { $in: ids }, ...takingBids(today), ...VISIBLE },
          update: { $inc },
          // Keeps the planner from weighing other indexes.
          hint: "_id_",
        },
      })),
      { session },
    );
    const expected = increments.flatMap(({ ids }) => ids).length;
    if (matchedCount < expected) throw new Error("a task takes no bids, against what was just read");
    const writes = changes.map(({ before, bid }) =>
      before
        ? { replaceOne: { filter: { _id: bid._id, taskId: bid.taskId }, replacement: bid } }
        : { insertOne: { document: bid } },
    );
    await bids.bulkWrite(writes, { session });
    const notices = changes.map(({ task, bidder, before, bid }) => {
      const kind = before ? ("bid-changed" as const) : ("new-bid" as const);
      return { recipientId: task.ownerId, kind, task, asClient: true, actor: bidder, amount: bid.amount };
    });
    await notify(notifications, notices, { session, now });
    for (const { before, bid } of changes) {
      const { _id: bidId, taskId, bidderId: personId, message, answer } = bid;
      if (message === before?.message && answer === before?.answer) continue;
      const subject = { taskId, bidId, personId };
      await markContactData(database, { message, answer }, subject, { session, now });
    }
  }

  async function placeAll(batch: readonly Placing[]): Promise<(Outcome | Error)[]> {
    // A bid without terms is nearly always a valid first one; if not, a unique index or a refusal shows that. A bid
    // with terms may be a change.
    let readExisting = batch.some(({ draft }) => Object.values(draft).some((value) => value !== undefined));
    for (;;) {
      const live = batch.filter(({ request }) => !request?.isExpired);
      if (live.length === 0) return batch.map(requestExpired);
      try {
        const outcomes = await sharedTransactionOn(
          live.map(({ taskId }) => taskId),
          live.map(({ request }) => request),
          (session) => placeBatch(live, readExisting, session),
        );
        return batch.map((placing) => outcomes[live.indexOf(placing)] ?? requestExpired());
      } catch (error) {
        if (!readExisting && (isDuplicateKey(error) || error instanceof ExistingBidPossible))
          readExisting = true;
        // One bid that cannot be stored must not fail the others.
        else if (live.length > 1 && !isDatabaseOutage(error)) return placeEach(batch);
        // A request that expired is left out of the next attempt.
        else if (!(error instanceof RequestExpired)) throw error;
      }
    }
  }

  async function placeEach(batch: readonly Placing[]): Promise<(Outcome | Error)[]> {
    const outcomes: (Outcome | Error)[] = [];
    for (const placing of batch)
      outcomes.push(...(await placeAll([placing]).catch((error: Error) => [error])));
    return outcomes;
  }

  const place = createBatcher(placeAll, BATCH);

  return async (
    id: string,
    bidder: User,
    draft: BidDraft,
    { now, versions }: BidConditions,
  ): Promise<Outcome> => {
    const request = currentRequest();
    const earlier = request?.record?.takeOutcome();
    if (earlier) return earlier.value as Outcome;
    return place({
      taskId: new ObjectId(id),
      bidder,
      draft,
      print: messagePrint(draft.message),
      now,
      versions,
      request,
    });
  };
}

const pairKey = ({ taskId, bidderId }: Pick<BidDoc, "taskId" | "bidderId">) =>
  `${taskId.toHexString()} ${bidderId}`;

/** The increments of the tasks' counts. One update for all tasks with equal increments is cheaper than one for each. */
function incrementsOf(changes: readonly Change[]) {
  const byTask = new Map<string, { bidsCount: number; bidsRevision: number }>();
  for (const { task, before } of changes) {
    const id = task._id.toHexString();
    const { bidsCount, bidsRevision } = byTask.get(id) ?? { bidsCount: 0, bidsRevision: 0 };
    byTask.set(id, { bidsCount: bidsCount + (before ? 0 : 1), bidsRevision: bidsRevision + 1 });
  }
  const groups = new Map<string, { $inc: { bidsCount: number; bidsRevision: number }; ids: ObjectId[] }>();
  for (const [id, $inc] of byTask) {
    const key = `${$inc.bidsCount} ${$inc.bidsRevision}`;
    const group = groups.get(key) ?? { $inc, ids: [] };
    group.ids.push(new ObjectId(id));
    groups.set(key, group);
  }
  return [...groups.values()];
}
