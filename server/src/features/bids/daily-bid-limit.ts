import { hash } from "node:crypto";
import type { ClientSession } from "mongodb";
import { addDays, type CalendarDate, calendarDate, FEW_BIDS } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { Outcome } from "../../db/transaction.ts";

export type DailyBidLimit = ReturnType<typeof dailyBidLimit>;

/**
 * Counts the bids that each person places on one day, a calendar day in UTC like deadlines. Withdrawn bids stay
 * counted. Every first bid writes its bidder's count, even without a limit, so concurrent bids of one person on
 * different tasks collide instead of both passing the check.
 * @param limit how many bids one person can place on one day; unlimited by default.
 */
export function dailyBidLimit({ bidDays }: Pick<Database, "bidDays">, limit = Number.POSITIVE_INFINITY) {
  /** How many more bids each of these people can place on this day. */
  async function left(people: readonly string[], today: CalendarDate, session?: ClientSession) {
    const ids = new Map(people.map((uid) => [dayId(uid, today), uid]));
    const filter = { _id: { $in: [...ids.keys()] } };
    const found = await bidDays.find(filter, { ...(session && { session }), ...READ_LIMITS }).toArray();
    const counts = new Map(found.map(({ _id, bids }) => [ids.get(_id), bids]));
    return new Map(people.map((uid) => [uid, Math.max(0, limit - (counts.get(uid) ?? 0))]));
  }

  return {
    perDay: limit,
    left,

    /** How many more bids this person can place today if only few are left, otherwise undefined. */
    async fewLeft(uid: string, now: Date): Promise<number | undefined> {
      if (limit === Number.POSITIVE_INFINITY) return undefined;
      const count = (await left([uid], calendarDate(now))).get(uid) ?? limit;
      return count <= FEW_BIDS ? count : undefined;
    },

    /**
     * Adds to the counts of a day.
     * @throws a duplicate key error if a count would exceed `limit`: the filter then matches nothing, and the upsert
     *   cannot insert a second count for the same person and day.
     */
    async add(
      placed: ReadonlyMap<string, number>,
      today: CalendarDate,
      session: ClientSession,
    ): Promise<void> {
      if (placed.size === 0) return;
      const expireAt = new Date(addDays(today, 2));
      const updates = [...placed].map(([uid, bids]) => ({
        updateOne: {
          filter: {
            _id: dayId(uid, today),
            ...(limit < Number.POSITIVE_INFINITY && { bids: { $lte: limit - bids } }),
          },
          update: { $inc: { bids }, $setOnInsert: { expireAt } },
          upsert: true,
        },
      }));
      await bidDays.bulkWrite(updates, { session });
    },

    /** The refusal of a bid over the limit, which says when the next one is possible. */
    refusal(now: Date): Outcome {
      const tomorrow = addDays(calendarDate(now), 1);
      const detail = `You have placed ${limit} bids today, as many as one day allows. You can bid again from ${tomorrow}, 00:00 UTC.`;
      return { refused: "bid-limit-reached", detail };
    },
  };
}

// A hash is enough for counting, and leaves nothing behind of a deleted account.
function dayId(uid: string, today: CalendarDate): string {
  return hash("sha256", `bids ${today} ${uid}`, "base64url").slice(0, 22);
}
