import type { ObjectId } from "mongodb";
import { addDays, calendarDate } from "../../contract/index.ts";
import { batchesOf, type Database } from "../../db/client.ts";
import { type TaskDoc, WITHOUT_KEYS } from "../../db/documents/tasks.ts";
import type { Work } from "../../db/jobs.ts";
import { type Notice, notify } from "../../domain/notify.ts";
import { takingBids, VISIBLE } from "../../domain/task-conditions.ts";

type Options = { batch?: number; signal?: AbortSignal };

const BATCH = 200;
/** How many days before the deadline the client and bidders are notified, and how many those who saved the task. */
export const DAYS_AHEAD = { participants: 1, watchers: 2 } as const;

/**
 * Notifies the client and bidders of open tasks whose deadline is today or tomorrow (UTC), and a day earlier those who
 * saved the task before that day. Each person is notified once per deadline of a task. Declined bidders are left out,
 * and so is who bids or saves the task on such a day: they have just seen its deadline.
 * @returns a function that goes through those tasks in batches and resolves to how many people it notified. Given
 *   `since`, only through those that were posted or changed since then.
 */
export function deadlineNotices({ tasks, bids, savedTasks, notifications }: Database, options: Options = {}) {
  const { batch = BATCH, signal } = options;

  /** Notifies the people of these bids or saved tasks. */
  async function notifyEach<T extends { taskId: ObjectId }>(
    found: readonly TaskDoc[],
    docs: AsyncIterable<T>,
    toNotice: (task: TaskDoc, doc: T) => Notice,
    now: Date,
  ): Promise<number> {
    const byId = new Map(found.map((task) => [task._id.toHexString(), task]));
    let notified = 0;
    for await (const some of batchesOf(docs, batch)) {
      const notices = some.flatMap((doc) => {
        const task = byId.get(doc.taskId.toHexString());
        return task ? [toNotice(task, doc)] : [];
      });
      notified += await notify(notifications, notices, now);
    }
    return notified;
  }

  async function notifyParticipants(found: readonly TaskDoc[], now: Date): Promise<number> {
    const toClients = found.map((task) => noticeOf(task, task.ownerId));
    const clients = await notify(notifications, toClients, now);
    const filter = { taskId: { $in: found.map(({ _id }) => _id) }, state: { $ne: "declined" } } as const;
    const bidsOn = bids.find(filter, {
      projection: { taskId: 1, bidderId: 1 },
      batchSize: batch,
    });
    return clients + (await notifyEach(found, bidsOn, (task, { bidderId }) => noticeOf(task, bidderId), now));
  }

  /** Leaves out people who saved the task today: they have just seen its deadline. */
  function notifyWatchers(found: readonly TaskDoc[], now: Date): Promise<number> {
    const earlier = { $lt: new Date(`${calendarDate(now)}T00:00:00Z`) };
    const filter = { taskId: { $in: found.map(({ _id }) => _id) }, createdAt: earlier };
    const saved = savedTasks.find(filter, {
      projection: { taskId: 1, personId: 1 },
      batchSize: batch,
    });
    const toNotice = (task: TaskDoc, { personId }: { personId: string }) => ({
      ...noticeOf(task, personId),
      saved: true,
    });
    return notifyEach(found, saved, toNotice, now);
  }

  return async (now: Date, since?: Date): Promise<number> => {
    const today = calendarDate(now);
    let notified = 0;
    for (let days = 0; days <= DAYS_AHEAD.watchers; days++) {
      const due = {
        ...takingBids(today),
        ...VISIBLE,
        // Replaces the date range in `takingBids`.
        deadline: addDays(today, days),
        ...(since && { updatedAt: { $gte: since } }),
      };
      const options = { projection: WITHOUT_KEYS, batchSize: batch, maxTimeMS: 30_000, hint: "by-deadline" };
      for await (const found of batchesOf(tasks.find(due, options), batch)) {
        // What is left is done by the instance that takes over.
        signal?.throwIfAborted();
        if (days <= DAYS_AHEAD.participants) notified += await notifyParticipants(found, now);
        notified += await notifyWatchers(found, now);
      }
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

function noticeOf({ _id, title, deadline, ownerId }: TaskDoc, recipientId: string): Notice {
  return {
    recipientId,
    kind: "deadline-near",
    task: { _id, title },
    asClient: recipientId === ownerId,
    onceKey: `deadline ${_id} ${deadline} ${recipientId}`,
  };
}
