import { ObjectId } from "mongodb";
import type { Database } from "../../db/client.ts";
import type { TaskDoc } from "../../db/documents.ts";
import { notify } from "../../db/notices.ts";
import type { ReadCache } from "../../db/read-cache.ts";

export type VisibilityStore = ReturnType<typeof visibilityStore>;

type Told = Pick<TaskDoc, "_id" | "title" | "ownerId">;

const TOLD = { title: 1, ownerId: 1 } as const;

/** Hides tasks from the public, and shows them again. */
export function visibilityStore(
  { tasks, notifications, transaction }: Pick<Database, "tasks" | "notifications" | "transaction">,
  { invalidateAfter }: Pick<ReadCache, "invalidateAfter">,
) {
  return {
    /**
     * Hides the task, or shows it again, and tells its owner if that changed something. It is no save of the owner's:
     * the version stays.
     * @returns undefined if there is no such task, else whether this changed it.
     */
    async setHidden(id: string, hidden: boolean, now: Date): Promise<boolean | undefined> {
      const _id = new ObjectId(id);
      const filter = { _id, hidden: !hidden };
      const change = { $set: { hidden } };
      return invalidateAfter(() =>
        transaction(async (session) => {
          const options = { session, projection: TOLD };
          const task: Told | null = await tasks.findOneAndUpdate(filter, change, options);
          if (!task) return (await tasks.findOne({ _id }, options)) ? false : undefined;
          const kind = hidden ? "task-hidden" : "task-restored";
          const notice = { recipientId: task.ownerId, kind, task, asClient: true } as const;
          await notify(notifications, [notice], { session, now });
          return true;
        }),
      );
    },
  };
}
