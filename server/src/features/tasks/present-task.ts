import type { User } from "../../auth/token-verifier.ts";
import { type Task, taskState } from "../../contract/index.ts";
import type { TaskRow } from "./task-store.ts";

/**
 * A task as it leaves the house. A poster's e-mail leaves for signed-in visitors only, if the poster left that on, and
 * for the poster and the freelancer who was hired in any case.
 */
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
    email: maySeeEmail(task, visitor) ? task.email : undefined,
    clientImage: task.clientImage || undefined,
    bidsCount: task.bidsCount,
    createdAt: task.createdAt.toISOString(),
    state: taskState({ state, deadline }, now),
    clientId: ownerId,
    version: task.revision,
    hidden: task.hidden,
  };
}

function maySeeEmail(task: TaskRow, visitor: User | undefined): boolean {
  if (!visitor) return false;
  return task.showEmail !== false || [task.ownerId, task.award?.freelancerId].includes(visitor.uid);
}
