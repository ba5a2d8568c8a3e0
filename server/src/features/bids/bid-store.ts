import { type ClientSession, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { BidDraft, CalendarDate } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { BidDoc, TaskDoc } from "../../db/collections.ts";
import type { FreshReads } from "../../db/fresh-reads.ts";
import { isDuplicateKey, READ_LIMITS } from "../../db/mongo.ts";
import { notify } from "../../db/notices.ts";
import { currentRequest, type RequestContext, RequestExpired } from "../../db/request-context.ts";
import { takingBids, VISIBLE } from "../../db/task-filters.ts";
import { gathering, type Waiting } from "./gather.ts";

/** `refused`: the task is gone or hidden, the bidder's own, or takes no bids. */
export type BidOutcome = "placed" | "already-placed" | "refused";

export type BidStore = ReturnType<typeof bidStore>;

/** When something is done: the instant, and its calendar date in UTC. */
export type Times = { now: Date; today: CalendarDate };

/** A bid to be placed. Without an amount it is one at the task's price. */
type NewBid = {
  bid: Omit<BidDoc, "amount"> & { amount?: number | undefined };
  /** Whose deadline and `Idempotency-Key` hold for it, whatever group it goes with. */
  request: RequestContext | undefined;
} & Times;
type Member = Waiting<NewBid, BidOutcome>;
type Target = Pick<TaskDoc, "_id" | "title" | "ownerId" | "budget">;

const TARGET = { title: 1, ownerId: 1, budget: 1 } as const satisfies Record<Exclude<keyof Target, "_id">, 1>;

/**
 * Places bids, and keeps `bidsCount` of their tasks true.
 *
 * A bid is written, counted and told of in one transaction, and once however often and concurrently it is sent: the
 * unique index refuses the second bid, and the filter refuses own, hidden and closed tasks at the moment of writing.
 * Five calls of the database for one bid are several times the work of a plain update, so bids that arrive together
 * share a transaction, which also keeps bids on one task from colliding; see {@link gathering}. It is all or nothing: if one of them cannot be
 * placed, nothing was, and it is tried in parts.
 */
export function bidStore(
  {
    tasks,
    bids,
    notifications,
    transactionOn,
  }: Pick<Database, "tasks" | "bids" | "notifications" | "transactionOn">,
  { writing }: Pick<FreshReads, "writing">,
) {
  async function write(placed: readonly NewBid[], session: ClientSession): Promise<void> {
    const counts = bidsPerTask(placed);
    const found = await tasks
      .find<Target>({ _id: { $in: idsOf(counts.keys()) } }, { session, projection: TARGET, ...READ_LIMITS })
      .toArray();
    const targets = new Map(found.map((task) => [task._id.toHexString(), task]));
    const entries = placed.map(({ bid }) => {
      const task = targets.get(bid.taskId.toHexString());
      // Holds until the commit: whoever changes the task meanwhile collides with the update below.
      if (!task || task.ownerId === bid.bidderId) throw new Refused();
      return { task, bid: { ...bid, amount: bid.amount ?? task.budget } };
    });
    await bids.insertMany(
      entries.map(({ bid }) => bid),
      { session },
    );
    // One update for all tasks that get as many bids costs half of one for each. Around midnight the later day counts
    // for all: whom it refuses is tried alone, with their own. The hint keeps the planner from weighing other indexes.
    const today = placed
      .map((one) => one.today)
      .toSorted()
      .at(-1) as CalendarDate;
    const { matchedCount } = await tasks.bulkWrite(
      tasksPerCount(counts).map(([count, ids]) => ({
        updateMany: {
          filter: { _id: { $in: ids }, ...takingBids(today), ...VISIBLE },
          update: { $inc: { bidsCount: count, bidsRevision: count } },
          hint: "_id_",
        },
      })),
      { session },
    );
    // Aborts the transaction: a bid must not stay without its task counting it.
    if (matchedCount < counts.size) throw new Refused();
    const notices = entries.map(({ bid, task }) => ({
      recipientId: task.ownerId,
      kind: "new-bid" as const,
      task,
      asClient: true,
      actor: { uid: bid.bidderId, name: bid.bidderName },
      amount: bid.amount,
    }));
    await notify(notifications, notices, { session, now: placed[0]?.now ?? new Date() });
  }

  const requestsOf = (placed: readonly NewBid[]) => placed.flatMap(({ request }) => request ?? []);
  const tasksOf = (placed: readonly NewBid[]) => placed.map(({ bid }) => bid.taskId);

  function placeAlone(placed: NewBid): Promise<BidOutcome> {
    const work = async (session: ClientSession): Promise<BidOutcome> => {
      await write([placed], session);
      return "placed";
    };
    const placing = transactionOn(tasksOf([placed]), work, requestsOf([placed]));
    return placing.catch((error): BidOutcome => {
      if (error instanceof Refused) return "refused";
      if (isDuplicateKey(error)) return "already-placed";
      throw error;
    });
  }

  /** @returns false if nothing was written, because not all can be placed, or others write the same tasks. */
  async function placeTogether(placed: readonly NewBid[]): Promise<boolean> {
    let attempts = 0;
    const work = async (session: ClientSession): Promise<BidOutcome> => {
      // Collided again: nobody should wait for a task that is fought for but those who bid on it.
      if (attempts++ > MOST_RETRIES) throw new Refused();
      await write(placed, session);
      return "placed";
    };
    try {
      await transactionOn(tasksOf(placed), work, requestsOf(placed));
      return true;
    } catch (error) {
      if (error instanceof Refused || error instanceof RequestExpired || isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Tries each half of a group that cannot be placed together, and so on: a few are at fault, mostly one. */
  async function placeInParts(group: readonly Member[]): Promise<void> {
    const [only] = group;
    if (!only) return;
    if (group.length === 1) return void (await placeAlone(only.item).then(only.resolve, only.reject));
    const half = Math.ceil(group.length / 2);
    await Promise.all(
      [group.slice(0, half), group.slice(half)].map(async (part) => {
        if (part.length > 1 && (await placeTogether(part.map(({ item }) => item)))) {
          for (const { resolve } of part) resolve("placed");
        } else await placeInParts(part);
      }),
    );
  }

  async function placeGroup(group: readonly Member[]): Promise<void> {
    const { firsts, repeats } = firstsOf(group);
    const together = await placeTogether(firsts.map(({ item }) => item));
    if (together) for (const { resolve } of firsts) resolve("placed");
    // The next group does not wait for those who have to be tried again.
    const settled = together ? Promise.resolve() : placeInParts(firsts);
    const failed = (error: unknown) => {
      for (const { reject } of firsts) reject(error);
    };
    void settled.catch(failed).then(() => {
      for (const { item, resolve, reject } of repeats) placeAlone(item).then(resolve, reject);
    });
  }

  const place = gathering(placeGroup, { most: LARGEST_GROUP, patienceMs: PATIENCE_MS });

  return {
    /** Places the bid, counts it and tells the client, all or nothing. */
    async place(id: string, bidder: User, draft: BidDraft, times: Times): Promise<BidOutcome> {
      const bid = {
        _id: new ObjectId(),
        taskId: new ObjectId(id),
        ...bidderFields(bidder),
        amount: draft.amount,
        ...(draft.days != null && { days: draft.days }),
        ...(draft.message && { message: draft.message }),
        createdAt: times.now,
      };
      const request = currentRequest();
      const earlier = request?.record?.takeOutcome();
      // What an earlier copy of this request came to: a bid that was placed, or one that was changed.
      if (earlier) return earlier.value as BidOutcome;
      return writing(() => place({ bid, request, ...times }));
    },
  };
}

/** Who a bid is from, as it is stored with it. */
export function bidderFields({ uid, name, email, picture }: User) {
  return {
    bidderId: uid,
    bidderName: name,
    bidderEmail: email,
    ...(picture !== undefined && { bidderImage: picture }),
  };
}

/** How many of these bids each task gets, by its id. */
function bidsPerTask(placed: readonly NewBid[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { bid } of placed) {
    const id = bid.taskId.toHexString();
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

const idsOf = (texts: Iterable<string>) => Array.from(texts, (text) => new ObjectId(text));

/** The tasks that get one bid, those that get two, and so on. */
function tasksPerCount(counts: ReadonlyMap<string, number>): [count: number, ids: ObjectId[]][] {
  const tasksWith = (count: number) => [...counts.keys()].filter((id) => counts.get(id) === count);
  return [...new Set(counts.values())].map((count) => [count, idsOf(tasksWith(count))]);
}

// Somebody who clicks many times at once would else make their whole group fail.
function firstsOf(group: readonly Member[]): { firsts: Member[]; repeats: Member[] } {
  const seen = new Set<string>();
  const firsts: Member[] = [];
  const repeats: Member[] = [];
  for (const member of group) {
    const { taskId, bidderId } = member.item.bid;
    const key = `${taskId.toHexString()} ${bidderId}`;
    (seen.has(key) ? repeats : firsts).push(member);
    seen.add(key);
  }
  return { firsts, repeats };
}

const LARGEST_GROUP = 32;
/** Another instance may write one of the tasks at the same moment; then the group is still cheaper than each alone. */
const MOST_RETRIES = 2;
/** Little beside what a transaction takes. */
const PATIENCE_MS = 3;

class Refused extends Error {}
