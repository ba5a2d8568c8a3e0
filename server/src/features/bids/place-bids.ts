import { type AnyBulkWriteOperation, type ClientSession, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { type BidDraft, calendarDate, type ErrorCode, isOpen } from "../../contract/index.ts";
import { type Database, isDuplicateKey, READ_LIMITS } from "../../db/client.ts";
import type { BidDoc, MessagePrint } from "../../db/documents/bids.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { type Notice, notify } from "../../db/notices.ts";
import { markContactData } from "../../db/operators.ts";
import { isDatabaseOutage } from "../../db/outage.ts";
import { canSee, takingBids, VISIBLE } from "../../db/task-conditions.ts";
import { currentRequest, type Outcome, type RequestContext, RequestExpired } from "../../db/transaction.ts";
import { createBatcher } from "./batcher.ts";
import type { BidDays } from "./bid-days.ts";
import { changedBid, newBid, whyNotAnswered } from "./drafted-bid.ts";
import { countSentTo, findSentMessages, type SentMessage } from "./sent-messages.ts";
import { messagePrint } from "./similar-messages.ts";

/** When a bid is placed, and the versions of the task that it is for; undefined for any. */
export type BidConditions = { now: Date; versions?: readonly number[] | undefined };

/** A first bid, or a change of one, by the request that it came with. */
type Placing = BidConditions & {
  taskId: ObjectId;
  bidder: User;
  draft: BidDraft;
  /** Of the draft's message. */
  print: MessagePrint | undefined;
  /** Whose deadline and `Idempotency-Key` hold for it, whatever batch it goes with. */
  request: RequestContext | undefined;
};
type Target = Pick<
  TaskDoc,
  | "_id"
  | "title"
  | "budget"
  | "ownerId"
  | "award"
  | "state"
  | "deadline"
  | "hidden"
  | "screeningQuestion"
  | "revision"
>;

const TARGET = {
  title: 1,
  budget: 1,
  ownerId: 1,
  "award.freelancerId": 1,
  state: 1,
  deadline: 1,
  hidden: 1,
  screeningQuestion: 1,
  revision: 1,
} as const;
const BATCH = { maxSize: 32, maxDelayMs: 3 };

/** A bid that would be refused as a first one may be none: what is there has to be looked up. */
class LookFirst extends Error {}

const CHANGED = "The client has changed this task since you read it: look at it again before you bid.";

const over = () => new RequestExpired("nothing more is written for this request");

/**
 * Places bids and changes them, and keeps `bidsCount` of their tasks exact.
 *
 * A bid is written, counted and told of in one transaction. What it reads holds until it commits, because it writes the
 * tasks too: whoever changes one of them meanwhile, or bids on it elsewhere, collides, and one of the two starts over.
 * Each call of the database costs as much for thirty bids as for one, so bids that arrive together share a transaction,
 * which also keeps bids on one task from colliding.
 * @param days how many bids people can place on one day.
 * @returns places a bid or changes the one that is there: at the task's budget unless the draft says otherwise. A bid that is
 *   there already, as it is, is never refused.
 */
export function bidPlacer(
  {
    tasks,
    bids,
    notifications,
    operatorQueue,
    sharedTransactionOn,
  }: Pick<Database, "tasks" | "bids" | "notifications" | "operatorQueue" | "sharedTransactionOn">,
  days: BidDays,
) {
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
    // All are judged, and counted, at one instant: around midnight (UTC) they are bids of one day.
    const now = new Date(Math.max(...batch.map((placing) => placing.now.getTime())));
    const today = calendarDate(now);
    const bidders = pairs.map(({ bidderId }) => bidderId);
    const left = lookFirst ? await days.left(bidders, today, session) : new Map<string, number>();
    const added = new Map<string, number>();
    const messages = batch.map(({ bidder, print }) => ({ bidderId: bidder.uid, print }));
    const sent = new Map(
      (await findSentMessages({ bids }, messages, session)).map((message) => [pairKey(message), message]),
    );
    const writes: AnyBulkWriteOperation<BidDoc>[] = [];
    const notices: Notice[] = [];
    const written: BidDoc[] = [];
    const counts = new Map<string, { bids: number; changes: number }>();

    const outcomes = batch.map(({ taskId, bidder, draft, print, now: sentAt, versions }): Outcome => {
      const task = taskOf.get(taskId.toHexString());
      if (!task) return { refused: "task-not-found" };
      const key = pairKey({ taskId, bidderId: bidder.uid });
      const before = bidOf.get(key);
      const drafted = before
        ? changedBid(task, before, bidder, draft, sentAt)
        : newBid(task, bidder, draft, sentAt);
      if (!drafted) return { changed: false };
      const refused = whyNoBid(task, bidder, now);
      if (refused) {
        // Who has bid already, and never got the response, has this bid whatever became of the task.
        if (!lookFirst) throw new LookFirst();
        return { refused };
      }
      const unanswered = whyNotAnswered(task, drafted, draft);
      if (unanswered) {
        // Who has bid already answers with the next change.
        if (!lookFirst) throw new LookFirst();
        return unanswered;
      }
      if (versions && !versions.includes(task.revision)) {
        if (!lookFirst) throw new LookFirst();
        return { refused: "changed-meanwhile", detail: CHANGED, version: task.revision };
      }
      if (!before) {
        const count = (added.get(bidder.uid) ?? 0) + 1;
        if (count > (left.get(bidder.uid) ?? days.limit)) {
          if (!lookFirst) throw new LookFirst();
          return days.refusal(now);
        }
        added.set(bidder.uid, count);
      }
      const bid = drafted.message === before?.message ? drafted : withPrint(drafted, print, sent.values());
      if (bid.message !== before?.message || bid.answer !== before?.answer) written.push(bid);
      sent.set(key, bid);
      bidOf.set(key, bid);
      writes.push(
        before
          ? { replaceOne: { filter: { _id: bid._id, taskId }, replacement: bid } }
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

    await days.add(added, today, session);
    const { matchedCount } = await tasks.bulkWrite(
      increments(counts).map(({ ids, count }) => ({
        updateMany: {
          filter: { _id: { $in: ids }, ...takingBids(today), ...VISIBLE },
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
    for (const { _id: bidId, taskId, bidderId: personId, message, answer } of written)
      await markContactData(
        { operatorQueue },
        { message, answer },
        { taskId, bidId, personId },
        { session, now },
      );
    return outcomes;
  }

  async function placeAll(batch: readonly Placing[]): Promise<(Outcome | Error)[]> {
    // A click without terms is nearly always a first bid, of somebody who may place one: unique indexes tell if it is not.
    // Terms may be a change.
    let lookFirst = batch.some(({ draft }) => Object.values(draft).some((value) => value !== undefined));
    for (;;) {
      const live = batch.filter(({ request }) => !request?.isOver);
      if (live.length === 0) return batch.map(over);
      try {
        const outcomes = await sharedTransactionOn(
          live.map(({ taskId }) => taskId),
          live.map(({ request }) => request),
          (session) => write(live, lookFirst, session),
        );
        return batch.map((placing) => outcomes[live.indexOf(placing)] ?? over());
      } catch (error) {
        if (!lookFirst && (isDuplicateKey(error) || error instanceof LookFirst)) lookFirst = true;
        // One of them is no bid that can be stored. It must not take the others along.
        else if (live.length > 1 && !isDatabaseOutage(error)) return placeEach(batch);
        // The others of the batch are tried again without it.
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

/** Why may this person not place or change a bid on the task now? Undefined if they may. */
function whyNoBid(task: Target, bidder: User, now: Date): ErrorCode | undefined {
  if (task.ownerId === bidder.uid) return "own-task";
  // Operators see it too, but nobody places new bids on it.
  if (!canSee(task, { uid: bidder.uid })) return "task-not-found";
  if (task.state !== "open") return "task-not-open";
  if (!isOpen(task.deadline, now)) return "task-expired";
  return undefined;
}

/** The bid with what its message is compared by, and how often nearly the same was sent before. */
function withPrint(bid: BidDoc, print: MessagePrint | undefined, sent: Iterable<SentMessage>): BidDoc {
  const { print: _print, sentTo: _sentTo, ...kept } = bid;
  if (!print) return kept;
  const sentTo = countSentTo(bid, print, sent);
  return { ...kept, print, ...(sentTo > 0 && { sentTo }) };
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
