import type { User } from "../../auth/token-verifier.ts";
import { type Task, taskState } from "../../contract/index.ts";
import type { TaskRow } from "./task-store.ts";

/** A task as it leaves the house. In lists nobody's e-mail address leaves but the visitor's own. */
export function presentTask(task: TaskRow, visitor: User | undefined, now: Date): Task {
  const { state = "open", deadline, ownerId } = task;
  return {
    _id: task._id.toHexString(),
    title: task.title,
    category: task.category,
    description: task.description,
    deadline: task.deadline,
    budget: task.budget,
    name: task.name,
    // What is undefined is not in the JSON.
    email: ownerId === visitor?.uid ? task.email : undefined,
    clientImage: task.clientImage || undefined,
    bidsCount: task.bidsCount,
    createdAt: task.createdAt.toISOString(),
    state: taskState({ state, deadline }, now),
    clientId: ownerId,
    version: task.revision,
    hidden: task.hidden,
    wasAwarded: visitor?.uid === ownerId ? task.wasAwarded : undefined,
  };
}
