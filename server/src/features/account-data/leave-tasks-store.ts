import type { ObjectId } from "mongodb";
import { storedStatesFor } from "../../contract/index.ts";
import { announce } from "../../db/announcements.ts";
import type { Announcer } from "../../db/announcer.ts";
import type { Database } from "../../db/client.ts";
import type { ClosureDoc } from "../../db/collections.ts";
import { FORMER_MEMBER } from "../../db/former-member.ts";
import { READ_LIMITS } from "../../db/mongo.ts";
import { notify } from "../../db/notices.ts";

export type LeaveTasksStore = ReturnType<typeof leaveTasksStore>;

const BATCH = 100;
const CANCELLABLE = storedStatesFor("cancel");

/** What becomes of the tasks of somebody who deletes their account. */
export function leaveTasksStore(
  database: Pick<Database, "tasks" | "bids" | "notifications" | "announcements" | "transaction" | "hints">,
  { nudge }: Pick<Announcer, "nudge">,
) {
  const { tasks, notifications, transaction, hints } = database;

  /** Cancels the task where that is possible, takes its owner out of it, and tells who waits for something, in one. */
  function leave(_id: ObjectId, { _id: uid, alias }: ClosureDoc, now: Date): Promise<void> {
    return transaction(async (session) => {
      const task = await tasks.findOneAndUpdate({ _id, ownerId: uid }, leaving(alias, now), {
        session,
        returnDocument: "before",
      });
      if (!task || !CANCELLABLE.includes(task.state ?? "open")) return;
      const about = { kind: "task-cancelled", task } as const;
      if (!task.award) return announce(database, about, { session, now });
      const notice = { ...about, recipientId: task.award.freelancerId, asClient: false };
      await notify(notifications, [notice], { session, now });
    });
  }

  return {
    /** Cancels what is open or awarded and makes all their tasks nobody's, one by one. @returns how many. */
    async leaveAll(closure: ClosureDoc, now: Date): Promise<number> {
      const filter = { ownerId: closure._id, createdAt: { $lt: closure.until } };
      const options = { projection: { _id: 1 }, limit: BATCH, ...READ_LIMITS };
      for (let left = 0; ; ) {
        const batch = await hints.using("tasks", "owner-newest", (hint) =>
          tasks.find(filter, { ...options, ...hint }).toArray(),
        );
        if (batch.length === 0) return left;
        for (const { _id } of batch) await leave(_id, closure, now);
        nudge();
        left += batch.length;
      }
    },
  };
}

function leaving(alias: string, now: Date) {
  const state = { $ifNull: ["$state", "open"] };
  return [
    {
      $set: {
        ownerId: alias,
        name: FORMER_MEMBER,
        email: "",
        showEmail: false,
        state: { $cond: [{ $in: [state, CANCELLABLE] }, "cancelled", state] },
        updatedAt: now,
        revision: { $add: ["$revision", 1] },
      },
    },
    { $unset: "clientImage" },
  ];
}
