import type { User } from "../../auth/token-verifier.ts";
import { publicTaskSchema, type Task } from "../../contract/index.ts";
import type { TaskRow } from "../../db/documents/tasks.ts";
import { otherSideLeft, shownState } from "../../db/task-conditions.ts";

const PUBLIC_FIELDS = Object.keys(publicTaskSchema.shape) as (keyof typeof publicTaskSchema.shape)[];

/** A task as the API returns it. In lists nobody's email address leaves but the visitor's own. */
export function presentTask(task: TaskRow, visitor: User | undefined, now: Date): Task {
  const isOwner = task.ownerId === visitor?.uid;
  // What is undefined is not in the JSON.
  return {
    _id: task._id.toHexString(),
    ...(Object.fromEntries(PUBLIC_FIELDS.map((field) => [field, task[field]])) as Pick<
      TaskRow,
      (typeof PUBLIC_FIELDS)[number]
    >),
    email: isOwner ? visitor?.email : undefined,
    createdAt: task.createdAt.toISOString(),
    state: shownState(task, visitor?.uid, now),
    clientId: task.ownerId,
    version: task.revision,
    hidden: task.hidden || undefined,
    questionsClosed: task.questionsClosed || undefined,
    otherSideLeft: (visitor && otherSideLeft(task, visitor.uid)) || undefined,
    wasAwarded: (isOwner && task.awardCount > 0) || undefined,
  };
}
