import type { User } from "../../auth/token-verifier.ts";
import { calendarDate, type DeleteAnswer, taskState } from "../../contract/index.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { wrongState } from "./change-state.ts";
import type { OwnTaskStore } from "./own-task-store.ts";
import { isOwner } from "./task-policy.ts";
import type { TaskStore } from "./task-store.ts";

type Stores = { store: Pick<TaskStore, "find">; own: OwnTaskStore };

/**
 * Deletes the caller's own task and its bids, and tells the bidders.
 * @throws {ProblemError} `task-not-found` or `not-your-task`; `wrong-state` while somebody is at work on it.
 */
export async function deleteTask(
  { store, own }: Stores,
  id: string,
  caller: User,
  now: Date,
): Promise<DeleteAnswer> {
  const deletedCount = await own.delete(id, caller, { now, today: calendarDate(now) });
  if (deletedCount === 0) throw await whyNotDeleted(store, id, caller, now);
  return { acknowledged: true, deletedCount };
}

async function whyNotDeleted(store: Stores["store"], id: string, caller: User, now: Date) {
  const task = await store.find(id);
  if (!task) return new ProblemError("task-not-found");
  if (!isOwner(task, caller)) return new ProblemError("not-your-task");
  return wrongState(taskState({ state: task.state ?? "open", deadline: task.deadline }, now));
}
