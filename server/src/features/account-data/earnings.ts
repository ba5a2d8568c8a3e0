import type { Overview } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";

/** So many months, this one included, are shown. */
const MONTHS = 12;
/** Beyond so many awards in that time, the latest are not counted. */
const MAX_AWARDS = 5_000;

type MonthSum = { month: string; agreed: number; completed: number };

/** Reads what somebody was hired for in the last twelve months (UTC), in USD by the month of the award, oldest first. */
export function earningsReader({ tasks, hints }: Pick<Database, "tasks" | "hints">) {
  return async (uid: string, now: Date): Promise<Overview["earnings"]> => {
    const months = Array.from({ length: MONTHS }, (_, at) => monthBefore(now, MONTHS - 1 - at));
    const since = new Date(`${months[0]}-01T00:00:00Z`);
    const found = await hints.using("tasks", "hired-earnings", (hint) =>
      tasks.aggregate<MonthSum>(earningsPlan(uid, since), { ...READ_LIMITS, ...hint }).toArray(),
    );
    return months.map((month) => {
      const { agreed = 0, completed = 0 } = found.find((sum) => sum.month === month) ?? {};
      return { month, agreed: cents(agreed), completed: cents(completed) };
    });
  };
}

/** Sums awards by their month; an award is also there while its task is cancelled, and then nobody's earnings. */
export function earningsPlan(uid: string, since: Date) {
  const completed = { $cond: [{ $eq: ["$state", "completed"] }, "$award.amount", 0] };
  return [
    { $match: { "award.freelancerId": uid, "award.at": { $gte: since }, state: { $ne: "cancelled" } } },
    { $limit: MAX_AWARDS },
    {
      $group: {
        _id: { $dateToString: { date: "$award.at", format: "%Y-%m" } },
        agreed: { $sum: "$award.amount" },
        completed: { $sum: completed },
      },
    },
    { $project: { _id: 0, month: "$_id", agreed: 1, completed: 1 } },
  ];
}

/** `YYYY-MM`, so many months before this one (UTC). */
function monthBefore(now: Date, months: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7);
}

/** A sum of amounts without what floating point adds. */
const cents = (usd: number) => Math.round(usd * 100) / 100;
