import { type ClientSession, MongoServerError, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { CalendarDate } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { FreshReads } from "../../db/fresh-reads.ts";

/** `refused`: the task is gone, the bidder's own, or not open. */
export type BidOutcome = "placed" | "already-placed" | "refused";

export type BidStore = ReturnType<typeof bidStore>;

/** Reads and writes bids, and keeps `bidsCount` of their tasks true. */
export function bidStore(
  { tasks, bids, transaction }: Pick<Database, "tasks" | "bids" | "transaction">,
  { writing }: Pick<FreshReads, "writing">,
) {
  return {
    /**
     * Places the bid and counts it, both or neither, and once however often and concurrently it is sent: the unique
     * index refuses the second bid, and the filter refuses own and expired tasks at the moment of writing.
     */
    async place(id: string, bidder: User, times: { now: Date; today: CalendarDate }): Promise<BidOutcome> {
      const taskId = new ObjectId(id);
      const place = async (session: ClientSession): Promise<BidOutcome> => {
        await bids.insertOne(
          {
            _id: new ObjectId(),
            taskId,
            bidderId: bidder.uid,
            bidderName: bidder.name,
            bidderEmail: bidder.email,
            createdAt: times.now,
          },
          { session },
        );
        const { matchedCount } = await tasks.updateOne(
          { _id: taskId, ownerId: { $ne: bidder.uid }, deadline: { $gte: times.today } },
          { $inc: { bidsCount: 1 } },
          { session },
        );
        if (matchedCount === 0) throw new Refused();
        return "placed";
      };
      return writing(() => transaction(place)).catch((error): BidOutcome => {
        if (error instanceof Refused) return "refused";
        if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return "already-placed";
        throw error;
      });
    },

    /** What the rules of bidding need to know of a task. */
    findTask(id: string): Promise<{ ownerId: string; deadline: CalendarDate } | null> {
      const options = { projection: { ownerId: 1, deadline: 1 }, maxTimeMS: 4_000 };
      return tasks.findOne({ _id: new ObjectId(id) }, options);
    },
  };
}

const DUPLICATE_KEY = 11000;

/** Aborts the transaction: a bid must not stay without its task counting it. */
class Refused extends Error {}
