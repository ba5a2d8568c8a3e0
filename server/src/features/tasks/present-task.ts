import type { User } from "../../auth/token-verifier.ts";
import type { Task } from "../../contract/index.ts";
import type { TaskRow } from "./task-store.ts";

/** A task as it leaves the house. A poster's e-mail leaves for signed-in visitors only. */
export function presentTask(task: TaskRow, visitor: User | undefined): Task {
  return {
    _id: task._id.toHexString(),
    title: task.title,
    category: task.category,
    description: task.description,
    deadline: task.deadline,
    budget: task.budget,
    name: task.name,
    // What is undefined is not in the JSON.
    email: visitor && task.email,
    clientImage: task.clientImage || undefined,
    bidsCount: task.bidsCount,
    createdAt: task.createdAt.toISOString(),
  };
}
