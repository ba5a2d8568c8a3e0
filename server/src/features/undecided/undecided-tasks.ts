import type { ObjectId } from "mongodb";
import { addDays, type CalendarDate, calendarDate, UNDECIDED_DAYS } from "../../contract/index.ts";
import { type Announcer, announce } from "../../db/announcements.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { notify, notifyOnce } from "../../db/notices.ts";
import { inStatesFor } from "../../db/task-conditions.ts";
import { recordStep } from "../../db/timeline.ts";
import { AbortTransaction, type Outcome, outcomeOf } from "../../db/transaction.ts";
import type { Job } from "../../schedule-periodic.ts";

type Deps = {
  database: Database;
  announcer: Pick<Announcer, "nudge">;
};
type Options = { batch?: number; signal?: AbortSignal };
const BATCH = 100;
const FIELDS = { title: 1, ownerId: 1, deadline: 1, revision: 1, bidsRevision: 1, hidden: 1 } as const;
type Task = Pick<TaskDoc, "_id" | keyof typeof FIELDS>;
/** `since`: when a declined bid was last restored or the client's suspension lifted; only later reminders count. */
type UndecidedTask = Task & { since: Date };
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
export function undecidedTasks({ database, announcer }: Deps, { batch = BATCH, signal }: Options = {}) {
  const { tasks, bids, notifications, suspensions, transactionOn } = database;
  /** The last days on which all due reminders were sent and all overdue tasks were closed. */
  let remindedOn: CalendarDate | undefined;
  let closedOn: CalendarDate | undefined;

  function findExpired(
    deadline: TaskDoc["deadline"] | { $lte: CalendarDate },
    { after, skip = 0 }: { after?: ObjectId | undefined; skip?: number } = {},
  ): Promise<Task[]> {
    const filter = { ...WITH_BIDS, deadline, ...(after && { _id: { $gt: after } }) };
    const options = {
      sort: { deadline: 1, _id: 1 },
      limit: batch,
      skip,
      projection: FIELDS,
      ...READ_LIMITS,
    } as const;
    return tasks.find<Task>(filter, { ...options, hint: "undecided" }).toArray();
  }

  /** Filters the tasks that have undecided bids and a client who is not suspended. */
  async function withUndecidedBids(found: readonly Task[]): Promise<UndecidedTask[]> {
    const match = { taskId: { $in: found.map(({ _id }) => _id) }, ...UNDECIDED };
    const since = { $max: { $ifNull: ["$restoredAt", new Date(0)] } };
    const plan = [{ $match: match }, { $group: { _id: "$taskId", since } }];
    const owners = { _id: { $in: found.map(({ ownerId }) => ownerId) } };
    const options = { projection: { liftedAt: 1 }, hint: "_id_", ...READ_LIMITS } as const;
    const [groups, suspended] = await Promise.all([
      bids
        .aggregate<Pick<UndecidedTask, "_id" | "since">>(plan, { ...READ_LIMITS, hint: "inbox-newest" })
        .toArray(),
      suspensions.find(owners, options).toArray(),
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
    waiting: readonly Task[],
    which: number | CalendarDate,
    now: Date,
  ): Promise<number> {
    const notices = waiting.map((task) => ({
      recipientId: task.ownerId,
      kind: "bids-undecided" as const,
      task,
      asClient: true,
      onceKey: `${REMINDER}${which} ${task._id.toHexString()} ${task.deadline}`,
    }));
    return notifyOnce(notifications, notices, { now });
  }

  /** The times of the clients' last valid reminders, by task id. */
  async function lastReminders(waiting: readonly Task[], today: CalendarDate): Promise<Map<string, Date>> {
    const filter = {
      recipientId: { $in: waiting.map(({ ownerId }) => ownerId) },
      onceKeys: REMINDERS,
      kind: "bids-undecided" as const,
      taskId: { $in: waiting.map(({ _id }) => _id) },
      createdAt: { $gte: new Date(addDays(today, -NOTICE_VALID_DAYS)) },
    };
    const projection = { taskId: 1, createdAt: 1 } as const;
    const found = await notifications
      .find(filter, { sort: { createdAt: 1 }, projection, ...READ_LIMITS, hint: "once" })
      .toArray();
    return new Map(found.map(({ taskId, createdAt }) => [taskId.toHexString(), createdAt]));
  }

  /** @returns whether it was closed; not if its client has decided or restored a bid meanwhile. */
  async function close({ _id, bidsRevision }: Task, now: Date): Promise<boolean> {
    const today = calendarDate(now);
    const filter = {
      bidsRevision,
      $and: [inStatesFor("close", today), WITH_BIDS],
      deadline: { $lte: addDays(today, -UNDECIDED_DAYS.closes) },
    };
    const closing = transactionOn([_id], async (session): Promise<Outcome> => {
      const task: Task | null = await tasks.findOneAndUpdate(
        { _id, ...filter },
        {
          $set: { state: "cancelled", updatedAt: now, endedAt: now },
          $inc: { revision: 1, bidsRevision: 1 },
        },
        { session, projection: FIELDS },
      );
      if (!task) throw new AbortTransaction({ changed: false });
      await recordStep(database, task, { kind: "closed" }, { session, now });
      const about = { kind: "task-closed", task } as const;
      await notify(notifications, [{ ...about, recipientId: task.ownerId, asClient: true }], {
        session,
        now,
      });
      await announce(database, about, { session, now });
      return { changed: true };
    });
    const outcome = await closing.catch(outcomeOf);
    return "changed" in outcome && outcome.changed;
  }

  return {
    /**
     * Reminds clients of their tasks after the first and the second number of days; runs once a day. If no instance
     * ran at the first time, only the second reminder is sent.
     * @returns how many reminders were written.
     */
    async remind(now: Date): Promise<number> {
      const today = calendarDate(now);
      if (remindedOn === today) return 0;
      let reminded = 0;
      for (let ago = UNDECIDED_DAYS.closes - 1; ago >= UNDECIDED_DAYS.reminders[0]; ago--) {
        const days = UNDECIDED_DAYS.reminders.findLast((after) => ago >= after) ?? ago;
        let after: ObjectId | undefined;
        do {
          if (signal?.aborted) return reminded;
          const found = await findExpired(addDays(today, -ago), { after });
          after = found.length < batch ? undefined : found.at(-1)?._id;
          if (found.length > 0) reminded += await sendReminders(await withUndecidedBids(found), days, now);
        } while (after);
      }
      remindedOn = today;
      return reminded;
    },

    /**
     * Closes tasks that were undecided for too long, or reminds their clients if they were not reminded lately; runs
     * once a day. Tasks whose bids were all declined stay open.
     * @returns how many were closed.
     */
    async closeOverdue(now: Date): Promise<number> {
      const today = calendarDate(now);
      if (closedOn === today) return 0;
      const overdue = { $lte: addDays(today, -UNDECIDED_DAYS.closes) };
      const lastNotice = addDays(today, -UNDECIDED_DAYS.notice);
      let closed = 0;
      let kept = 0;
      let found: Task[];
      do {
        if (signal?.aborted) return closed;
        found = await findExpired(overdue, { skip: kept });
        const before = closed;
        const waiting = await withUndecidedBids(found);
        const reminders = await lastReminders(waiting, today);
        const reminderOf = ({ _id, since }: UndecidedTask) => {
          const at = reminders.get(_id.toHexString());
          return at && at >= since ? calendarDate(at) : undefined;
        };
        for (const task of waiting)
          if ((reminderOf(task) ?? today) <= lastNotice) closed += (await close(task, now)) ? 1 : 0;
        await sendReminders(
          waiting.filter((task) => !reminderOf(task)),
          today,
          now,
        );
        kept += found.length - (closed - before);
        announcer.nudge();
      } while (found.length === batch);
      closedOn = today;
      return closed;
    },
  };
}

const EVERY_MS = 10 * 60_000;
const FIRST_WITHIN_MS = 10_000;

/** The periodic job for undecided tasks; one instance at a time runs it. */
export function undecidedJob({
  database,
  announcer,
  signal,
}: {
  database: Database;
  announcer: Deps["announcer"];
  /** Aborted when the server begins to stop. */
  signal: AbortSignal;
}): Job {
  const { remind, closeOverdue } = undecidedTasks({ database, announcer }, { signal });
  return {
    name: "undecided tasks",
    everyMs: EVERY_MS,
    firstMs: Math.random() * FIRST_WITHIN_MS,
    work: (now) =>
      database.ifLeased("undecided tasks", async () => {
        // Closed tasks need no reminder.
        await closeOverdue(now);
        await remind(now);
      }),
  };
}
