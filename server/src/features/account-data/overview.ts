import type { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { addDays, type CalendarDate, calendarDate, type Overview } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import type { IndexName } from "../../db/indexes.ts";
import { notOfDeletedTasks } from "../../domain/announcements.ts";
import { FORMER_MEMBERS } from "../../domain/notify.ts";
import { countTasksPlan, type StateCount } from "../reviews/profile-store.ts";
import { waitingReader } from "./waiting.ts";

type DayCount = { date: CalendarDate; count: number };
/** Awarded amounts of one month, in USD, and the number of jobs that are not completed. */
type MonthSum = { month: string; agreed: number; completed: number; active: number };

/** Prices in USD of accepted work whose payment is in this state, null if nothing was said about it. */
type PaymentSum = { state: NonNullable<TaskDoc["payment"]>["state"] | null; amount: number };
type PaymentSide = "ownerId" | "award.freelancerId";

/** Days of bids shown, including today. */
const DAYS = 30;
/** Bids are counted on at most this many tasks, latest deadline first: more would not show in a chart. */
const MAX_TASKS = 5_000;
/** Months of earnings shown, including the current one. */
const MONTHS = 12;
/** Awards counted at most; the latest beyond it are left out. */
const MAX_AWARDS = 5_000;

/**
 * Reads the dashboard's overview: what waits for the person, their tasks by state, their bids of the last 30 days (UTC)
 * and earnings of the last twelve months, oldest first.
 */
export function overviewReader(database: Database) {
  const { tasks, bids } = database;
  const readWaiting = waitingReader(database);

  function countTasks(ownerId: string, today: CalendarDate): Promise<StateCount[]> {
    return tasks
      .aggregate<StateCount>(countTasksPlan({ ownerId }, today), { hint: "owner-states" })
      .toArray();
  }

  /** Withdrawn bids no longer exist, so they do not count. */
  async function readPlaced(bidderId: string, since: Date) {
    const others = await notOfDeletedTasks(database);
    const options = { hint: "bidder-newest" };
    const [placed, any] = await Promise.all([
      bids.aggregate<DayCount>(countPlacedPlan(bidderId, since, others), options).toArray(),
      bids.findOne({ bidderId, ...others }, { ...options, projection: { _id: 1 } }),
    ]);
    return { placed, hasBids: any !== null };
  }

  async function countReceived(ownerId: string, since: Date): Promise<DayCount[]> {
    // Bids come before the deadline, which never moves into the past: tasks that expired earlier got no bids since.
    const filter = { ownerId, deadline: { $gte: calendarDate(since) }, bidsCount: { $gt: 0 } };
    const own = await tasks
      .find(filter, {
        projection: { _id: 1 },
        sort: { deadline: -1, _id: -1 },
        limit: MAX_TASKS,
        hint: "owner-by-deadline",
      })
      .toArray();
    if (own.length === 0) return [];
    const ids = own.map(({ _id }) => _id);
    return bids.aggregate<DayCount>(countReceivedPlan(ids, since), { hint: "inbox-newest" }).toArray();
  }

  async function readEarnings(uid: string, now: Date): Promise<Pick<Overview, "earnings" | "activeJobs">> {
    const months = Array.from({ length: MONTHS }, (_, at) => monthBefore(now, MONTHS - 1 - at));
    const since = new Date(`${months[0]}-01T00:00:00Z`);
    const found = await tasks
      .aggregate<MonthSum>(earningsPlan(uid, since), { hint: "hired-earnings" })
      .toArray();
    const earnings = months.map((month) => {
      const { agreed = 0, completed = 0 } = found.find((sum) => sum.month === month) ?? {};
      return { month, agreed: roundToCents(agreed), completed: roundToCents(completed) };
    });
    return { earnings, activeJobs: found.reduce((sum, { active }) => sum + active, 0) };
  }

  async function readPayments(uid: string): Promise<Overview["payments"]> {
    const sums = (side: PaymentSide, hint: IndexName<"tasks">) =>
      tasks.aggregate<PaymentSum>(paymentsPlan(side, uid), { hint }).toArray();
    const [worked, bought] = await Promise.all([
      sums("award.freelancerId", "hired-states"),
      sums("ownerId", "owner-states"),
    ]);
    const sumOf = (found: readonly PaymentSum[], ...states: PaymentSum["state"][]) =>
      roundToCents(found.reduce((sum, { state, amount }) => sum + (states.includes(state) ? amount : 0), 0));
    return {
      received: sumOf(worked, "received"),
      expected: sumOf(worked, null, "paid", "missing"),
      paid: sumOf(bought, "received", "paid"),
      owed: sumOf(bought, null, "missing"),
    };
  }

  return async ({ uid }: User, now: Date): Promise<Overview> => {
    const today = calendarDate(now);
    const first = addDays(today, 1 - DAYS);
    const since = new Date(`${first}T00:00:00Z`);
    const [totalTasks, states, { placed, hasBids }, received, waiting, earnings, payments] =
      await Promise.all([
        // From the collection's metadata, without a count.
        tasks.estimatedDocumentCount(),
        countTasks(uid, today),
        readPlaced(uid, since),
        countReceived(uid, since),
        readWaiting(uid, now),
        readEarnings(uid, now),
        readPayments(uid),
      ]);
    return {
      totalTasks,
      myTasks: states.reduce((sum, { count }) => sum + count, 0),
      bidsByDay: Array.from({ length: DAYS }, (_, day) => {
        const date = addDays(first, day);
        return { date, received: countOn(date, received), placed: countOn(date, placed) };
      }),
      tasksByState: byState(states),
      ...earnings,
      payments,
      hasBids,
      waiting,
    };
  };
}

function countOn(date: string, days: readonly DayCount[]): number {
  return days.find((day) => day.date === date)?.count ?? 0;
}

function byState(groups: readonly StateCount[]): Overview["tasksByState"] {
  const counts = { open: 0, awarded: 0, delivered: 0, completed: 0, cancelled: 0, expired: 0 };
  for (const { state, expired, count } of groups) {
    counts[state === "open" && expired ? "expired" : state] += count;
  }
  return counts;
}

export function countPlacedPlan(bidderId: string, since: Date, others: object = {}) {
  return [{ $match: { bidderId, createdAt: { $gte: since }, ...others } }, ...BY_DAY];
}

export function countReceivedPlan(taskIds: ObjectId[], since: Date) {
  return [{ $match: { taskId: { $in: taskIds }, createdAt: { $gte: since } } }, ...BY_DAY];
}

/** Sums awards by month. A cancelled task keeps its award, which is not counted as earnings. */
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
        active: { $sum: { $cond: [{ $eq: ["$state", "completed"] }, 0, 1] } },
      },
    },
    { $project: { _id: 0, month: "$_id", agreed: 1, completed: 1, active: 1 } },
  ];
}

/** Sums what is due: accepted milestones, and completed tasks without any. Nobody can pay or confirm once a side has left. */
function paymentsPlan(side: PaymentSide, uid: string) {
  const accepted = { $slice: ["$award.milestones", { $ifNull: ["$award.accepted", 0] }] };
  const whole = [{ amount: "$award.amount", payment: "$payment" }];
  const completed = { $cond: [{ $eq: ["$state", "completed"] }, whole, []] };
  const [other, settled] =
    side === "ownerId" ? ["award.freelancerId", ["received", "paid"]] : ["ownerId", ["received"]];
  return [
    { $match: { [side]: uid, state: { $in: ["awarded", "delivered", "completed"] } } },
    { $limit: MAX_AWARDS },
    { $project: { [other]: 1, due: { $cond: [{ $isArray: "$award.milestones" }, accepted, completed] } } },
    { $unwind: "$due" },
    { $match: { $or: [{ [other]: { $not: FORMER_MEMBERS } }, { "due.payment.state": { $in: settled } }] } },
    { $group: { _id: "$due.payment.state", amount: { $sum: "$due.amount" } } },
    { $project: { _id: 0, state: "$_id", amount: 1 } },
  ];
}

/** The month that many months before `now`, as `YYYY-MM` (UTC). */
function monthBefore(now: Date, months: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7);
}

/** Removes the floating-point error of a sum. */
const roundToCents = (usd: number) => Math.round(usd * 100) / 100;

const BY_DAY = [
  {
    $group: { _id: { $dateToString: { date: "$createdAt", format: "%Y-%m-%d" } }, count: { $sum: 1 } },
  },
  { $project: { _id: 0, date: "$_id", count: 1 } },
];
