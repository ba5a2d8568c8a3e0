import { hash } from "node:crypto";
import type { ClientSession } from "mongodb";
import { addDays, type CalendarDate, calendarDate, FEW_BIDS } from "../contract/index.ts";
import { type Database, READ_LIMITS } from "./client.ts";
import type { InSession } from "./transaction.ts";

export type DailyLimit = ReturnType<typeof dailyLimit>;

/** What is limited, with the error and words of a refusal. */
const KINDS = {
  bids: { refused: "bid-limit-reached", done: "placed", again: "bid" },
  tasks: { refused: "task-limit-reached", done: "posted", again: "post" },
} as const;

/**
 * Counts the bids that each person places, or the tasks that they post, on one day, a calendar day in UTC like
 * deadlines. What they withdraw or delete stays counted. Every first bid writes its bidder's count, even without a
 * limit, so concurrent bids of one person on different tasks collide instead of both passing the check.
 * @param perDay how many one person can have on one day; unlimited by default.
 */
export function dailyLimit(
  { dayCounts }: Database,
  kind: keyof typeof KINDS,
  perDay = Number.POSITIVE_INFINITY,
) {
  // A hash is enough for counting, and leaves nothing behind of a deleted account.
  const dayId = (uid: string, today: CalendarDate) =>
    hash("sha256", `${kind} ${today} ${uid}`, "base64url").slice(0, 22);

  /** How many more each of these people can have on this day. */
  async function left(people: readonly string[], today: CalendarDate, options: InSession = {}) {
    const ids = new Map(people.map((uid) => [dayId(uid, today), uid]));
    const filter = { _id: { $in: [...ids.keys()] } };
    const found = await dayCounts.find(filter, { ...options, ...READ_LIMITS }).toArray();
    const counts = new Map(found.map(({ _id, count }) => [ids.get(_id), count]));
    return new Map(people.map((uid) => [uid, Math.max(0, perDay - (counts.get(uid) ?? 0))]));
  }

  return {
    perDay,
    left,

    /** How many more this person can have today if only few are left, otherwise undefined. */
    async fewLeft(uid: string, now: Date): Promise<number | undefined> {
      if (perDay === Number.POSITIVE_INFINITY) return undefined;
      const count = (await left([uid], calendarDate(now))).get(uid) ?? perDay;
      return count <= FEW_BIDS ? count : undefined;
    },

    /**
     * Adds to the counts of a day.
     * @throws a duplicate key error if a count would exceed `perDay`: the filter then matches nothing, and the upsert
     *   cannot insert a second count for the same person and day.
     */
    async add(
      added: ReadonlyMap<string, number>,
      today: CalendarDate,
      session: ClientSession,
    ): Promise<void> {
      if (added.size === 0) return;
      const expireAt = new Date(addDays(today, 2));
      const updates = [...added].map(([uid, count]) => ({
        updateOne: {
          filter: {
            _id: dayId(uid, today),
            ...(perDay < Number.POSITIVE_INFINITY && { count: { $lte: perDay - count } }),
          },
          update: { $inc: { count }, $setOnInsert: { expireAt } },
          upsert: true,
        },
      }));
      await dayCounts.bulkWrite(updates, { session });
    },

    /** The refusal of one over the limit, which says when the next one is possible. */
    refusal(now: Date) {
      const { refused, done, again } = KINDS[kind];
      const tomorrow = addDays(calendarDate(now), 1);
      const detail = `You have ${done} ${perDay} ${kind} today, as many as one day allows. You can ${again} again from ${tomorrow}, 00:00 UTC.`;
      return { refused, detail };
    },
  };
}
