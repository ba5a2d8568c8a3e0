import { hash } from "node:crypto";
import type { ClientSession } from "mongodb";
import { addDays, type CalendarDate, calendarDate, FEW_BIDS } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { Outcome } from "../../db/transaction.ts";

export type BidDays = ReturnType<typeof bidDays>;

/**
 * Counts the bids that people place on one day, a calendar day in UTC as deadlines have them. A bid that is withdrawn
 * stays counted. Every first bid writes its count, with or without a limit: so two of one person never pass each other,
 * whatever tasks they are on.
 * @param limit how many one person can place on one day; undefined for any number.
 */
export function bidDays({ bidDays }: Pick<Database, "bidDays">, limit = Number.POSITIVE_INFINITY) {
  /** How many more bids each of them can place on this day. */
  async function left(people: readonly string[], today: CalendarDate, session?: ClientSession) {
    const ids = new Map(people.map((uid) => [dayId(uid, today), uid]));
    const filter = { _id: { $in: [...ids.keys()] } };
    const found = await bidDays.find(filter, { ...(session && { session }), ...READ_LIMITS }).toArray();
    const counts = new Map(found.map(({ _id, bids }) => [ids.get(_id), bids]));
    return new Map(people.map((uid) => [uid, Math.max(0, limit - (counts.get(uid) ?? 0))]));
  }

  return {
    limit,
    left,

    /** The same for one person, to be told while it is few; undefined while it is not. */
    async fewLeft(uid: string, now: Date): Promise<number | undefined> {
      if (limit === Number.POSITIVE_INFINITY) return undefined;
      const count = (await left([uid], calendarDate(now))).get(uid) ?? limit;
      return count <= FEW_BIDS ? count : undefined;
    },

    /**
     * Adds to the counts of a day, none more than `limit`. The rule stands in the filter: of who would be over the limit
     * nothing matches.
     * @throws a duplicate key error then, because a second count of that person and day is no more possible than that.
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

    /** Says that the day's bids are used up, and when the next ones are possible. */
    refusal(now: Date): Outcome {
      const tomorrow = addDays(calendarDate(now), 1);
      const detail = `You have placed ${limit} bids today, as many as one day allows. You can bid again from ${tomorrow}, 00:00 UTC.`;
      return { refused: "bid-limit-reached", detail };
    },
  };
}

// Only counted, so nobody needs to be named: an account that is deleted leaves nothing of itself here.
function dayId(uid: string, today: CalendarDate): string {
  return hash("sha256", `bids ${today} ${uid}`, "base64url").slice(0, 22);
}
