import type { ObjectId } from "mongodb";
import { storedStatesFor } from "../../contract/index.ts";
import { type Announcer, announce } from "../../db/announcements.ts";
import type { Database } from "../../db/client.ts";
import type { ClosureDoc } from "../../db/documents.ts";
import { drainBatches, READ_LIMITS } from "../../db/mongo.ts";
import { FORMER_MEMBER, notify } from "../../db/notices.ts";
import type { EraseStep } from "./closures.ts";

const BATCH = 100;
const CANCELLABLE = storedStatesFor("cancel");

/** Cancels the tasks of somebody who leaves, where they are open or awarded, and makes all of them a former member's, one by one. */
export function anonymizeTasks(
  database: Pick<Database, "tasks" | "bids" | "notifications" | "announcements" | "transaction" | "hints">,
  { nudge }: Pick<Announcer, "nudge">,
): EraseStep {
  const { tasks, notifications, transaction, hints } = database;

  /** Cancels the task where that is possible, takes its owner out of it, and tells who waits for something, in one. */
  function anonymize(_id: ObjectId, { _id: uid, alias }: ClosureDoc, now: Date): Promise<void> {
    return transaction(async (session) => {
      const task = await tasks.findOneAndUpdate({ _id, ownerId: uid }, anonymous(alias, now), {
        session,
        returnDocument: "before",
      });
      if (!task || !CANCELLABLE.includes(task.state)) return;
      const about = { kind: "task-cancelled", task } as const;
      if (!task.award) return announce(database, about, { session, now });
      const notice = { ...about, recipientId: task.award.freelancerId, asClient: false };
      await notify(notifications, [notice], { session, now });
    });
  }

  return (closure, now) => {
    const filter = { ownerId: closure._id, createdAt: { $lt: closure.until } };
    const options = { projection: { _id: 1 }, limit: BATCH, ...READ_LIMITS };
    return drainBatches(
      () =>
        hints.using("tasks", "owner-newest", (hint) => tasks.find(filter, { ...options, ...hint }).toArray()),
      async (batch) => {
        for (const task of batch) await anonymize(task._id, closure, now);
        nudge();
      },
    );
  };
}

function anonymous(alias: string, now: Date) {
  return [
    {
      $set: {
        ownerId: alias,
        name: FORMER_MEMBER,
        email: "",
        showEmail: false,
        state: { $cond: [{ $in: ["$state", CANCELLABLE] }, "cancelled", "$state"] },
        updatedAt: now,
        revision: { $add: ["$revision", 1] },
      },
    },
    { $unset: "clientImage" },
  ];
}
