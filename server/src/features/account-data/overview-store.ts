import type { ObjectId } from "mongodb";
import type { CalendarDate, StoredTaskState } from "../../contract/index.ts";
import { notOfDeletedTasks } from "../../db/announcements.ts";
import type { Database } from "../../db/client.ts";
import { READ_LIMITS } from "../../db/mongo.ts";

/** How many bids on one day, and how many tasks in one state (`expired`: their deadline is over). */
export type DayCount = { date: CalendarDate; count: number };
export type StateCount = { state: StoredTaskState | null; expired: boolean; count: number };

export type OverviewStore = ReturnType<typeof overviewStore>;

/** Beyond so many tasks with bids, the oldest deadlines count no more: nobody sees that in a chart. */
const MOST_TASKS = 5_000;

/** Counts what a dashboard shows, out of indexes. */
export function overviewStore(database: Pick<Database, "tasks" | "bids" | "announcements" | "hints">) {
  const { tasks, bids, hints } = database;
  return {
    /** How many tasks there are, from the collection's own record. */
    countAllTasks(): Promise<number> {
      return tasks.estimatedDocumentCount(READ_LIMITS);
    },

    countTasks(ownerId: string, today: CalendarDate): Promise<StateCount[]> {
      return hints.using("tasks", "owner-states-2", (hint) =>
        tasks.aggregate<StateCount>(countStatesPlan(ownerId, today), { ...READ_LIMITS, ...hint }).toArray(),
      );
    },

    /** Bids that this person placed since then, by day in UTC. Withdrawn ones are gone. */
    async countPlaced(bidderId: string, since: Date): Promise<DayCount[]> {
      const plan = countPlacedPlan(bidderId, since, await notOfDeletedTasks(database));
      return hints.using("bids", "bidder-newest", (hint) =>
        bids.aggregate<DayCount>(plan, { ...READ_LIMITS, ...hint }).toArray(),
      );
    },

    /** Bids that this person's tasks got since then, by day in UTC. */
    async countReceived(ownerId: string, since: Date): Promise<DayCount[]> {
      // A bid is placed before its deadline, and no deadline is ever moved into the past: what expired before then got none.
      const filter = { ownerId, deadline: { $gte: since.toISOString().slice(0, 10) }, bidsCount: { $gt: 0 } };
      const options = { ...READ_LIMITS, projection: { _id: 1 }, sort: { deadline: -1, _id: -1 } } as const;
      const own = await hints.using("tasks", "owner-by-deadline", (hint) =>
        tasks.find(filter, { ...options, limit: MOST_TASKS, ...hint }).toArray(),
      );
      if (own.length === 0) return [];
      const plan = countReceivedPlan(
        own.map(({ _id }) => _id),
        since,
      );
      return hints.using("bids", "inbox-newest", (hint) =>
        bids.aggregate<DayCount>(plan, { ...READ_LIMITS, ...hint }).toArray(),
      );
    },
  };
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
