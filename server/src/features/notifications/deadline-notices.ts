import type { ObjectId } from "mongodb";
import { addDays, type CalendarDate, calendarDate } from "../../contract/index.ts";
import { batchesOf, type Database, READ_LIMITS } from "../../db/client.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { notifyOnce, type OnceNotice } from "../../db/notices.ts";
import { takingBids, VISIBLE } from "../../db/task-conditions.ts";

type Options = { batch?: number; signal?: AbortSignal };

const FIELDS = { title: 1, ownerId: 1, deadline: 1, bidsCount: 1, bidsRevision: 1 } as const;
type Task = Pick<TaskDoc, "_id" | keyof typeof FIELDS>;

const BATCH = 200;
/** How many days before the deadline the client and bidders are notified, and how many those who saved the task. */
const DAYS_AHEAD = { participants: 1, watchers: 2 } as const;

/**
 * Notifies the client and bidders of open tasks whose deadline is today or tomorrow (UTC), and a day earlier those who
 * saved the task before that day. Each person is notified once per deadline of a task, even if this runs repeatedly on
 * several instances. Declined bidders are left out.
 * @returns a function that goes through those tasks in batches and resolves to how many people it notified. It skips
 *   tasks it has seen before until their bids or deadline change.
 */
export function deadlineNotices({ tasks, bids, savedTasks, notifications }: Database, options: Options = {}) {
  const { batch = BATCH, signal } = options;
  let seen = new Map<string, string>();

  function readTasks(
    deadline: CalendarDate,
    after: ObjectId | undefined,
    today: CalendarDate,
  ): Promise<Task[]> {
    // The exact deadline replaces the date range in `takingBids`.
    const filter = { ...takingBids(today), ...VISIBLE, deadline, ...(after && { _id: { $gt: after } }) };
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

  return async (now: Date): Promise<number> => {
    const today = calendarDate(now);
    // Includes today's date, because those who save a task today are notified tomorrow.
    const versionOf = ({ deadline, bidsCount, bidsRevision }: Task) =>
      `${today} ${deadline} ${bidsCount} ${bidsRevision}`;
    const seenNow = new Map<string, string>();
    let notified = 0;
    for (let days = 0; days <= DAYS_AHEAD.watchers; days++) {
      const deadline = addDays(today, days);
      let after: ObjectId | undefined;
      do {
        const found = await readTasks(deadline, after, today);
        after = found.length < batch ? undefined : found.at(-1)?._id;
        const fresh = found.filter((task) => seen.get(task._id.toHexString()) !== versionOf(task));
        if (fresh.length > 0) {
          if (days <= DAYS_AHEAD.participants) notified += await notifyParticipants(fresh, now);
          notified += await notifyWatchers(fresh, now);
        }
        for (const task of found) seenNow.set(task._id.toHexString(), versionOf(task));
      } while (after && !signal?.aborted);
    }
    // Forgets tasks that were deleted or no longer take bids.
    seen = seenNow;
    return notified;
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
