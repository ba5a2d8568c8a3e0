import { type ClientSession, type Filter, ObjectId, type UpdateFilter } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { CalendarDate, NotificationKind, TaskAction, TaskDraft } from "../../contract/index.ts";
import { announce } from "../../db/announcements.ts";
import type { Announcer } from "../../db/announcer.ts";
import type { Database } from "../../db/client.ts";
import type { AwardDoc, TaskDoc } from "../../db/collections.ts";
import { notify } from "../../db/notices.ts";
import type { ReadCache } from "../../db/read-cache.ts";
import { inStatesFor } from "../../db/task-filters.ts";
import { formFields } from "./task-store.ts";

/** When something is done: the instant, and its calendar date in UTC. */
export type Times = { now: Date; today: CalendarDate };

/** The versions that a write may change; undefined for any. */
export type Versions = readonly number[] | undefined;

export type OwnTaskStore = ReturnType<typeof ownTaskStore>;

type Told = Pick<TaskDoc, "_id" | "title" | "state" | "award" | "revision" | "hidden">;
type Before = Told & Pick<TaskDoc, "category" | "description" | "budget" | "deadline">;

const TOLD = { title: 1, state: 1, award: 1, revision: 1, hidden: 1 } as const;
const BEFORE = { ...TOLD, category: 1, description: 1, budget: 1, deadline: 1 } as const;

/**
 * What an owner does to a task of theirs. Owner and state stand in the filter of each write. Whom it concerns is told, or
 * it is announced to them, in the same transaction.
 */
export function ownTaskStore(
  database: Pick<Database, "tasks" | "bids" | "notifications" | "announcements" | "transactionOn">,
  { invalidateAfter }: Pick<ReadCache, "invalidateAfter">,
  { nudge }: Pick<Announcer, "nudge">,
) {
  const { tasks, bids, notifications, transactionOn } = database;

  /** Tells the hired freelancer, or, while nobody is hired, all whose bids were not declined. */
  async function tell(kind: NotificationKind, task: Told, actor: User, now: Date, session: ClientSession) {
    const to = { session, now };
    if (!task.award) return announce(database, { kind, task, actor }, to);
    const { freelancerId: recipientId } = task.award;
    await notify(notifications, [{ recipientId, kind, task, asClient: false, actor }], to);
  }

  async function voidAward(_id: ObjectId, { bidId }: AwardDoc, session: ClientSession): Promise<void> {
    await tasks.updateOne({ _id }, { $inc: { voidedAwards: 1 } }, { session });
    await bids.updateOne({ _id: bidId }, { $set: { state: "placed" } }, { session });
  }

  /** Changes the state of the task if this is the owner's and the filter holds. @returns whether that was so. */
  function move(
    id: string,
    owner: User,
    {
      filter,
      update,
      kind,
    }: { filter: Filter<TaskDoc>; update: UpdateFilter<TaskDoc>; kind: NotificationKind },
    now: Date,
  ): Promise<boolean> {
    const _id = new ObjectId(id);
    const moving = invalidateAfter(() =>
      transactionOn([_id], async (session) => {
        const task: Told | null = await tasks.findOneAndUpdate(
          { _id, ownerId: owner.uid, ...filter },
          { ...update, $inc: { revision: 1, bidsRevision: 1 } },
          { session, projection: TOLD },
        );
        if (!task) return false;
        const reopened = kind === "task-reopened";
        if (reopened && task.award) await voidAward(task._id, task.award, session);
        const { award: _void, ...withoutAward } = task;
        await tell(kind, reopened ? withoutAward : task, owner, now, session);
        return true;
      }),
    );
    return moving.finally(nudge);
  }

  return {
    /**
     * Writes the form's fields if the task is this owner's and its state lets them: with somebody hired, what they agreed
     * to must stay as it is. Bidders are told of other terms and deadlines. Never creates a task.
     * @param onlyIfDeadline saves only while the stored deadline is this one.
     * @param versions saves only one of these.
     * @returns how many tasks were saved, 1 or 0; a save that changes nothing else still raises `revision`.
     */
    update(
      id: string,
      owner: User,
      draft: TaskDraft,
      {
        now,
        today,
        onlyIfDeadline,
        versions,
      }: Times & { onlyIfDeadline?: CalendarDate | undefined; versions: Versions },
    ): Promise<number> {
      const deadline = onlyIfDeadline === undefined ? {} : { deadline: onlyIfDeadline };
      const _id = new ObjectId(id);
      const filter: Filter<TaskDoc> = {
        _id,
        ownerId: owner.uid,
        ...deadline,
        ...ofVersion(versions),
        $or: [
          inStatesFor("edit-terms", today),
          { $and: [termsOf(draft), inStatesFor("edit-schedule", today)] },
        ],
      };
      const { showEmail } = draft;
      const change: UpdateFilter<TaskDoc> = {
        $set: { ...formFields(draft), updatedAt: now, ...(showEmail === false && { showEmail }) },
        ...(showEmail === true && { $unset: { showEmail: "" as const } }),
        $inc: { revision: 1 },
      };
      const saving = invalidateAfter(() =>
        transactionOn([_id], async (session) => {
          const before: Before | null = await tasks.findOneAndUpdate(filter, change, {
            session,
            projection: BEFORE,
          });
          if (!before) return 0;
          const concerns = before.state !== "cancelled" && changesTheDeal(before, draft);
          if (concerns) await tell("task-changed", { ...before, title: draft.title }, owner, now, session);
          return 1;
        }),
      );
      return saving.finally(nudge);
    },

    /** Completes or cancels the task. @returns whether its state allowed that. */
    end(
      id: string,
      owner: User,
      action: "complete" | "cancel",
      { now, today, versions }: Times & { versions: Versions },
    ): Promise<boolean> {
      const state = action === "complete" ? "completed" : "cancelled";
      const filter = { ...inStatesFor(action, today), ...ofVersion(versions) };
      return move(
        id,
        owner,
        { filter, update: { $set: { state, updatedAt: now } }, kind: `task-${state}` },
        now,
      );
    },

    /**
     * Opens the task again: a former award is void, and its bid stands as the others do.
     * @param deadline the new one; without it the stored one must not have passed.
     * @returns whether its state, and its deadline, allowed that.
     */
    reopen(
      id: string,
      owner: User,
      deadline: CalendarDate | undefined,
      { now, today, versions }: Times & { versions: Versions },
    ): Promise<boolean> {
      const ahead = deadline === undefined ? { deadline: { $gte: today } } : {};
      const update: UpdateFilter<TaskDoc> = {
        $set: { state: "open", updatedAt: now, ...(deadline !== undefined && { deadline }) },
        $unset: { award: "" },
      };
      const filter = { $and: [inStatesFor("reopen", today), ahead], ...ofVersion(versions) };
      return move(id, owner, { filter, update, kind: "task-reopened" }, now);
    },

    /**
     * Deletes the task, if it was never awarded. Its bids are nobody's to see from then on; the announcer tells the bidders
     * and removes them.
     * @returns how many tasks, 1 or 0.
     */
    delete(id: string, owner: User, { now, today }: Times): Promise<number> {
      const taskId = new ObjectId(id);
      const deleting = invalidateAfter(() =>
        transactionOn([taskId], async (session) => {
          // Every bid writes its task too, so a bid in flight collides here instead of being left behind.
          const task: Told | null = await tasks.findOneAndDelete(
            { _id: taskId, ownerId: owner.uid, wasAwarded: { $ne: true }, ...inStatesFor("delete", today) },
            { session, projection: TOLD },
          );
          if (!task) return 0;
          const announcement = { kind: "task-deleted", task, actor: owner, removesBids: true } as const;
          await announce(database, announcement, { session, now });
          return 1;
        }),
      );
      return deleting.finally(nudge);
    },
  };
}

function ofVersion(versions: Versions): Filter<TaskDoc> {
  return versions === undefined ? {} : { revision: { $in: [...versions] } };
}

/** What a freelancer bids on, and a hired one agreed to. */
function termsOf({ title, category, description, budget }: TaskDraft) {
  return { title, category, description, budget };
}

/** Does the draft change what bidders should know of? */
function changesTheDeal(before: Before, draft: TaskDraft): boolean {
  const { title, category, description, budget } = before;
  const terms = { title, category, description, budget };
  return before.deadline !== draft.deadline || JSON.stringify(terms) !== JSON.stringify(termsOf(draft));
}

/** The action of `TASK_RULES` that leads to a state. */
export const ACTION_TO = {
  open: "reopen",
  completed: "complete",
  cancelled: "cancel",
} as const satisfies Record<string, TaskAction>;
