import type { Filter, ObjectId } from "mongodb";
import { addDays, calendarDate } from "../../contract/index.ts";
import { batchesOf, type Database, READ_LIMITS } from "../../db/client.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import type { Work } from "../../db/jobs.ts";
import { notifyOnce, type OnceNotice } from "../../domain/notify.ts";
import { takingBids, VISIBLE } from "../../domain/task-conditions.ts";

type Options = { batch?: number; signal?: AbortSignal };

const FIELDS = { title: 1, ownerId: 1, deadline: 1 } as const;
type Task = Pick<TaskDoc, "_id" | keyof typeof FIELDS>;

const BATCH = 200;
/** How many days before the deadline the client and bidders are notified, and how many those who saved the task. */
const DAYS_AHEAD = { participants: 1, watchers: 2 } as const;

/**
 * Notifies the client and bidders of open tasks whose deadline is today or tomorrow (UTC), and a day earlier those who
 * saved the task before that day. Each person is notified once per deadline of a task. Declined bidders are left out,
 * and so is who bids or saves the task on such a day: they have just seen its deadline.
 * @returns a function that goes through those tasks in batches and resolves to how many people it notified. Given
 *   `since`, only through those that were posted or changed since then.
 */
export function deadlineNotices({ tasks, bids, savedTasks, notifications }: Database, options: Options = {}) {
  const { batch = BATCH, signal } = options;

  function readTasks(filter: Filter<TaskDoc>): Promise<Task[]> {
    return tasks
      .find(filter, {
        sort: { deadline: 1, _id: 1 },
        limit: batch,
        projection: FIELDS,
        ...READ_LIMITS,
        hint: "by-deadline",
      })
      .toArray();
  }

  async function notifyParticipants(found: readonly Task[], now: Date): Promise<number> {
    const byId = new Map(found.map((task) => [task._id.toHexString(), task]));
    let notified = await notifyOnce(
      notifications,
      found.map((task) => noticeOf(task, task.ownerId)),
      { now },
    );
    const bidsOn = bids.find(
      { taskId: { $in: found.map(({ _id }) => _id) }, state: { $ne: "declined" } },
      { projection: { taskId: 1, bidderId: 1 }, batchSize: batch, ...READ_LIMITS },
    );
    for await (const some of batchesOf(bidsOn, batch)) {
      const notices = some.flatMap(({ taskId, bidderId }) => {
        const task = byId.get(taskId.toHexString());
        return task ? [noticeOf(task, bidderId)] : [];
      });
      notified += await notifyOnce(notifications, notices, { now });
    }
    return notified;
  }

  /** Leaves out people who saved the task today: they have just seen its deadline. */
  async function notifyWatchers(found: readonly Task[], now: Date): Promise<number> {
    const byId = new Map(found.map((task) => [task._id.toHexString(), task]));
    let notified = 0;
    const saved = savedTasks.find(
      {
        taskId: { $in: found.map(({ _id }) => _id) },
        createdAt: { $lt: new Date(`${calendarDate(now)}T00:00:00Z`) },
      },
      { projection: { taskId: 1, personId: 1 }, batchSize: batch, ...READ_LIMITS },
    );
    for await (const some of batchesOf(saved, batch)) {
      const notices = some.flatMap(({ taskId, personId }) => {
        const task = byId.get(taskId.toHexString());
        return task ? [{ ...noticeOf(task, personId), saved: true }] : [];
      });
      notified += await notifyOnce(notifications, notices, { now });
    }
    return notified;
  }

  return async (now: Date, since?: Date): Promise<number> => {
    const today = calendarDate(now);
    let notified = 0;
    for (let days = 0; days <= DAYS_AHEAD.watchers; days++) {
      let after: ObjectId | undefined;
      do {
        const found = await readTasks({
          ...takingBids(today),
          ...VISIBLE,
          // Replaces the date range in `takingBids`.
          deadline: addDays(today, days),
          ...(after && { _id: { $gt: after } }),
          ...(since && { updatedAt: { $gte: since } }),
        });
        after = found.length < batch ? undefined : found.at(-1)?._id;
        if (found.length > 0) {
          if (days <= DAYS_AHEAD.participants) notified += await notifyParticipants(found, now);
          notified += await notifyWatchers(found, now);
        }
      } while (after && !signal?.aborted);
    }
    return notified;
  };
}

const EVERY_MS = 10 * 60_000;
/** A change committed late is found by the next run. */
const OVERLAP_MS = 60_000;

/** The job for near deadlines: all of them once a day, and every ten minutes those that changed. */
export function deadlineJob(database: Database): Work {
  return async ({ job: { cursor }, now, signal }) => {
    const last = cursor === undefined ? undefined : new Date(cursor);
    const isFirstToday = !last || calendarDate(last) !== calendarDate(now);
    const since = isFirstToday ? undefined : new Date(last.getTime() - OVERLAP_MS);
    await deadlineNotices(database, { signal })(now, since);
    return { dueAt: new Date(now.getTime() + EVERY_MS), cursor: now.toISOString() };
  };
}

function noticeOf({ _id, title, deadline, ownerId }: Task, recipientId: string): OnceNotice {
  return {
    recipientId,
    kind: "deadline-near",
    task: { _id, title },
    asClient: recipientId === ownerId,
    onceKey: `deadline ${_id.toHexString()} ${deadline} ${recipientId}`,
  };
}
