import { LRUCache } from "lru-cache";
import type { Filter, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { Context } from "../../context.ts";
import {
  calendarDate,
  FIRST_TASKS,
  isOpen,
  mayAct,
  type NotificationKind,
  pastDeadlineText,
  type StoredTaskState,
  taskState,
} from "../../contract/index.ts";
import { taskEndpoints } from "../../contract/task.ts";
import type { Database } from "../../db/client.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { enqueue } from "../../db/jobs.ts";
import { announce } from "../../domain/announcements.ts";
import { dailyLimit } from "../../domain/daily-limit.ts";
import { deleteTask } from "../../domain/delete-task.ts";
import { attachFiles } from "../../domain/files.ts";
import { notifySide } from "../../domain/notify.ts";
import { markContactData, queueForOperators, requeueChecked } from "../../domain/operators.ts";
import { halfStars } from "../../domain/people.ts";
import { changedMeanwhile, invalid, ProblemError } from "../../domain/problem-error.ts";
import { inStatesFor, requireClient } from "../../domain/task-conditions.ts";
import { searchKeysOf } from "../../domain/text-search.ts";
import type { Api } from "../../http/mount.ts";
import { concernsBidders, newTask, sameTerms, textsOf, updateFrom } from "./apply-draft.ts";

/** The versions of a task that a write may change (undefined: any). */
type Versions = readonly number[] | undefined;

/** Accounts younger than this can post only a quarter of the tasks that others can post on one day. */
const NEW_ACCOUNT_MS = 7 * 86_400_000;
const MAX_KNOWN_CLIENTS = 10_000;

/**
 * Posting, saving and deleting tasks. The filter of each write demands the owner and a suitable state; why it matched
 * nothing is read in the same transaction. People concerned are notified, or an announcement to them is stored, in it, too.
 */
export function taskWriteRoutes(api: Api, { database, settings: { tasksPerDay } }: Context): void {
  const { tasks, people, transaction, transactionOn } = database;
  const knownClients = new LRUCache<string, true>({ max: MAX_KNOWN_CLIENTS });

  /** Has this client posted so few tasks that operators review the next one? Clients with enough are cached. */
  async function isNewClient(ownerId: string): Promise<boolean> {
    if (knownClients.has(ownerId)) return false;
    if ((await tasks.countDocuments({ ownerId }, { limit: FIRST_TASKS })) < FIRST_TASKS) return true;
    knownClients.set(ownerId, true);
    return false;
  }

  /** Counts a new task of this client. @throws {ProblemError} `task-limit-reached`. */
  async function countTask({ uid }: User, perDay: number, now: Date): Promise<void> {
    const client = await people.findOne({ _id: uid }, { projection: { memberSince: 1 } });
    const isNew = !client || now.getTime() - client.memberSince.getTime() < NEW_ACCOUNT_MS;
    const limit = dailyLimit(database, "tasks", isNew ? Math.ceil(perDay / 4) : perDay);
    const refusal = await limit.refusal(uid, now);
    if (refusal) throw refusal;
    await limit.add(uid, calendarDate(now));
  }

  api.mount(taskEndpoints, {
    // A client's first tasks are also queued for operators.
    postTask: async ({ body: { files, ...draft }, user: owner, now, response }) => {
      const task = newTask(draft, owner, now);
      const { _id, ownerId } = task;
      const isFirst = await isNewClient(ownerId);
      const id = await transaction(async () => {
        await tasks.insertOne(task);
        await attachFiles(database, ownerId, files, briefOf(_id), now);
        await enqueue(database, { kind: "search-alerts", subject: [_id] });
        // After the insert, because another attempt of the same person waits for the count.
        if (tasksPerDay !== undefined) await countTask(owner, tasksPerDay, now);
        const subject = { taskId: _id, personId: ownerId };
        if (isFirst) await queueForOperators(database, "first-task", subject, { now });
        await markContactData(database, textsOf(draft), subject, now);
        // Last, because the person's other posts collide with it, as does a rating that changes meanwhile. Posts
        // do not wait in line instead: the retry of one that is stuck must not wait for it.
        const client = await people.findOneAndUpdate(
          { _id: ownerId },
          { $min: { publicSince: now }, $inc: { pairRevision: 1 } },
          { projection: { rating: 1 } },
        );
        const clientRating = halfStars(client?.rating);
        if (clientRating) await tasks.updateOne({ _id }, { $set: { clientRating } });
        return _id;
      });
      response.location(`/tasks/${id}`);
      return id;
    },

    // Saves the form's fields; a save without changes still raises `revision`. A past deadline is accepted only if it is the
    // task's current one, so an expired task can be corrected. An award fixes the terms, completion everything.
    updateTask: ({ params: { id: _id }, body, user: owner, now, versions }) => {
      const { files, ...draft } = body;
      const today = calendarDate(now);
      const isAhead = isOpen(draft.deadline, now);
      const filter: Filter<TaskDoc> = {
        _id,
        ...ownTask(owner, versions),
        ...(!isAhead && { deadline: draft.deadline }),
        $or: [
          inStatesFor("edit-terms", today),
          { $and: [sameTerms(draft), inStatesFor("edit-schedule", today)] },
        ],
      };
      return transactionOn(_id, async () => {
        const before = await tasks.findOneAndUpdate(filter, updateFrom(draft, now));
        if (!before) {
          const task = await requireOwn(database, _id, owner, versions);
          const current = taskState(task, now);
          const isPast = !isAhead && draft.deadline !== task.deadline;
          throw mayAct("edit-terms", "client", current) ||
            (isPast && mayAct("edit-schedule", "client", current))
            ? pastDeadline(now)
            : new ProblemError("task-locked");
        }
        const hasOtherFiles = await attachFiles(database, owner.uid, files, briefOf(_id), now);
        if (hasOtherFiles && !mayAct("edit-terms", "client", before.state))
          throw new ProblemError("task-locked");
        // A draft without skills leaves them as they are.
        const { skills = before.skills } = draft;
        if (skills !== draft.skills) {
          const searchKeys = searchKeysOf({ ...draft, skills });
          await tasks.updateOne({ _id }, { $set: { searchKeys } });
        }
        // Lists have it only now.
        if (before.unlisted && !draft.unlisted)
          await enqueue(database, { kind: "search-alerts", subject: [_id] });
        await removeEarlyDelivery(database, _id);
        await markContactData(database, textsOf(draft), { taskId: _id, personId: owner.uid }, now);
        // A later deadline alone needs no second check.
        if (concernsBidders({ ...before, deadline: draft.deadline }, draft))
          await requeueChecked(database, "first-task", _id, now);
        if (!hasOtherFiles && !concernsBidders(before, draft)) return true;
        await tasks.updateOne({ _id }, { $set: { editedAt: now } });
        if (before.state !== "cancelled")
          await notifyBidders(database, "task-changed", { ...before, title: draft.title }, owner, now);
        return true;
      });
    },

    deleteTask: ({ params: { id: _id }, user: owner, now }) => {
      const filter = { _id, ownerId: owner.uid, ...inStatesFor("delete", calendarDate(now)) };
      return transactionOn(_id, async () => {
        if (await deleteTask(database, filter, owner, now)) return true;
        const { state } = await requireOwn(database, _id, owner, undefined);
        throw new ProblemError("task-kept", { detail: INSTEAD_OF_DELETING[state] });
      });
    },
  });
}

const INSTEAD_OF_DELETING: Record<StoredTaskState, string> = {
  open: "You have awarded this task before, so it is kept for the record. Cancel it instead: it takes no bids then.",
  awarded:
    "You have hired somebody for this task. Mark it as completed, or cancel it; it is kept for the record.",
  delivered:
    "The freelancer has delivered the work. Mark the task as completed, or ask for changes; it is kept for the record.",
  completed: "The work on this task is part of your freelancer's record and of yours, so it is kept.",
  cancelled: "You had hired somebody for this task, so it is kept for the record. It takes no bids.",
};

/** Where a task's own files hang. */
const briefOf = (taskId: ObjectId) => ({ kind: "task", on: taskId, taskId, by: "client" }) as const;

/** Filter for the caller's own task in one of these versions. */
export function ownTask({ uid: ownerId }: User, versions: Versions): Filter<TaskDoc> {
  return { ownerId, ...(versions && { revision: { $in: [...versions] } }) };
}

/** The task that a write did not match; throws if the task, its owner or its version was the reason. */
export async function requireOwn(
  { tasks }: Database,
  _id: ObjectId,
  caller: User,
  versions: Versions,
): Promise<TaskDoc> {
  const task = await tasks.findOne({ _id });
  requireClient(task, caller);
  if (versions && !versions.includes(task.revision)) throw changedMeanwhile(task.revision);
  return task;
}

/** Removes a date of delivery before a new last day for bids, which is meant no more. */
export async function removeEarlyDelivery({ tasks }: Database, _id: ObjectId): Promise<void> {
  const isEarly = { _id, $expr: { $lt: ["$deliverBy", "$deadline"] } };
  await tasks.updateOne(isEarly, { $unset: { deliverBy: true } });
}

/** Notifies the hired freelancer and those who saved the task or, if nobody is hired, also all bidders not declined. */
export async function notifyBidders(
  database: Database,
  kind: NotificationKind,
  task: TaskDoc,
  actor: User,
  now: Date,
  text?: string,
): Promise<void> {
  const except = task.award?.bidId;
  await notifySide(database, "freelancer", task, { kind, actor, text }, now);
  const audience = except && ({ to: "watchers", except } as const);
  await announce(database, { kind, task, actor, ...audience }, now);
}

/** The refusal of a past deadline, which says which days are possible. */
export const pastDeadline = (now: Date) => invalid("deadline", pastDeadlineText(calendarDate(now)));
