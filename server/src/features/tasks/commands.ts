import { LRUCache } from "lru-cache";
import { type ClientSession, type Filter, ObjectId, type UpdateFilter } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import {
  type CalendarDate,
  calendarDate,
  FIRST_TASKS,
  mayAct,
  type NotificationKind,
  type PostedDraft,
} from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { enqueue, type Jobs } from "../../db/jobs.ts";
import { announce } from "../../domain/announcements.ts";
import { dailyLimit } from "../../domain/daily-limit.ts";
import { deleteTask } from "../../domain/delete-task.ts";
import { attachFiles } from "../../domain/files.ts";
import { acceptMilestone, finishMilestones } from "../../domain/milestones.ts";
import { type At, FORMER_MEMBERS, notifySide } from "../../domain/notify.ts";
import { markContactData, queueForOperators, requeueChecked, settleItem } from "../../domain/operators.ts";
import { paymentReminder } from "../../domain/payments.ts";
import { markPublic } from "../../domain/people.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { inStatesFor } from "../../domain/task-conditions.ts";
import { titleGrams } from "../../domain/text-search.ts";
import { recordStep } from "../../domain/timeline.ts";
import { concernsBidders, newTask, sameTerms, textsOf, updateFrom } from "./task-draft.ts";

/** The versions of a task that a write may change (undefined: any). */
export type Versions = readonly number[] | undefined;
type Conditions = { now: Date; versions: Versions };

export type TaskCommands = ReturnType<typeof taskCommands>;

/** The result of a write: false if its filter matched nothing, "announced" if there are people to notify. */
type Written = false | "written" | "announced";
const MAX_KNOWN_CLIENTS = 10_000;

/** Accounts younger than this can post only a quarter of the tasks that others can post on one day. */
const NEW_ACCOUNT_MS = 7 * 86_400_000;

/**
 * Writes tasks. The filter of each write demands the owner and a suitable state. People concerned are notified, or an
 * announcement to them is stored, in the same transaction.
 */
export function taskCommands(
  database: Database,
  { nudge }: Pick<Jobs, "nudge">,
  tasksPerDay = Number.POSITIVE_INFINITY,
) {
  const usualLimit = dailyLimit(database, "tasks", tasksPerDay);
  const firstLimit = dailyLimit(database, "tasks", Math.ceil(tasksPerDay / 4));
  const { tasks, bids, people, transaction, transactionOn } = database;
  const knownClients = new LRUCache<string, true>({ max: MAX_KNOWN_CLIENTS });

  /** Has this client posted so few tasks that operators review the next one? Clients with enough are cached. */
  async function isNewClient(ownerId: string): Promise<boolean> {
    if (knownClients.has(ownerId)) return false;
    const options = { limit: FIRST_TASKS, ...READ_LIMITS };
    const posted = await tasks.countDocuments({ ownerId }, { ...options, hint: "owner-newest" });
    if (posted < FIRST_TASKS) return true;
    knownClients.set(ownerId, true);
    return false;
  }

  /** Counts a new task of this client. @throws {ProblemError} `task-limit-reached`. */
  async function countTask({ uid }: User, now: Date, session: ClientSession): Promise<void> {
    const client = await people.findOne({ _id: uid }, { session, projection: { memberSince: 1 } });
    const isNew = !client || now.getTime() - client.memberSince.getTime() < NEW_ACCOUNT_MS;
    const limit = isNew ? firstLimit : usualLimit;
    const refusal = await limit.refusal(uid, now, session);
    if (refusal) throw refusal;
    await limit.add(uid, calendarDate(now), session);
  }

  /** Runs one transaction on the task, and starts the delivery of what it announced. @returns whether it wrote anything. */
  async function writeTask(
    id: ObjectId,
    work: (session: ClientSession) => Promise<Written>,
  ): Promise<boolean> {
    const written = await transactionOn([id], work);
    if (written === "announced") nudge("announcement");
    return written !== false;
  }

  /** Notifies the hired freelancer and those who saved the task or, if nobody is hired, also all bidders not declined. */
  async function notifyBidders(
    kind: NotificationKind,
    task: TaskDoc,
    actor: User,
    at: At,
    text?: string,
  ): Promise<Written> {
    const except = task.award?.bidId;
    await notifySide(database, "freelancer", task, { kind, actor, text }, at);
    const audience = except && ({ to: "watchers", except } as const);
    return (await announce(database, { kind, task, actor, ...audience }, at)) ? "announced" : "written";
  }

  type Move = {
    filter: Filter<TaskDoc>;
    update: UpdateFilter<TaskDoc>;
    to: "reopened" | "completed" | "cancelled";
    reason?: string | undefined;
  };

  /** Changes the state of the owner's task if the filter matches. @returns whether it did. */
  function move(
    id: string,
    owner: User,
    { filter, update, to, reason }: Move,
    { now, versions }: Conditions,
  ) {
    const _id = new ObjectId(id);
    return writeTask(_id, async (session) => {
      const at = { session, now };
      const mine = { ownerId: owner.uid, ...ofVersion(versions) };
      const accepting = { _id, action: "complete", condition: mine, actor: owner } as const;
      if (to === "completed" && (await acceptMilestone(database, accepting, at))) return "written";
      const task = await tasks.findOneAndUpdate(
        { _id, ...mine, ...filter },
        { ...update, $inc: { revision: 1, bidsRevision: 1 } },
        { session },
      );
      if (!task) return false;
      if (to === "reopened") {
        if (task.award) await removeFormerBids(_id, session);
        // A delivery before the new last day for bids is meant no more.
        const isEarly = { _id, $expr: { $lt: ["$deliverBy", "$deadline"] } };
        await tasks.updateOne(isEarly, { $unset: { deliverBy: true } }, { session });
      }
      if (to === "completed") {
        await finishMilestones(database, task, session);
        await enqueue(database, paymentReminder(_id, now), session);
        // A dispute is over.
        await settleItem(database, "dispute", _id, session);
      }
      const after = to === "reopened" ? { ...task, award: undefined } : task;
      await recordStep(database, after, { kind: to, by: "client", reason }, at);
      return notifyBidders(`task-${to}`, after, owner, at, reason);
    });
  }

  /** Deletes bids of people who have deleted their account. */
  async function removeFormerBids(taskId: ObjectId, session: ClientSession) {
    const { deletedCount } = await bids.deleteMany({ taskId, bidderId: FORMER_MEMBERS }, { session });
    if (deletedCount > 0)
      await tasks.updateOne({ _id: taskId }, { $inc: { bidsCount: -deletedCount } }, { session });
  }

  return {
    /**
     * Stores a new task; a client's first ones are also queued for operators.
     * @returns its id.
     * @throws {ProblemError} `task-limit-reached`.
     */
    async insert({ files, ...draft }: PostedDraft, owner: User, now: Date): Promise<string> {
      const task = newTask(draft, owner, now);
      const isFirst = await isNewClient(owner.uid);
      const isLimited = tasksPerDay < Number.POSITIVE_INFINITY;
      const storing = transaction(async (session) => {
        const at = { session, now };
        await tasks.insertOne(task, { session });
        await attachFiles(database, owner.uid, files, briefOf(task._id), at);
        await enqueue(database, { kind: "search-alerts", subject: [task._id] }, session);
        // After the insert, because another attempt of the same person waits for the count.
        if (isLimited) await countTask(owner, now, session);
        await markPublic(database, owner.uid, at);
        const subject = { taskId: task._id, personId: owner.uid };
        if (isFirst) await queueForOperators(database, "first-task", subject, at);
        await markContactData(database, textsOf(draft), subject, at);
        return task._id.toHexString();
      });
      return storing.finally(() => nudge("search-alerts"));
    },

    /**
     * Saves the form's fields to the owner's task if its state allows it: once somebody is hired, the agreed terms are
     * fixed. Bidders are notified of changed terms and deadlines. Never creates a task.
     * @param onlyIfDeadline saves only while this is the stored deadline.
     * @returns whether it was saved. A save without changes still raises `revision`.
     */
    update(
      id: string,
      owner: User,
      { files, ...draft }: PostedDraft,
      { now, onlyIfDeadline, versions }: Conditions & { onlyIfDeadline: CalendarDate | undefined },
    ): Promise<boolean> {
      const _id = new ObjectId(id);
      const today = calendarDate(now);
      const filter: Filter<TaskDoc> = {
        _id,
        ownerId: owner.uid,
        ...(onlyIfDeadline !== undefined && { deadline: onlyIfDeadline }),
        ...ofVersion(versions),
        $or: [
          inStatesFor("edit-terms", today),
          { $and: [sameTerms(draft), inStatesFor("edit-schedule", today)] },
        ],
      };
      return writeTask(_id, async (session) => {
        const at = { session, now };
        const before = await tasks.findOneAndUpdate(filter, updateFrom(draft, now), { session });
        if (!before) return false;
        const hasOtherFiles = await attachFiles(database, owner.uid, files, briefOf(_id), at);
        if (hasOtherFiles && !mayAct("edit-terms", "client", before.state))
          throw new ProblemError("task-locked");
        // A draft without skills leaves them as they are.
        const { skills = before.skills } = draft;
        if (skills !== draft.skills)
          await tasks.updateOne(
            { _id },
            { $set: { titleGrams: titleGrams({ ...draft, skills }) } },
            { session },
          );
        const subject = { taskId: _id, personId: owner.uid };
        await markContactData(database, textsOf(draft), subject, at);
        // A later deadline alone needs no second check.
        if (concernsBidders({ ...before, deadline: draft.deadline }, draft))
          await requeueChecked(database, "first-task", _id, at);
        if (!hasOtherFiles && !concernsBidders(before, draft)) return "written";
        await tasks.updateOne({ _id }, { $set: { editedAt: now } }, { session });
        if (before.state === "cancelled") return "written";
        return notifyBidders("task-changed", { ...before, title: draft.title }, owner, at);
      });
    },

    /** Completes the task, or its current milestone if another one follows. @returns whether its state allowed that. */
    complete(id: string, owner: User, conditions: Conditions): Promise<boolean> {
      const { now } = conditions;
      const filter = inStatesFor("complete", calendarDate(now));
      const update = {
        $set: { state: "completed", updatedAt: now, endedAt: now },
        $unset: { delivery: "", "award.ending": "" },
      } as const;
      return move(id, owner, { filter, update, to: "completed" }, conditions);
    },

    /**
     * Cancels the task, and notifies the hired freelancer with the reason, or the bidders.
     * @returns whether its state allowed that; once somebody is hired, a reason is required.
     */
    cancel(id: string, owner: User, reason: string | undefined, conditions: Conditions): Promise<boolean> {
      const { now } = conditions;
      const filter: Filter<TaskDoc> = {
        ...inStatesFor("cancel", calendarDate(now)),
        ...(reason === undefined && { award: { $exists: false } }),
        // While there is a dispute, an operator decides.
        "award.ending": { $ne: "operator" },
        // What was accepted is owed: such a task is ended early by both.
        "award.accepted": { $not: { $gt: 0 } },
      };
      const update = { $set: { state: "cancelled", updatedAt: now, endedAt: now } } as const;
      return move(id, owner, { filter, update, to: "cancelled", reason }, conditions);
    },

    /**
     * Opens the task again. This voids a previous award and makes its bid an ordinary one again.
     * @param deadline the new deadline; without one, the stored deadline must not have passed.
     * @returns whether its state and deadline allowed that.
     */
    reopen(
      id: string,
      owner: User,
      deadline: CalendarDate | undefined,
      conditions: Conditions,
    ): Promise<boolean> {
      const { now } = conditions;
      const today = calendarDate(now);
      const ahead = deadline === undefined ? { deadline: { $gte: today } } : {};
      const update: UpdateFilter<TaskDoc> = {
        $set: { state: "open", updatedAt: now, ...(deadline !== undefined && { deadline, editedAt: now }) },
        $unset: { award: "", endedAt: "" },
      };
      const filter = { $and: [inStatesFor("reopen", today), ahead] };
      return move(id, owner, { filter, update, to: "reopened" }, conditions);
    },

    /** Deletes the task if it was never awarded. @returns whether it was deleted. */
    delete(id: string, owner: User, now: Date): Promise<boolean> {
      const _id = new ObjectId(id);
      const filter = { _id, ownerId: owner.uid, ...inStatesFor("delete", calendarDate(now)) };
      return writeTask(_id, async (session) => {
        const isAnnounced = await deleteTask(database, filter, owner, { session, now });
        return isAnnounced === undefined ? false : isAnnounced ? "announced" : "written";
      });
    },
  };
}

/** Where a task's own files hang. */
const briefOf = (taskId: ObjectId) => ({ kind: "task", on: taskId, taskId, by: "client" }) as const;

function ofVersion(versions: Versions): Filter<TaskDoc> {
  return versions === undefined ? {} : { revision: { $in: [...versions] } };
}
