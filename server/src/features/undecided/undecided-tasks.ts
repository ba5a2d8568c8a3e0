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
  database: Pick<
    Database,
    | "tasks"
    | "bids"
    | "notifications"
    | "announcements"
    | "savedTasks"
    | "suspensions"
    | "timeline"
    | "hints"
    | "transactionOn"
  >;
  announcer: Pick<Announcer, "nudge">;
};
type Options = { batch?: number; signal?: AbortSignal };
const BATCH = 100;
const FIELDS = { title: 1, ownerId: 1, deadline: 1, revision: 1, bidsRevision: 1, hidden: 1 } as const;
type Task = Pick<TaskDoc, "_id" | keyof typeof FIELDS>;
/** `since`: when the last of its undecided bids was taken back into play, or its client's suspension lifted. */
type Waiting = Task & { since: Date };
/** The once-keys of reminders begin with this. */
const REMINDER = "undecided ";
const REMINDERS = { $gte: REMINDER, $lt: "undecided!" };
/** Tasks that an index of their own holds: open ones with bids. */
const WITH_BIDS = { state: "open", bidsCount: { $gt: 0 } } as const;
/** A reminder from so many days ago is still notice of the closing: the last regular one, with a day to spare. */
const NOTICE_LASTS = UNDECIDED_DAYS.closes - UNDECIDED_DAYS.reminders[1] + 1;
/** Bids that are neither declined nor awarded. */
const UNDECIDED = { state: { $in: ["placed" as const, "shortlisted" as const] } };

/**
 * What becomes of open tasks whose deadline has passed while their client has bids to decide on: the client is reminded,
 * twice, and in the end the task closes itself and everybody is told. None closes without a reminder shortly before, given
 * when all its undecided bids were undecided: after an outage, or where the client takes back that they declined a bid, that
 * comes first. Nothing of this happens to the tasks of somebody who is suspended, and no reminder from before counts
 * then. Any number of instances may do this, at any time: a reminder has a unique key, and a task closes once by the
 * filter of its update.
 */
export function undecidedTasks({ database, announcer }: Deps, { batch = BATCH, signal }: Options = {}) {
  const { tasks, bids, notifications, suspensions, hints, transactionOn } = database;
  /** The days on which everybody was reminded who was to be, and all was closed that was to be. */
  let remindedOn: CalendarDate | undefined;
  let closedOn: CalendarDate | undefined;

  function read(
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
    return hints.using("tasks", "undecided", (hint) =>
      tasks.find<Task>(filter, { ...options, ...hint }).toArray(),
    );
  }

  /** Those of these tasks with bids to decide on, whose client can do so. */
  async function undecided(found: readonly Task[]): Promise<Waiting[]> {
    const match = { taskId: { $in: found.map(({ _id }) => _id) }, ...UNDECIDED };
    const since = { $max: { $ifNull: ["$restoredAt", new Date(0)] } };
    const plan = [{ $match: match }, { $group: { _id: "$taskId", since } }];
    const owners = { _id: { $in: found.map(({ ownerId }) => ownerId) } };
    const lifted = { projection: { liftedAt: 1 }, hint: "_id_", ...READ_LIMITS } as const;
    const [groups, suspended] = await Promise.all([
      hints.using("bids", "inbox-newest", (hint) =>
        bids.aggregate<Pick<Waiting, "_id" | "since">>(plan, { ...READ_LIMITS, ...hint }).toArray(),
      ),
      suspensions.find(owners, lifted).toArray(),
    ]);
    const liftedAt = new Map(suspended.map((one) => [one._id, one.liftedAt]));
    return found.flatMap((task) => {
      const group = groups.find(({ _id }) => _id.equals(task._id));
      const free = liftedAt.get(task.ownerId);
      if (!group || free === null) return [];
      return [{ ...task, since: free && free > group.since ? free : group.since }];
    });
  }

  /** @param which is given once for each deadline of a task. */
  async function remindOf(
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

  /** When the clients of these tasks were last reminded of them, where that is still notice, by their ids. */
  async function noticesOf(waiting: readonly Task[], today: CalendarDate): Promise<Map<string, Date>> {
    const filter = {
      recipientId: { $in: waiting.map(({ ownerId }) => ownerId) },
      onceKey: REMINDERS,
      taskId: { $in: waiting.map(({ _id }) => _id) },
      createdAt: { $gte: new Date(addDays(today, -NOTICE_LASTS)) },
    };
    const projection = { taskId: 1, createdAt: 1 } as const;
    const found = await hints.using("notifications", "once", (hint) =>
      notifications.find(filter, { sort: { createdAt: 1 }, projection, ...READ_LIMITS, ...hint }).toArray(),
    );
    return new Map(found.map(({ taskId, createdAt }) => [taskId.toHexString(), createdAt]));
  }

  /** @returns whether it was closed: its client may have decided, or taken a decision back, meanwhile. */
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
     * Reminds clients, once a day: of each task after the first number of days, and after the second; who missed the first
     * reminder because nothing ran is only given the second.
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
          const found = await read(addDays(today, -ago), { after });
          after = found.length < batch ? undefined : found.at(-1)?._id;
          if (found.length > 0) reminded += await remindOf(await undecided(found), days, now);
        } while (after);
      }
      remindedOn = today;
      return reminded;
    },

    /**
     * Closes the tasks that nobody decided on for too long, once a day, or reminds the clients who were not reminded
     * of them lately; those whose bids were all declined stay as they are.
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
        found = await read(overdue, { skip: kept });
        const before = closed;
        const waiting = await undecided(found);
        const notices = await noticesOf(waiting, today);
        const noticeOf = ({ _id, since }: Waiting) => {
          const at = notices.get(_id.toHexString());
          return at && at >= since ? calendarDate(at) : undefined;
        };
        for (const task of waiting)
          if ((noticeOf(task) ?? today) <= lastNotice) closed += (await close(task, now)) ? 1 : 0;
        await remindOf(
          waiting.filter((task) => !noticeOf(task)),
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
