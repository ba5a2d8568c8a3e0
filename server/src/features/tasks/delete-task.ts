import type { User } from "../../auth/token-verifier.ts";
import { calendarDate, type DeleteAnswer, type StoredTaskState } from "../../contract/index.ts";
import { ProblemError } from "../../http/problem-error.ts";
import type { OwnTaskStore } from "./own-task-store.ts";
import { isOwner } from "./task-policy.ts";
import type { TaskStore } from "./task-store.ts";

type Stores = { store: Pick<TaskStore, "find">; own: OwnTaskStore };

/**
 * Deletes the caller's own task and its bids, and tells the bidders.
 * @throws {ProblemError} `task-not-found` or `not-your-task`; `task-kept` if it was ever awarded.
 */
export async function deleteTask(
  { store, own }: Stores,
  id: string,
  caller: User,
  now: Date,
): Promise<DeleteAnswer> {
  const deletedCount = await own.delete(id, caller, { now, today: calendarDate(now) });
  if (deletedCount === 0) throw await whyNotDeleted(store, id, caller);
  return { acknowledged: true, deletedCount };
}

async function whyNotDeleted(store: Stores["store"], id: string, caller: User) {
  const task = await store.find(id);
  if (!task) return new ProblemError("task-not-found");
  if (!isOwner(task, caller)) return new ProblemError("not-your-task");
  return new ProblemError("task-kept", { detail: INSTEAD[task.state ?? "open"] });
}

const INSTEAD: Record<StoredTaskState, string> = {
  open: "You have awarded this task before, so it is kept for the record. Cancel it instead: it takes no bids then.",
  awarded:
    "You have hired somebody for this task. Mark it as completed, or cancel it; it is kept for the record.",
  completed: "The work on this task is part of your freelancer's record and of yours, so it is kept.",
  cancelled: "You had hired somebody for this task, so it is kept for the record. It takes no bids.",
};
