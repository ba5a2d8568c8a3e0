import { addDays, type CalendarDate, calendarDate, UNDECIDED_DAYS } from "../../contract/index.ts";
import { batchesOf, type Database } from "../../db/client.ts";
import { type TaskDoc, WITHOUT_KEYS } from "../../db/documents/tasks.ts";
import type { Work } from "../../db/jobs.ts";
import { announce } from "../../domain/announcements.ts";
import { notify } from "../../domain/notify.ts";
import { inStatesFor } from "../../domain/task-conditions.ts";
import { recordStep } from "../../domain/timeline.ts";

type Options = { batch?: number; signal?: AbortSignal };
const BATCH = 100;
/** `since`: when a declined bid was last restored or the client's suspension lifted; only later reminders count. */
type UndecidedTask = TaskDoc & { since: Date };
/** Prefix of the reminders' once-keys. */
const REMINDER = "undecided ";
const REMINDERS = { $gte: REMINDER, $lt: "undecided!" };
/** Open tasks with bids, which have their own index. */
const WITH_BIDS = { state: "open", bidsCount: { $gt: 0 } } as const;
/** How many days a reminder stays valid as notice of the closing: since the last regular one, with a day to spare. */
const NOTICE_VALID_DAYS = UNDECIDED_DAYS.closes - UNDECIDED_DAYS.reminders[1] + 1;
/** Bids that are neither declined nor awarded. */
const UNDECIDED = { state: { $in: ["placed" as const, "shortlisted" as const] } };

/**
 * Handles expired tasks whose client has not decided on their bids: reminds the client twice, then closes the task
 * and notifies everybody. No task is closed without a recent reminder that covered all its undecided bids; after an
 * outage, or when the client restores a declined bid, another reminder comes first. Tasks of suspended people are
 * left alone, and reminders from before a suspension do not count. Several instances can run this concurrently: a
 * reminder has a unique key, and the filter of the update closes a task only once.
 */
export function undecidedTasks(database: Database, { batch = BATCH, signal }: Options = {}) {
  const { tasks, bids, notifications, suspensions, transactionOn } = database;

  /** The tasks with bids whose deadline is in this range, in batches. */
  async function* expired(from: CalendarDate, to: CalendarDate): AsyncGenerator<TaskDoc[]> {
    const filter = { ...WITH_BIDS, deadline: { $gte: from, $lte: to } };
    const options = { projection: WITHOUT_KEYS, batchSize: batch, maxTimeMS: 30_000, hint: "undecided" };
    for await (const found of batchesOf(tasks.find(filter, options), batch)) {
      // What is left is done by the instance that takes over.
      signal?.throwIfAborted();
      yield found;
    }
  }

  /** Filters the tasks that have undecided bids and a client who is not suspended. */
  async function withUndecidedBids(found: readonly TaskDoc[]): Promise<UndecidedTask[]> {
    const match = { taskId: { $in: found.map(({ _id }) => _id) }, ...UNDECIDED };
    const since = { $max: { $ifNull: ["$restoredAt", new Date(0)] } };
    const plan = [{ $match: match }, { $group: { _id: "$taskId", since } }];
    const owners = { _id: { $in: found.map(({ ownerId }) => ownerId) } };
    const [groups, suspended] = await Promise.all([
      bids.aggregate<Pick<UndecidedTask, "_id" | "since">>(plan, { hint: "inbox-newest" }).toArray(),
      suspensions.find(owners, { projection: { liftedAt: 1 } }).toArray(),
    ]);
    const liftedAt = new Map(suspended.map((one) => [one._id, one.liftedAt]));
    return found.flatMap((task) => {
      const group = groups.find(({ _id }) => _id.equals(task._id));
      const lifted = liftedAt.get(task.ownerId);
      if (!group || lifted === null) return [];
      return [{ ...task, since: lifted && lifted > group.since ? lifted : group.since }];
    });
  }

  /** Reminds the clients. @param which identifies the reminder, which is sent once for each deadline of a task. */
  async function sendReminders(
    waiting: readonly TaskDoc[],
    which: number | CalendarDate,
    now: Date,
  ): Promise<number> {
    const notices = waiting.map((task) => ({
      recipientId: task.ownerId,
      kind: "bids-undecided" as const,
      task,
      asClient: true,
      onceKey: `${REMINDER}${which} ${task._id} ${task.deadline}`,
    }));
    return notify(notifications, notices, now);
  }

  /** The times of the clients' last valid reminders, by task id. */
  async function lastReminders(waiting: readonly TaskDoc[], today: CalendarDate): Promise<Map<string, Date>> {
    const filter = {
      recipientId: { $in: waiting.map(({ ownerId }) => ownerId) },
      onceKeys: REMINDERS,
      kind: "bids-undecided" as const,
      taskId: { $in: waiting.map(({ _id }) => _id) },
      createdAt: { $gte: new Date(addDays(today, -NOTICE_VALID_DAYS)) },
    };
    const projection = { taskId: 1, createdAt: 1 } as const;
    const found = await notifications
      .find(filter, { sort: { createdAt: 1 }, projection, hint: "once" })
      .toArray();
    return new Map(found.map(({ taskId, createdAt }) => [taskId.toHexString(), createdAt]));
  }

  /** @returns whether it was closed; not if its client has decided or restored a bid meanwhile. */
  function close({ _id, bidsRevision }: TaskDoc, now: Date): Promise<boolean> {
    const today = calendarDate(now);
    const filter = {
      bidsRevision,
      $and: [inStatesFor("close", today), WITH_BIDS],
      deadline: { $lte: addDays(today, -UNDECIDED_DAYS.closes) },
    };
    return transactionOn(_id, async () => {
      const task = await tasks.findOneAndUpdate(
        { _id, ...filter },
        {
          $set: { state: "cancelled", updatedAt: now, endedAt: now },
          $inc: { revision: 1, bidsRevision: 1 },
        },
      );
      if (!task) return false;
      await recordStep(database, task, { kind: "closed" }, now);
      const about = { kind: "task-closed", task } as const;
      await notify(notifications, [{ ...about, recipientId: task.ownerId, asClient: true }], now);
      await announce(database, about, now);
      return true;
    });
  }

  return {
    /**
     * Reminds clients of their tasks after the first and the second number of days. If no instance ran at the first
     * time, only the second reminder is sent.
     * @returns how many reminders were written.
     */
    async remind(now: Date): Promise<number> {
      const today = calendarDate(now);
      let reminded = 0;
      for (let ago = UNDECIDED_DAYS.closes - 1; ago >= UNDECIDED_DAYS.reminders[0]; ago--) {
        const days = UNDECIDED_DAYS.reminders.findLast((after) => ago >= after) ?? ago;
        const deadline = addDays(today, -ago);
        for await (const found of expired(deadline, deadline))
          reminded += await sendReminders(await withUndecidedBids(found), days, now);
      }
      return reminded;
    },

    /**
     * Closes tasks that were undecided for too long, or reminds their clients if they were not reminded lately. Tasks
     * whose bids were all declined stay open.
     * @returns how many were closed.
     */
    async closeOverdue(now: Date): Promise<number> {
      const today = calendarDate(now);
      const lastNotice = addDays(today, -UNDECIDED_DAYS.notice);
      let closed = 0;
      for await (const found of expired(LONG_AGO, addDays(today, -UNDECIDED_DAYS.closes))) {
        const waiting = await withUndecidedBids(found);
        const reminders = await lastReminders(waiting, today);
        const reminderOf = ({ _id, since }: UndecidedTask) => {
          const at = reminders.get(_id.toHexString());
          return at && at >= since ? calendarDate(at) : undefined;
        };
        for (const task of waiting)
          if ((reminderOf(task) ?? today) <= lastNotice) closed += (await close(task, now)) ? 1 : 0;
        const unreminded = waiting.filter((task) => !reminderOf(task));
        await sendReminders(unreminded, today, now);
      }
      return closed;
    },
  };
}

/** Earlier than every deadline. */
const LONG_AGO = "0000-01-01" as CalendarDate;

/** The daily job for undecided tasks. */
export function undecidedJob(database: Database): Work {
  return async ({ now, signal }) => {
    const { closeOverdue, remind } = undecidedTasks(database, { signal });
    // Closed tasks need no reminder.
    await closeOverdue(now);
    await remind(now);
    return { dueAt: new Date(addDays(calendarDate(now), 1)) };
  };
}
