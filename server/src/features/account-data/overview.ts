import type { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import {
  addDays,
  type CalendarDate,
  calendarDate,
  type Overview,
  type StoredTaskState,
} from "../../contract/index.ts";
import { notOfDeletedTasks } from "../../db/announcements.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { PersonNames } from "../../db/people.ts";
import { earningsReader } from "./earnings.ts";
import { waitingReader } from "./waiting.ts";

/** How many bids on one day, and how many tasks in one state (`expired`: their deadline is over). */
type DayCount = { date: CalendarDate; count: number };
type StateCount = { state: StoredTaskState; expired: boolean; count: number };

/** So many days, today included, are shown. */
const DAYS = 30;
/** Beyond so many tasks with bids, the oldest deadlines count no more: nobody sees that in a chart. */
const MAX_TASKS = 5_000;

/**
 * Reads what somebody sees at a glance: what waits for them, their tasks by state, the bids of the last 30 days (UTC) and
 * what they were hired for in the last twelve months, oldest first.
 */
export function overviewReader(
  database: Pick<Database, "tasks" | "bids" | "questions" | "reviews" | "announcements" | "hints">,
  names: PersonNames,
) {
  const { tasks, bids, hints } = database;
  const readEarnings = earningsReader(database);
  const readWaiting = waitingReader(database, names);

  function countTasks(ownerId: string, today: CalendarDate): Promise<StateCount[]> {
    return hints.using("tasks", "owner-states", (hint) =>
      tasks.aggregate<StateCount>(countStatesPlan(ownerId, today), { ...READ_LIMITS, ...hint }).toArray(),
    );
  }

  /** Withdrawn bids are gone. */
  async function readPlaced(bidderId: string, since: Date) {
    const others = await notOfDeletedTasks(database);
    return hints.using("bids", "bidder-newest", async (hint) => {
      const options = { ...READ_LIMITS, ...hint };
      const [placed, any] = await Promise.all([
        bids.aggregate<DayCount>(countPlacedPlan(bidderId, since, others), options).toArray(),
        bids.findOne({ bidderId, ...others }, { ...options, projection: { _id: 1 } }),
      ]);
      return { placed, hasBids: any !== null };
    });
  }

  async function countReceived(ownerId: string, since: Date): Promise<DayCount[]> {
    // A bid is placed before its deadline, and no deadline is ever moved into the past: what expired before then got none.
    const filter = { ownerId, deadline: { $gte: calendarDate(since) }, bidsCount: { $gt: 0 } };
    const options = { ...READ_LIMITS, projection: { _id: 1 }, sort: { deadline: -1, _id: -1 } } as const;
    const own = await hints.using("tasks", "owner-by-deadline", (hint) =>
      tasks.find(filter, { ...options, limit: MAX_TASKS, ...hint }).toArray(),
    );
    if (own.length === 0) return [];
    const ids = own.map(({ _id }) => _id);
    return hints.using("bids", "inbox-newest", (hint) =>
      bids.aggregate<DayCount>(countReceivedPlan(ids, since), { ...READ_LIMITS, ...hint }).toArray(),
    );
  }

  return async ({ uid }: User, now: Date): Promise<Overview> => {
    const today = calendarDate(now);
    const first = addDays(today, 1 - DAYS);
    const since = new Date(`${first}T00:00:00Z`);
    const [totalTasks, states, { placed, hasBids }, received, waiting, earnings] = await Promise.all([
      // From the collection's own record.
      tasks.estimatedDocumentCount(READ_LIMITS),
      countTasks(uid, today),
      readPlaced(uid, since),
      countReceived(uid, since),
      readWaiting(uid, now),
      readEarnings(uid, now),
    ]);
    return {
      totalTasks,
      myTasks: states.reduce((sum, { count }) => sum + count, 0),
      bidsByDay: Array.from({ length: DAYS }, (_, day) => {
        const date = addDays(first, day);
        return { date, received: countOn(date, received), placed: countOn(date, placed) };
      }),
      tasksByState: byState(states),
      earnings,
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

export function countStatesPlan(ownerId: string, today: CalendarDate) {
  return [
    { $match: { ownerId } },
    {
      $group: { _id: { state: "$state", expired: { $lt: ["$deadline", today] } }, count: { $sum: 1 } },
    },
    { $project: { _id: 0, state: "$_id.state", expired: "$_id.expired", count: 1 } },
  ];
}

export function countPlacedPlan(bidderId: string, since: Date, others: object = {}) {
  return [{ $match: { bidderId, createdAt: { $gte: since }, ...others } }, ...BY_DAY];
}

export function countReceivedPlan(taskIds: ObjectId[], since: Date) {
  return [{ $match: { taskId: { $in: taskIds }, createdAt: { $gte: since } } }, ...BY_DAY];
}

const BY_DAY = [
  {
    $group: { _id: { $dateToString: { date: "$createdAt", format: "%Y-%m-%d" } }, count: { $sum: 1 } },
  },
  { $project: { _id: 0, date: "$_id", count: 1 } },
];
