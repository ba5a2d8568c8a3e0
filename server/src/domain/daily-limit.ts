import { hash } from "node:crypto";
import { addDays, type CalendarDate, calendarDate, FEW_BIDS } from "../contract/index.ts";
import type { Database } from "../db/client.ts";
import { ProblemError } from "./problem-error.ts";

export type DailyLimit = ReturnType<typeof dailyLimit>;

/** What is limited, with the error and words of a refusal. */
const KINDS = {
  bids: { refused: "bid-limit-reached", done: "placed", again: "bid" },
  tasks: { refused: "task-limit-reached", done: "posted", again: "post" },
} as const;

/** A person's count on one day. A hash is enough for counting, and leaves nothing behind of a deleted account. */
const dayId = (kind: keyof typeof KINDS | "bytes", uid: string, today: CalendarDate) =>
  hash("sha256", `${kind} ${today} ${uid}`, "base64url").slice(0, 22);

const expiry = (today: CalendarDate) => new Date(addDays(today, 2));

/**
 * Counts the bids that each person places or the tasks that they post on one day, a calendar day in UTC like deadlines.
 * What they withdraw or delete stays counted. Every first bid writes its bidder's count, even without a limit, so
 * concurrent bids of one person on different tasks collide instead of both passing the check.
 * @param perDay how many one person can have on one day; unlimited by default.
 */
export function dailyLimit(
  { dayCounts }: Database,
  kind: keyof typeof KINDS,
  perDay = Number.POSITIVE_INFINITY,
) {
  /** How many more this person can have on this day. */
  async function left(uid: string, today: CalendarDate): Promise<number> {
    const found = await dayCounts.findOne({ _id: dayId(kind, uid, today) });
    return Math.max(0, perDay - (found?.count ?? 0));
  }

  return {
    left,

    /** How many more this person can have today if only few are left, otherwise undefined. */
    async fewLeft(uid: string, now: Date): Promise<number | undefined> {
      if (perDay === Number.POSITIVE_INFINITY) return undefined;
      const count = await left(uid, calendarDate(now));
      return count <= FEW_BIDS ? count : undefined;
    },

    /**
     * Counts one more on this day.
     * @throws a duplicate key error if the count would exceed `perDay`: the filter then matches nothing, and the upsert
     *   cannot insert a second count for the same person and day.
     */
    async add(uid: string, today: CalendarDate): Promise<void> {
      const isLeft = perDay < Number.POSITIVE_INFINITY && { count: { $lt: perDay } };
      await dayCounts.updateOne(
        { _id: dayId(kind, uid, today), ...isLeft },
        { $inc: { count: 1 }, $setOnInsert: { expireAt: expiry(today) } },
        { upsert: true },
      );
    },

    /** Why this person cannot have one more today, and when the next one is possible; undefined if they can. */
    async refusal(uid: string, now: Date): Promise<ProblemError | undefined> {
      const today = calendarDate(now);
      if ((await left(uid, today)) > 0) return undefined;
      const { refused, done, again } = KINDS[kind];
      const detail = `You have ${done} ${perDay} ${kind} today, as many as one day allows. You can ${again} again from ${addDays(today, 1)}, 00:00 UTC.`;
      return new ProblemError(refused, { detail });
    },
  };
}

/**
 * Counts bytes that a person uploads on this day, outside of a transaction: those of one person at the same time would
 * collide.
 * @returns false, and counts nothing, if there would be more than `perDay`.
 */
export async function tryCountBytes(
  { dayCounts }: Database,
  uid: string,
  today: CalendarDate,
  { bytes, perDay }: { bytes: number; perDay: number },
): Promise<boolean> {
  const _id = dayId("bytes", uid, today);
  const first = { $setOnInsert: { count: 0, expireAt: expiry(today) } };
  await dayCounts.updateOne({ _id }, first, { upsert: true });
  const isLeft = { _id, count: { $lte: perDay - bytes } };
  return (await dayCounts.updateOne(isLeft, { $inc: { count: bytes } })).matchedCount > 0;
}
