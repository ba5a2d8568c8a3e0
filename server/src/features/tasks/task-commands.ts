import { type ClientSession, type Filter, ObjectId, type UpdateFilter } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import {
  type CalendarDate,
  calendarDate,
  type NotificationKind,
  type TaskDraft,
} from "../../contract/index.ts";
import { type Announcer, announce } from "../../db/announcements.ts";
import type { Database } from "../../db/client.ts";
import type { AwardDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { FORMER_MEMBERS, notify } from "../../db/notices.ts";
import { contactNote, markContactData, queueForOperators } from "../../db/operators.ts";
import type { ReadCache } from "../../db/read-cache.ts";
import { inStatesFor } from "../../db/task-conditions.ts";
import { titleGrams } from "../../db/task-search.ts";
import { recordStep } from "../../db/timeline.ts";
import { newClients } from "./new-clients.ts";
import { changesDeal, DEAL_PROJECTION, emptied, stored, termsOf, textsOf } from "./stored-draft.ts";

/** The versions that a write may change; undefined for any. */
export type Versions = readonly number[] | undefined;
type Conditions = { now: Date; versions: Versions };

/** Who tells people of new tasks: when others may do it in its stead, and to begin with one. */
export type NewTaskAlerts = { dueAt: (now: Date) => Date; nudge: (id: ObjectId) => void };

export type TaskCommands = ReturnType<typeof taskCommands>;

const NOTICE_PROJECTION = { title: 1, state: 1, award: 1, revision: 1, hidden: 1, bidsCount: 1 } as const;
/** A task as far as those who are told of it need it. */
type NoticeTask = Pick<TaskDoc, "_id" | keyof typeof NOTICE_PROJECTION>;
/** What a write came to: false if its filter did not hold, else whether something was announced. */
type Written = false | "told" | "announced";

/**
 * Writes tasks. Owner and state stand in the filter of each write of a stored one. Whom it concerns is told, or it is
 * announced to them, in the same transaction.
 */
export function taskCommands(
  database: Pick<
    Database,
    | "tasks"
    | "bids"
    | "questions"
    | "notifications"
    | "announcements"
    | "savedTasks"
    | "timeline"
    | "operatorQueue"
    | "hints"
    | "transaction"
    | "transactionOn"
    | "write"
  >,
  { invalidateAfter }: Pick<ReadCache, "invalidateAfter">,
  { nudge }: Pick<Announcer, "nudge">,
  alerts: NewTaskAlerts,
) {
  const { tasks, bids, questions, timeline, notifications, transaction, transactionOn, write } = database;
  const isNewClient = newClients(database);

  /**
   * Runs one transaction on the task; those it announced something to are told right after it.
   * @returns whether it wrote anything.
   */
  async function writeTask(
    id: ObjectId,
    work: (session: ClientSession) => Promise<Written>,
  ): Promise<boolean> {
    const written = await invalidateAfter(() => transactionOn([id], work));
    if (written === "announced") nudge();
    return written !== false;
  }

  /** Tells the hired freelancer, or, while nobody is hired, all whose bids were not declined. */
  async function tell(
    kind: NotificationKind,
    task: NoticeTask,
    actor: User,
    now: Date,
    session: ClientSession,
    text?: string,
  ): Promise<Written> {
    const to = { session, now };
    if (!task.award) return (await announce(database, { kind, task, actor }, to)) ? "announced" : "told";
    const { freelancerId: recipientId } = task.award;
    await notify(notifications, [{ recipientId, kind, task, asClient: false, actor, text }], to);
    return "told";
  }

  type Move = {
    filter: Filter<TaskDoc>;
    update: UpdateFilter<TaskDoc>;
    to: "reopened" | "completed" | "cancelled";
    reason?: string | undefined;
  };

  /** Changes the state of the task if this is the owner's and the filter holds. @returns whether that was so. */
  function move(
    id: string,
    owner: User,
    { filter, update, to, reason }: Move,
    { now, versions }: Conditions,
  ) {
    const _id = new ObjectId(id);
    return writeTask(_id, async (session) => {
      const task: NoticeTask | null = await tasks.findOneAndUpdate(
        { _id, ownerId: owner.uid, ...filter, ...ofVersion(versions) },
        { ...update, $inc: { revision: 1, bidsRevision: 1 } },
        { session, projection: NOTICE_PROJECTION },
      );
      if (!task) return false;
      const { award, ...withoutAward } = task;
      const isVoid = to === "reopened";
      if (isVoid && award) await restoreBids(_id, award, session);
      const after = isVoid ? withoutAward : task;
      const step = { kind: to, by: "client", ...(reason !== undefined && { reason }) } as const;
      await recordStep(database, { ...after, ownerId: owner.uid }, step, { session, now });
      return tell(`task-${to}`, after, owner, now, session, reason);
    });
  }

  /** Lets the bid that was awarded stand as the others do; those of people who left meanwhile go. */
  async function restoreBids(taskId: ObjectId, { bidId }: AwardDoc, session: ClientSession) {
    await bids.updateOne({ _id: bidId, taskId }, { $set: { state: "placed" } }, { session });
    const { deletedCount } = await bids.deleteMany({ taskId, bidderId: FORMER_MEMBERS }, { session });
    if (deletedCount > 0)
      await tasks.updateOne({ _id: taskId }, { $inc: { bidsCount: -deletedCount } }, { session });
  }

  return {
    /** Stores a new task; the first ones of a client also stand in the operators' queue. @returns its id. */
    async insert(draft: TaskDraft, { uid, email, name, picture }: User, now: Date): Promise<string> {
      const task: TaskDoc = {
        _id: new ObjectId(),
        ...stored(draft),
        showEmail: draft.showEmail ?? true,
        titleGrams: titleGrams(draft.title),
        ownerId: uid,
        email,
        name,
        ...(picture && { clientImage: picture }),
        state: "open",
        hidden: false,
        bidsCount: 0,
        awardCount: 0,
        revision: 0,
        bidsRevision: 0,
        questionsClosed: false,
        questionsRevision: 0,
        createdAt: now,
        updatedAt: now,
        alertsDueAt: alerts.dueAt(now),
      };
      const isFirst = await isNewClient(uid);
      const isMarked = contactNote(textsOf(draft)) !== undefined;
      const store = async (session?: ClientSession) => {
        await tasks.insertOne(task, { ...(session && { session }) });
        const subject = { taskId: task._id, personId: uid };
        if (isFirst) await queueForOperators(database, "first-task", subject, { now, session });
        await markContactData(database, textsOf(draft), subject, { now, session });
        return task._id.toHexString();
      };
      return invalidateAfter(() => (isFirst || isMarked ? transaction(store) : write(store))).finally(() =>
        alerts.nudge(task._id),
      );
    },

    /**
     * Writes the form's fields if the task is this owner's and its state lets them: with somebody hired, what they agreed
     * to must stay as it is. Bidders are told of other terms and deadlines. Never creates a task.
     * @param onlyIfDeadline saves only while the stored deadline is this one.
     * @returns whether it was saved; a save that changes nothing else still raises `revision`.
     */
    update(
      id: string,
      owner: User,
      draft: TaskDraft,
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
          { $and: [termsOf(draft), inStatesFor("edit-schedule", today)] },
        ],
      };
      const fields = {
        ...stored(draft),
        titleGrams: titleGrams(draft.title),
        updatedAt: now,
      } as Partial<TaskDoc>;
      return writeTask(_id, async (session) => {
        const before = await tasks.findOneAndUpdate(
          filter,
          {
            $set: fields,
            $unset: emptied(draft),
            $inc: { revision: 1 },
          },
          { session, projection: { ...NOTICE_PROJECTION, ...DEAL_PROJECTION } },
        );
        if (!before) return false;
        const subject = { taskId: _id, personId: owner.uid };
        await markContactData(database, textsOf(draft), subject, { now, session });
        const isNews = before.state !== "cancelled" && changesDeal(before, draft);
        if (!isNews) return "told";
        return tell("task-changed", { ...before, title: draft.title }, owner, now, session);
      });
    },

    /** Completes the task. @returns whether its state allowed that. */
    complete(id: string, owner: User, conditions: Conditions): Promise<boolean> {
      const { now } = conditions;
      const filter = inStatesFor("complete", calendarDate(now));
      const update = {
        $set: { state: "completed", updatedAt: now, endedAt: now },
        $unset: { delivery: "" },
      } as const;
      return move(id, owner, { filter, update, to: "completed" }, conditions);
    },

    /**
     * Cancels the task, and tells whoever was hired the reason.
     * @returns whether its state allowed that: with somebody hired, not without a reason.
     */
    cancel(id: string, owner: User, reason: string | undefined, conditions: Conditions): Promise<boolean> {
      const { now } = conditions;
      const filter: Filter<TaskDoc> = {
        ...inStatesFor("cancel", calendarDate(now)),
        ...(reason === undefined && { award: { $exists: false } }),
      };
      const update = { $set: { state: "cancelled", updatedAt: now, endedAt: now } } as const;
      return move(id, owner, { filter, update, to: "cancelled", reason }, conditions);
    },

    /**
     * Opens the task again: a former award is void, and its bid stands as the others do, unless whose it is has left.
     * @param deadline the new one; without it the stored one must not have passed.
     * @returns whether its state, and its deadline, allowed that.
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
        $set: { state: "open", updatedAt: now, ...(deadline !== undefined && { deadline }) },
        $unset: { award: "", endedAt: "" },
      };
      const filter = { $and: [inStatesFor("reopen", today), ahead] };
      return move(id, owner, { filter, update, to: "reopened" }, conditions);
    },

    /**
     * Deletes the task, if it was never awarded. Its bids are nobody's to see from then on; the announcer tells the bidders
     * and removes them.
     * @returns whether it was deleted.
     */
    delete(id: string, owner: User, now: Date): Promise<boolean> {
      const taskId = new ObjectId(id);
      const deletable = { awardCount: 0, ...inStatesFor("delete", calendarDate(now)) };
      return writeTask(taskId, async (session) => {
        // Every bid writes its task too, so a bid in flight collides here instead of being left behind.
        const task: NoticeTask | null = await tasks.findOneAndDelete(
          { _id: taskId, ownerId: owner.uid, ...deletable },
          { session, projection: NOTICE_PROJECTION },
        );
        if (!task) return false;
        await questions.deleteMany({ taskId }, { session });
        await timeline.deleteMany({ taskId }, { session });
        const announcement = { kind: "task-deleted", task, actor: owner, removesBids: true } as const;
        return (await announce(database, announcement, { session, now })) ? "announced" : "told";
      });
    },
  };
}

function ofVersion(versions: Versions): Filter<TaskDoc> {
  return versions === undefined ? {} : { revision: { $in: [...versions] } };
}
