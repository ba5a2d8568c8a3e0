import { type ClientSession, MongoServerError, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { CalendarDate } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { BidDoc } from "../../db/collections.ts";
import type { FreshReads } from "../../db/fresh-reads.ts";
import { gathering, type Waiting } from "./gather.ts";

/** `refused`: the task is gone, the bidder's own, or not open. */
export type BidOutcome = "placed" | "already-placed" | "refused";

export type BidStore = ReturnType<typeof bidStore>;

type PlacedBid = { bid: BidDoc; today: CalendarDate };

/**
 * Reads and writes bids, and keeps `bidsCount` of their tasks true.
 *
 * A bid is written and counted in one transaction, and once however often and concurrently it is sent: the unique index
 * refuses the second bid, and the filter refuses own and expired tasks at the moment of writing. Three calls of the
 * database for one bid are more than twice the work of a plain update, so bids that arrive together share a
 * transaction, which also keeps bids on one task from colliding. It is all or nothing: if one of them cannot be placed,
 * nothing was, and each is tried alone.
 */
export function bidStore(
  { tasks, bids, transaction }: Pick<Database, "tasks" | "bids" | "transaction">,
  { writing }: Pick<FreshReads, "writing">,
) {
  async function write(placed: readonly PlacedBid[], session: ClientSession): Promise<void> {
    await bids.insertMany(
      placed.map(({ bid }) => bid),
      { session },
    );
    const { matchedCount } = await tasks.bulkWrite(
      placed.map(({ bid, today }) => ({
        updateOne: {
          filter: { _id: bid.taskId, ownerId: { $ne: bid.bidderId }, deadline: { $gte: today } },
          update: { $inc: { bidsCount: 1 } },
        },
      })),
      { session },
    );
    // Aborts the transaction: a bid must not stay without its task counting it.
    if (matchedCount < placed.length) throw new Refused();
  }

  function placeAlone(placed: PlacedBid): Promise<BidOutcome> {
    const placing = transaction(async (session): Promise<BidOutcome> => {
      await write([placed], session);
      return "placed";
    });
    return placing.catch((error): BidOutcome => {
      if (error instanceof Refused) return "refused";
      if (isDuplicate(error)) return "already-placed";
      throw error;
    });
  }

  /** @returns false if nothing was written, because not all can be placed, or others write the same tasks. */
  async function placeTogether(placed: readonly PlacedBid[]): Promise<boolean> {
    let attempts = 0;
    const placing = transaction(async (session) => {
      // Collided: alone, nobody waits for a task that is fought for but those who bid on it.
      if (attempts++ > 0) throw new Refused();
      await write(placed, session);
      return true;
    });
    return placing.catch((error) => {
      if (error instanceof Refused || isDuplicate(error)) return false;
      throw error;
    });
  }

  async function placeGroup(group: readonly Waiting<PlacedBid, BidOutcome>[]): Promise<void> {
    const together = await placeTogether(group.map(({ item }) => item));
    for (const { item, resolve, reject } of group) {
      if (together) resolve("placed");
      // The next group does not wait for those who have to be tried alone.
      else placeAlone(item).then(resolve, reject);
    }
  }

  const place = gathering(placeGroup, { most: LARGEST_GROUP, patienceMs: PATIENCE_MS });

  return {
    /** Places the bid and counts it, both or neither. */
    async place(id: string, bidder: User, times: { now: Date; today: CalendarDate }): Promise<BidOutcome> {
      const bid = {
        _id: new ObjectId(),
        taskId: new ObjectId(id),
        bidderId: bidder.uid,
        bidderName: bidder.name,
        bidderEmail: bidder.email,
        createdAt: times.now,
      };
      return writing(() => place({ bid, today: times.today }));
    },

    /** What the rules of bidding need to know of a task. */
    findTask(id: string): Promise<{ ownerId: string; deadline: CalendarDate } | null> {
      const options = { projection: { ownerId: 1, deadline: 1 }, maxTimeMS: 4_000 };
      return tasks.findOne({ _id: new ObjectId(id) }, options);
    },
  };
}

const LARGEST_GROUP = 32;
/** Little beside what a transaction takes. */
const PATIENCE_MS = 3;
const DUPLICATE_KEY = 11000;

function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

class Refused extends Error {}
