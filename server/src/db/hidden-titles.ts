import type { ObjectId } from "mongodb";
import type { Collections } from "./collections.ts";
import { READ_LIMITS } from "./mongo.ts";
import { HIDDEN_TITLE, isSideOf, type TaskSides } from "./task-conditions.ts";

type Titled = { taskId: ObjectId; taskTitle: string };

/**
 * Takes the titles of tasks that are hidden now out of what was stored with them.
 * @param readerOf the uid of who reads it; undefined for anybody.
 */
export async function withoutHiddenTitles<T extends Titled>(
  { tasks }: Pick<Collections, "tasks">,
  docs: readonly T[],
  readerOf: (doc: T) => string | undefined,
): Promise<T[]> {
  if (docs.length === 0) return [];
  const hidden = await tasks
    .find<{ _id: ObjectId } & TaskSides>(
      { _id: { $in: docs.map(({ taskId }) => taskId) }, hidden: true },
      { projection: SIDES, hint: "_id_", ...READ_LIMITS },
    )
    .toArray();
  const byId = new Map(hidden.map((task) => [task._id.toHexString(), task]));
  return docs.map((doc) => {
    const task = byId.get(doc.taskId.toHexString());
    return task && !isSideOf(task, readerOf(doc)) ? { ...doc, taskTitle: HIDDEN_TITLE } : doc;
  });
}

const SIDES = { ownerId: 1, "award.freelancerId": 1 } as const;
