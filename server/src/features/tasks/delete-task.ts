import type { User } from "../../auth/token-verifier.ts";
import type { DeleteAnswer } from "../../contract/index.ts";
import { ProblemError } from "../../http/problem-error.ts";
import type { TaskStore } from "./task-store.ts";

/**
 * Deletes the caller's own task and its bids.
 * @throws {ProblemError} `task-not-found` or `not-your-task`.
 */
export async function deleteTask(store: TaskStore, id: string, caller: User): Promise<DeleteAnswer> {
  const deletedCount = await store.deleteOwned(id, caller.uid);
  // Nothing matched, so either it is gone or it is somebody else's.
  if (deletedCount === 0) throw new ProblemError((await store.find(id)) ? "not-your-task" : "task-not-found");
  return { acknowledged: true, deletedCount };
}
