import type { ObjectId } from "mongodb";
import { storedStatesFor } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { ClosureDoc, TaskDoc } from "../../db/collections.ts";
import { FORMER_MEMBER } from "../../db/former-member.ts";
import { notify } from "../../db/notices.ts";

export type LeaveTasksStore = ReturnType<typeof leaveTasksStore>;

const BATCH = 100;
const READ_LIMITS = { maxTimeMS: 4_000 } as const;
const CANCELLABLE = storedStatesFor("cancel");

/** What becomes of the tasks of somebody who deletes their account. */
export function leaveTasksStore({
  tasks,
  bids,
  notifications,
  transaction,
  hints,
}: Pick<Database, "tasks" | "bids" | "notifications" | "transaction" | "hints">) {
  /** Those who are waiting for something from the task as it was. */
  async function concerned({ _id, state = "open", award }: TaskDoc, session: Session): Promise<string[]> {
    if (state === "awarded") return award ? [award.freelancerId] : [];
    const options = { session, projection: { bidderId: 1, _id: 0 } };
    return (await bids.find({ taskId: _id }, options).toArray()).map(({ bidderId }) => bidderId);
  }

  /** Cancels the task where that is possible, takes its owner out of it, and tells the others, in one. */
  function leave(_id: ObjectId, { _id: uid, alias }: ClosureDoc, now: Date): Promise<void> {
    return transaction(async (session) => {
      const before = await tasks.findOneAndUpdate({ _id, ownerId: uid }, leaving(alias, now), {
        session,
        returnDocument: "before",
      });
      if (!before || !CANCELLABLE.includes(before.state ?? "open")) return;
      const recipients = (await concerned(before, session)).filter((id) => id !== uid);
      const about = { kind: "task-cancelled", task: before, asClient: false } as const;
      const notices = recipients.map((recipientId) => ({ recipientId, ...about }));
      await notify(notifications, notices, { session, now });
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
        left += batch.length;
      }
    },
  };
}

type Session = Parameters<Parameters<Database["transaction"]>[0]>[0];

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
