import type { ObjectId } from "mongodb";
import type { Database } from "../db/client.ts";
import { HIDDEN_TITLE, isSideOf, type TaskSides } from "./task-conditions.ts";

/** A document that may contain a task's title. */
type Titled = { taskId?: ObjectId | undefined; taskTitle?: string | undefined };

/** Shown to the public in place of the title of a task that only people with its link find. */
const UNLISTED_TITLE = "Unlisted task";

/**
 * Replaces the stored titles of tasks that are hidden, or were hidden when they were deleted, and for the public those of
 * unlisted tasks.
 * @param readerOf the uid of the document's reader; undefined for the public.
 */
export async function withoutHiddenTitles<T extends Titled>(
  database: Database,
  docs: readonly T[],
  readerOf: (doc: T) => string | undefined,
): Promise<T[]> {
  const ids = docs.flatMap(({ taskId }) => taskId ?? []);
  if (ids.length === 0) return [...docs];
  const found = await database.tasks
    .find<{ _id: ObjectId; hidden: boolean; unlisted?: boolean } & TaskSides>(
      { _id: { $in: ids } },
      { projection: SIDES },
    )
    .toArray();
  const byId = new Map(found.map((task) => [task._id.toHexString(), task]));
  const gone = ids.filter((id) => !byId.has(id.toHexString()));
  const ownerOf = await deletedWhileHidden(database, gone);
  return docs.map((doc) => {
    if (!doc.taskId) return doc;
    const id = doc.taskId.toHexString();
    const reader = readerOf(doc);
    const task = byId.get(id);
    const isWithheld = task
      ? task.hidden && !isSideOf(task, reader)
      : ownerOf.has(id) && ownerOf.get(id) !== reader;
    if (isWithheld) return { ...doc, taskTitle: HIDDEN_TITLE };
    return task?.unlisted && reader === undefined ? { ...doc, taskTitle: UNLISTED_TITLE } : doc;
  });
}

const SIDES = { ownerId: 1, "award.freelancerId": 1, hidden: 1, unlisted: 1 } as const;
const HIDING = { kind: { $in: ["task-hidden" as const, "task-restored" as const] } };

/**
 * Those of these deleted tasks that were hidden, with their owners' uids if known: deleting a hidden task must not make
 * its title visible again.
 */
export async function deletedWhileHidden(
  { operatorLog }: Database,
  ids: readonly ObjectId[],
): Promise<Map<string, string | undefined>> {
  if (ids.length === 0) return new Map();
  const filter = { taskId: { $in: [...ids] }, ...HIDING };
  const projection = { taskId: 1, kind: 1, personId: 1 } as const;
  const acts = await operatorLog
    .find(filter, {
      sort: { taskId: 1, createdAt: 1, _id: 1 },
      projection,
    })
    .toArray();
  const last = new Map(acts.map((act) => [String(act.taskId), act]));
  return new Map(
    [...last].flatMap(([id, { kind, personId }]) => (kind === "task-hidden" ? [[id, personId]] : [])),
  );
}
